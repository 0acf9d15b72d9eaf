import { companiesIn } from '../../../src/n8n/agents';

describe('companies that a model put into one argument', () => {
  it.each<[unknown, unknown[]]>([
    ['a.com', ['a.com']],
    ['a.com, b.com', ['a.com', 'b.com']],
    ['a.com;b.com\nc.com', ['a.com', 'b.com', 'c.com']],
    ['a.com, b.com and c.com', ['a.com', 'b.com', 'c.com']],
    ['a.com b.com', ['a.com', 'b.com']],
    ['["a.com","b.com"]', ['a.com', 'b.com']],
    [
      ['a.com', ' b.com '],
      ['a.com', 'b.com'],
    ],
    ['acme-inc, other-corp', ['acme-inc', 'other-corp']],
    ['https://www.a.com/about', ['https://www.a.com/about']],
    ['Acme Inc. a.com', ['Acme Inc. a.com']],
    ['[a.com]', ['[a.com]']],
    // What is empty stays, so that the row says so.
    ['', ['']],
    ['[]', ['[]']],
    [undefined, [undefined]],
    [42, [42]],
  ])('%j are %j', (given, expected) => {
    expect(companiesIn(given)).toEqual(expected);
  });
});
