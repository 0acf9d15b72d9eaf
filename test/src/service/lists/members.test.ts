import { addDomains, getMemberId } from '../../../../src/service/lists/members';
import { Run } from '../../../../src/run/run';
import { serviceWith } from '../../client/support/client';
import { json, TestService, text, type Answering } from '../../client/support/service';

afterAll(TestService.stopAll);

it.each([
  [{ company_id: 7, slug: 'acme' }, 'company_id:7'],
  [{ id: 'm_1', company_id: null }, 'id:m_1'],
  [{ slug: null, primary_domain: 'acme.com' }, 'primary_domain:acme.com'],
  [{ tier: 'high', company: { slug: 'acme' } }, 'slug:acme'],
  [{ id: 1, company: { id: 2 } }, 'id:1'],
  [{}, undefined],
  [{ id: null, company: 'Acme' }, undefined],
])('identifies the member %j as %s', (member, id) => {
  expect(getMemberId(member)).toBe(id);
});

const ACCEPTED = { status: 'accepted' };

it.each<[string, Answering, Record<string, unknown>]>([
  [
    'rows that name a domain',
    json({ domains: [{ domain: 'www.A.com', status: 'new', company_id: 7 }] }),
    { 'a.com': { status: 'new', company_id: 7 } },
  ],
  ['rows without a status', json([{ domain: 'b.com' }]), { 'b.com': ACCEPTED }],
  ['nothing', text('', 204), { 'a.com': ACCEPTED, 'b.com': ACCEPTED }],
  ['an empty object', json({}), { 'a.com': ACCEPTED, 'b.com': ACCEPTED }],
  ...[{ added: 2 }, { added: ['a.com'], rejected: ['b.com'] }, { domains: ['a.com'] }].map(
    (response): [string, Answering, Record<string, unknown>] => [
      JSON.stringify(response),
      json(response),
      { 'a.com': { ...ACCEPTED, response }, 'b.com': { ...ACCEPTED, response } },
    ],
  ),
])('reads the result of added domains from %s', async (_what, answer, expected) => {
  const { client } = await serviceWith(answer);
  const rows = await addDomains(new Run(client), 'l1', ['a.com', 'b.com'], {});

  expect(Object.fromEntries(rows)).toEqual(expected);
});
