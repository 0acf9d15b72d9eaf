import { json, TestService } from '../../src/client/support/service';

/** A company that uses the technology. */
interface ChangingUser {
  slug: string;
  lastSeen: string;
  /** A domain that differs from the default, which is the slug with `.com`. */
  domain?: string;
}

/** A company with its data in bulk lookups. */
export interface ChangingCompany {
  technologies: Array<{ key: string; vendor?: string }>;
  /** Type of the partnership, by partner domain. */
  partnerships: Record<string, string>;
  /** A count that differs from the number of partnerships in the response. */
  partnershipCount?: number;
}

/**
 * A service whose technology and partnership data tests can change freely. The sandbox does not
 * allow this. The responses have the form that the API spec describes.
 */
export class ChangingService {
  /** Users of every technology and of every vendor. */
  users: ChangingUser[] = [];
  companies: Record<string, ChangingCompany> = {};
  /** The sections that bulk lookups requested, oldest first. */
  readonly included: string[][] = [];
  /** Status of every response. If it is not 200, the response contains an error. */
  status = 200;
  private service: TestService | undefined;

  /** Starts the service on a free port. */
  async start(): Promise<this> {
    this.service = await TestService.start((request, response) => {
      const { status } = this;
      const url = new URL(request.url, 'http://service.test');
      const answer = status === 200 ? this.answer(url, request.body) : { error: 'no' };
      json(answer, status)(request, response);
    });
    return this;
  }

  async stop(): Promise<void> {
    await this.service?.stop();
  }

  get baseUrl(): string {
    return this.service?.baseUrl ?? '';
  }

  /** Method and path of each request, oldest first. */
  get asked(): string[] {
    return (this.service?.received ?? []).map(({ method, url }) => `${method} ${url}`);
  }

  private answer(url: URL, body: string): unknown {
    if (url.pathname === '/v1/companies') {
      const { domains, include } = JSON.parse(body) as { domains: string[]; include: string[] };
      this.included.push(include);
      return { data: domains.map((domain) => this.bulkRow(domain, include)) };
    }
    return this.usersPage(url);
  }

  private usersPage({ searchParams, pathname }: URL): unknown {
    const page = Number(searchParams.get('page') ?? 1);
    const limit = Number(searchParams.get('limit') ?? 50);
    const withFirmographics = searchParams.get('include') === 'firmographics';
    const ordered = [...this.users].sort(
      (a, b) => b.lastSeen.localeCompare(a.lastSeen) || a.slug.localeCompare(b.slug),
    );
    const data = ordered.slice((page - 1) * limit, page * limit).map((user) => ({
      slug: user.slug,
      name: user.slug,
      primary_domain: user.domain ?? `${user.slug}.com`,
      detection_count: 1,
      first_seen_at: user.lastSeen,
      last_seen_at: user.lastSeen,
      ...(withFirmographics ? { firmographics: { industry: 'Media' } } : {}),
    }));
    const total = ordered.length;
    const header = { tech_key: 'tracker', vendor_slug: 'tracker', total_companies: total };
    return {
      [pathname.startsWith('/v1/vendors') ? 'vendor' : 'technology']: header,
      data,
      pagination: { page, limit, total_results: total, has_next: page * limit < total },
    };
  }

  private bulkRow(domain: string, include: readonly string[]): unknown {
    const company = this.companies[domain];
    if (company === undefined) return { domain, status: 'not_tracked' };
    const { technologies, partnerships } = company;
    return {
      domain,
      status: 'tracked',
      company: { name: domain, primary_domain: domain, slug: domain.split('.')[0] },
      technologies: include.includes('technologies')
        ? technologies.map(({ key, vendor = key }) => ({
            tech_key: key,
            display_name: key,
            vendor_name: vendor,
            last_seen_at: '2026-01-01T00:00:00Z',
            evidence_count: 1,
          }))
        : [],
      partnerships: include.includes('partnerships')
        ? Object.entries(partnerships).map(([partner, type]) => ({
            partner_name: `Partner ${partner}`,
            partner_domain: partner,
            partnership_type: type,
          }))
        : [],
      technology_count: technologies.length,
      partnership_count: company.partnershipCount ?? Object.keys(partnerships).length,
    };
  }
}
