import { readAdditions, getMemberId } from '../../../../src/service/lists/members';

describe('getMemberId', () => {
  it.each([
    [{ company_id: 7, slug: 'acme' }, 'company_id:7'],
    [{ id: 'm_1', company_id: null }, 'id:m_1'],
    [{ slug: null, primary_domain: 'acme.com' }, 'primary_domain:acme.com'],
    [{ tier: 'high', company: { slug: 'acme' } }, 'slug:acme'],
    [{ id: 1, company: { id: 2 } }, 'id:1'],
  ])('identifies %j', (member, id) => {
    expect(getMemberId(member)).toBe(id);
  });

  it.each([{}, { name: 'Acme' }, { id: null, company: 'Acme' }])(
    'returns undefined for %j',
    (member) => {
      expect(getMemberId(member)).toBeUndefined();
    },
  );
});

describe('status of added domains', () => {
  const sent = ['a.com', 'b.com'];
  const statuses = (answer: unknown) =>
    Object.fromEntries(
      [...readAdditions(answer, sent)].map(([domain, row]) => [domain, row.status]),
    );

  it.each<[unknown, Record<string, string>]>([
    [
      { added: ['a.com'], not_tracked: ['b.com'] },
      { 'a.com': 'added', 'b.com': 'not_tracked' },
    ],
    [{ result: { added: ['www.A.com'] } }, { 'a.com': 'added' }],
    [[{ domain: 'a.com', status: 'new' }], { 'a.com': 'new' }],
    [{ domain: 'a.com', status: 'new' }, { 'a.com': 'new' }],
    [{ results: [{ primary_domain: 'b.com' }] }, { 'b.com': 'accepted' }],
    [
      { domains: sent, rejected: ['b.com'] },
      { 'a.com': 'accepted', 'b.com': 'rejected' },
    ],
    [
      { rejected: ['b.com'], domains: sent },
      { 'a.com': 'accepted', 'b.com': 'rejected' },
    ],
  ])('is read from the response: %j', (answer, expected) => {
    expect(statuses(answer)).toEqual(expected);
  });

  it.each([undefined, null, '', {}, { added: 2 }, { added: ['other.com'] }])(
    'is accepted for all when the response names none: %j',
    (answer) => {
      expect(statuses(answer)).toEqual({ 'a.com': 'accepted', 'b.com': 'accepted' });
    },
  );

  it('keeps the other fields of a row next to its status', () => {
    const row = { domain: 'a.com', status: 'new', company_id: 7 };

    expect(readAdditions({ data: [row] }, sent).get('a.com')).toEqual({
      status: 'new',
      company_id: 7,
    });
  });
});
