/** A `TestService` whose technology and partnership data a test can change at any time. */
import { json, type Answering, type TestService } from '../../src/client/support/service';

/** A company with its data in bulk lookups. */
export interface Account {
  readonly technologies: readonly string[];
  readonly partners?: readonly string[];
  /** A count that differs from the number of partnerships in the response. */
  readonly partnershipCount?: number;
}

export interface TriggerData {
  /** Users of every technology and of every vendor, and members of every list. */
  users: ReadonlyArray<{ readonly slug: string; readonly lastSeen: string }>;
  accounts: Readonly<Record<string, Account>>;
}

/** Lets the service of each test respond with data that the test sets; there is none at first. */
export function useTriggerData(service: TestService): TriggerData {
  const data: TriggerData = { users: [], accounts: {} };
  beforeEach(() => {
    Object.assign(data, { users: [], accounts: {} });
    service.answer(answerFrom(data));
  });
  return data;
}

/** Responds with the data of the moment, in one page. */
export function answerFrom(data: TriggerData): Answering {
  return (request, response) => {
    const answer = request.method === 'POST' ? accountsOf(data, request.body) : usersOf(data);
    json(answer)(request, response);
  };
}

function usersOf({ users }: TriggerData): unknown {
  const total = users.length;
  const header = { tech_key: 'tracker', vendor_slug: 'tracker', total_companies: total };
  return {
    technology: header,
    vendor: header,
    data: users
      .toSorted((a, b) => b.lastSeen.localeCompare(a.lastSeen))
      .map(({ slug, lastSeen }) => ({
        slug,
        name: slug,
        ...(slug === 'no-domain' ? {} : { primary_domain: `${slug}.com` }),
        detection_count: 1,
        last_seen_at: lastSeen,
        firmographics: { industry: 'Media' },
      })),
    pagination: { page: 1, limit: 10_000, total_results: total, has_next: false },
  };
}

function accountsOf({ accounts }: TriggerData, body: string): unknown {
  const { domains } = JSON.parse(body) as { domains: string[] };
  const rows = domains.map((domain) => {
    const account = accounts[domain];
    if (account === undefined) return { domain, status: 'not_tracked' };
    const { technologies, partners = [], partnershipCount = partners.length } = account;
    return {
      domain,
      status: 'tracked',
      company: { name: domain, primary_domain: domain, slug: domain.split('.')[0] },
      technologies: technologies.map((key) => ({
        tech_key: key,
        display_name: key,
        vendor_name: key,
      })),
      partnerships: partners.map((partner) => ({
        partner_name: `Partner ${partner}`,
        partner_domain: partner,
        partnership_type: 'generic',
      })),
      technology_count: technologies.length,
      partnership_count: partnershipCount,
    };
  });
  return { data: rows };
}
