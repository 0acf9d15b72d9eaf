/** Tests where the watched accounts come from: the user's input, a list's members, or nowhere. */
import type { Row } from '../../../src/run/responses/rows';
import type { Page } from '../../../src/run/responses/page';
import type { Run } from '../../../src/run/run';
import { parseAccounts, readAccountDomains } from '../../../src/watch/account-list';

/** Returns a run that reads these pages of members, with the total that the service reports. */
function readerOf(pages: readonly Row[][], totalResults: number | undefined): Run {
  const read = async function* (): AsyncGenerator<Page> {
    await Promise.resolve();
    for (const rows of pages) {
      yield { rows, context: {}, pagination: { limit: 2, totalResults, hasNext: undefined } };
    }
  };
  return { readPages: read, warn: () => undefined } as unknown as Run;
}

const list = { from: 'list', listId: '7' } as const;
const pages = [
  [{ domain: 'alpha.com' }, { company: { primary_domain: 'beta.com' } }],
  [{ domain: 'alpha.com' }, { name: 'Has no domain' }],
];

it.each([4, undefined])(
  "reads the domains of a list's members, each once (total %s)",
  async (total) => {
    expect((await readAccountDomains(readerOf(pages, total), list)).domains).toEqual([
      'alpha.com',
      'beta.com',
    ]);
  },
);

it('accepts an empty list, because members can join later', async () => {
  expect(await readAccountDomains(readerOf([[]], 0), list)).toEqual({ domains: [], missing: 0 });
});

it('fails when the list returns fewer members than its total', async () => {
  await expect(readAccountDomains(readerOf(pages, 6), list)).rejects.toMatchObject({
    code: 'list_incomplete',
    message: 'The list could not be read completely: only 4 of 6 members arrived',
  });
});

it('reads accounts as users type them, each once, and refuses invalid, missing or too many', () => {
  expect(
    parseAccounts('https://www.acme.com/about, acme.com\nZENITH.io; jo@mail.acme.org', 'D'),
  ).toEqual(['acme.com', 'zenith.io', 'acme.org']);
  expect(() => parseAccounts('acme.com, nonsense', 'Domains')).toThrow(
    '"Domains" has entries without a domain: "nonsense"',
  );
  expect(() => parseAccounts(' ', 'Domains')).toThrow('no accounts');
  const many = Array.from({ length: 50_001 }, (_one, index) => `a${String(index)}.com`);
  expect(() => parseAccounts(many, 'Domains')).toThrow(
    '50,001 accounts, but only 50,000 are allowed',
  );
});
