import fc from 'fast-check';

import { InputError } from '../../../../src/input/inputs';
import { parseChoices, parseNumber, parseFlag } from '../../../../src/n8n/parameters/parsers';

const depthOf = (value: unknown) => parseNumber(value, 'Depth', { min: 1, max: 2, whole: true });

describe('whole numbers', () => {
  it('from 1 to 2 can be text', () => {
    expect([1, 2, '1', ' 2 '].map(depthOf)).toEqual([1, 2, 1, 2]);
  });

  const others = [0, 3, 1.5, '', ' ', 'x', NaN, Infinity, null, undefined, true, [1], {}, '1e400'];
  it.each(others)('from 1 to 2 do not include %j', (value) => {
    expect(() => depthOf(value)).toThrow(/"Depth" must be a whole number from 1 to 2, not /);
  });

  it('are parsed from any value, or refused with a hint', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (value) => {
        try {
          expect([1, 2]).toContain(depthOf(value));
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
          expect((error as InputError).hint).toMatch(/\.$/);
        }
      }),
    );
  });
});

describe('choices, as agents and expressions write them', () => {
  const choices = [
    { name: 'Company Data', value: 'firmographics' },
    { name: 'Technologies', value: 'technologies' },
  ] as const;

  it.each<[unknown, string[]]>([
    ['technologies', ['technologies']],
    ['Technologies', ['technologies']],
    ['Firmographics, Technologies', ['firmographics', 'technologies']],
    ['["technologies"]', ['technologies']],
    [['Technologies'], ['technologies']],
    ['all', ['firmographics', 'technologies']],
    [['all'], ['firmographics', 'technologies']],
    ['none', []],
    ['', []],
    [null, []],
    [undefined, []],
    ['[]', []],
  ])('are parsed from %j as %j', (given, expected) => {
    expect(parseChoices(given, 'Include', choices)).toEqual(expected);
  });

  it('are refused with the allowed values if given as anything else', () => {
    const refusal: unknown = expect.objectContaining({
      message: expect.stringMatching(/^"Include" has the invalid value /),
      hint: 'Use one of: Company Data (firmographics), Technologies, All. Nothing was sent.',
    });
    for (const given of [
      'people',
      '["people"]',
      ['technologies', 'people'],
      '[technologies',
      7,
      {},
    ])
      expect(() => parseChoices(given, 'Include', choices)).toThrow(refusal as Error);
  });
});

describe('a flag', () => {
  it('is parsed from a text too, and can be empty', () => {
    const given = [true, false, 'true', 'false', ' TRUE ', '', null, undefined];
    const flags = [true, false, true, false, true, undefined, undefined, undefined];
    expect(given.map((one) => parseFlag(one, 'Simplify'))).toEqual(flags);
  });

  it.each(['yes', 'maybe', 1, {}])('is refused if it is %j', (given) => {
    expect(() => parseFlag(given, 'Simplify')).toThrow(/"Simplify"/);
  });
});
