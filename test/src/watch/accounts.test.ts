import type { Row } from '../../../src/values/json';
import { diffSection, readSection } from '../../../src/watch/account';
import { parseAccounts } from '../../../src/watch/account-list';
import { compareStates } from '../../../src/watch/entities';

it('reads accounts as users type them, each once, without entries that contain no domain', () => {
  const typed = 'https://www.acme.com/about, acme.com\nZENITH.io; oops jo@mail.acme.org';

  expect(parseAccounts(typed, 'Domains')).toEqual({
    domains: ['acme.com', 'zenith.io', 'acme.org'],
    invalid: ['"oops"'],
  });
});

it.each([
  ['one, two', '"Domains" has entries without a domain: "one", "two"'],
  [' ', '"Domains" has no accounts'],
  [
    Array.from({ length: 50_001 }, (_one, index) => `a${String(index)}.com`),
    '"Domains" has 50,001 accounts, but only 50,000 are allowed',
  ],
])('refuses accounts that are all invalid, missing or too many (%#)', (typed, message) => {
  expect(() => parseAccounts(typed, 'Domains')).toThrow(message);
});

it('reports a change of a partner once, although the service returns it once per type', () => {
  const partners = ['technology', 'channel'].map((partnership_type) => ({
    partner_slug: 'a',
    partner_domain: 'a.com',
    partnership_type,
  }));
  const found = readSection({ partnerships: [{ partner_slug: 'a' }, ...partners] }, 'partnerships');
  const eventsOf = (...states: Parameters<typeof compareStates>) =>
    diffSection({ domain: 'acme.com' }, 'partnerships', compareStates(...states)).map(
      ({ event, id }) => `${event} ${id}`,
    );

  expect(eventsOf([], found ?? [])).toEqual(['partnershipGained acme.com a']);
  expect(eventsOf(found ?? [], [])).toEqual(['partnershipLost acme.com a']);
});

it.each<[string, Row]>([
  ['is missing', { status: 'tracked' }],
  ['was shortened', { technologies: [{ tech_key: 'a' }], technology_count: 2 }],
  ['belongs to an account that is not tracked', { status: 'not_tracked', technologies: [] }],
])('does not read a section that %s', (_what, row) => {
  expect(readSection(row, 'technologies')).toBeUndefined();
});
