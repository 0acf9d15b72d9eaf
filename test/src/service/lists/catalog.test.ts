/**
 * Tests that the catalog of filter fields is read in
 * any form, because the API spec shows little of it.
 */
import { findField, formatOperator, readCatalog } from '../../../../src/service/lists/catalog';
import { collectConditions } from '../../../../src/service/lists/conditions';
import { assertConditions } from '../../../../src/service/lists/prepare-definition';
import { didYouMean } from '../../../../src/input/quote';
import { InputError } from '../../../../src/input/inputs';
import { InvalidResponseError } from '../../../../src/client/errors';

const SIZE = { key: 'size', label: 'Size', type: 'number', operators: ['gte', 'lte'] };
const COUNTRY = { key: 'country', label: 'Country', type: 'text', operators: ['is'] };

const fieldsOf = (name: string, field: object) => ({ name, fields: [field] });
const FIRM = { name: 'Firm', children: [SIZE] };
const PLACE = { name: 'Place', children: [COUNTRY] };
const BY_KEY = { size: { type: 'number', operators: SIZE.operators }, country: COUNTRY };

/** The same two fields, grouped in various ways. */
const GROUPED: Array<[string, unknown]> = [
  ['groups with fields', { groups: [fieldsOf('Firm', SIZE), fieldsOf('Place', COUNTRY)] }],
  ['one group', { data: [{ category: 'Firm', items: [SIZE, COUNTRY] }] }],
  ['groups by name', { groups: { firm: [SIZE], place: [COUNTRY] } }],
  ['fields by group', { fields: { firm: [SIZE], place: [COUNTRY] } }],
  ['fields by group and key', { fields: [{ label: 'Firm', fields: BY_KEY }] }],
  ['a list for each group', { registry_version: 'r1', firm: [SIZE], place: [COUNTRY] }],
  ['groups in groups', { fields: [{ name: 'All', children: [FIRM, PLACE] }] }],
];

it.each(GROUPED)('finds the fields inside groups: %s', (_form, json) => {
  const { fields } = readCatalog(json);

  expect(fields.map(({ key }) => key)).toEqual(['size', 'country']);
  const { operators } = findField('size', fields) ?? {};
  expect(operators?.map(({ key }) => key)).toEqual(['gte', 'lte']);
  expect(findField('Firm', fields)).toBeUndefined();
});

it('flattens nested groups up to five levels, and treats a deeper group as a field', () => {
  const keysIn = (depth: number) => {
    let group: object = SIZE;
    for (let level = depth; level > 0; level -= 1) {
      group = { name: `level ${String(level)}`, children: [group] };
    }
    return readCatalog({ fields: [group] }).fields.map(({ key }) => key);
  };

  expect(keysIn(5)).toEqual(['size']);
  expect(keysIn(6)).toEqual(['level 6']);
});

it('does not treat lists of values as fields', () => {
  const { fields } = readCatalog({
    fields: [
      { ...SIZE, options: [{ value: 1 }, { value: 2 }] },
      { key: 'kind', type: 'text', suggestions: [{ label: 'a' }] },
    ],
  });

  expect(fields.map(({ key }) => key)).toEqual(['size', 'kind']);
});

const OTHER_NAMES = {
  name: 'size',
  title: 'Size',
  data_type: 'number',
  operators: [{ operator: 'gte' }, { name: 'lte' }],
};
const WITHOUT_KEY = { label: 'Size', type: 'number', operators: { gte: {}, lte: 'at most' } };
const BY_TYPE = {
  registry_version: 'r1',
  operators: { number: ['gte', 'lte'] },
  fields: [{ field: 'size', display_name: 'Size', type: 'number' }],
};
const FOR_ALL = {
  registry_version: 'r1',
  operators: ['gte', 'lte'],
  data: [{ id: 'size', label: 'Size', type: 'number' }],
};

const FORMS: Array<[string, object]> = [
  ['keys, labels, types and operators', { registry_version: 'r1', fields: [SIZE] }],
  ['other names', { registry_version: 'r1', filter_fields: [OTHER_NAMES] }],
  ['fields and operators by key', { registry_version: 'r1', fields: { size: WITHOUT_KEY } }],
  ['a separate list of operators for each type', { data: BY_TYPE }],
  ['a separate list of operators for all fields', FOR_ALL],
];

describe.each(FORMS)('a catalog with %s', (_form, json) => {
  it('is read with its version, fields and operators', () => {
    const { registryVersion, fields } = readCatalog(json);

    expect(registryVersion).toBe('r1');
    expect(fields).toMatchObject([
      { key: 'size', label: 'Size', type: 'number', operators: [{ key: 'gte' }, { key: 'lte' }] },
    ]);
  });

  it('is used to check conditions', () => {
    const check = (field: string, operator: string) => () => {
      assertConditions(collectConditions([{ field, operator, value: 1 }]), readCatalog(json));
    };

    expect(check('size', 'gte')).not.toThrow();
    expect(check('sise', 'gte')).toThrow('Did you mean "size"?');
    expect(check('size', 'gt')).toThrow(InputError);
  });
});

it.each([null, 'x', {}, { registry_version: 'r1' }])('refuses %j as a catalog', (json) => {
  expect(() => readCatalog(json)).toThrow(InvalidResponseError);
});

it('finds a field by its key, label or path', () => {
  const { fields } = readCatalog([{ key: 'size', label: 'Company size', path: 'firm.size' }]);

  for (const word of ['size', 'Company size', 'firm.size']) {
    expect(findField(word, fields)).toBe(fields[0]);
  }
  expect(findField('firm', fields)).toBeUndefined();
});

describe('a suggestion of a known word', () => {
  const known = ['industry', 'country', 'tech_count', 'open_jobs_count'];

  it.each([
    ['industri', ' Did you mean "industry"?'],
    ['Country', ' Did you mean "country"?'],
    ['techCount', ' Did you mean "tech_count"?'],
    ['open_jobs', ' Did you mean "open_jobs_count"?'],
    ['countri', ' Did you mean "country"?'],
    ['revenue', ''],
    ['', ''],
    ['???', ''],
  ])('is made for %j if a word is similar enough', (word, sentence) => {
    expect(didYouMean(word, known)).toBe(sentence);
  });

  it('is shortened when the catalog contains very long words', () => {
    const long = `industry_${'x'.repeat(5_000)}`;
    const fields = [long, `${long}y`].map((key) => ({ key, operators: [long] }));
    const check = () => {
      assertConditions(
        collectConditions([{ field: 'industry', operator: 'is', value: 1 }]),
        readCatalog({ registry_version: 'r1', fields }),
      );
    };

    expect(check).toThrow(/^The catalog has no field "industry".* Did you mean "industry_x+…"/);
    try {
      check();
    } catch (error) {
      const { message, hint } = error as InputError;
      expect(message.length + hint.length).toBeLessThan(700);
    }
  });
});

it.each([
  ['equals', 'equals', 'Is'],
  ['not_in', 'not_in', 'Is None Of'],
  ['gte', 'gte', 'Is at Least'],
  ['between', 'between', 'Between'],
  ['starts_with', 'starts_with', 'Starts With'],
  ['gte', 'at least', 'at least'],
])('shows the operator %s, which the catalog calls %s, as %s', (key, label, words) => {
  expect(formatOperator(key, label)).toBe(words);
});
