/** Company List, definitions: reads, checks against the live catalog, counts and replaces them. */
import { json } from '../../src/client/support/service';
import { credentialFor, sentTo, useSandbox } from '../shared/service';
import { catalogAnd, NAME, operationsOf } from './company-list';

const sandbox = useSandbox({ companies: 500 });

const SOFTWARE = { field: 'industry', operator: 'equals', value: 'Software' };
const run = operationsOf(sandbox, { resource: 'definition' });
const asJson = (definition: unknown) => ({
  definitionMode: 'json',
  definition: JSON.stringify(definition),
});

describe('Get Filter Fields', () => {
  it('returns one item per field, with the version of the catalog', async () => {
    const got = await run('getFilterFields');

    expect(got.json(NAME)).toHaveLength(14);
    expect(got.json(NAME)).toContainEqual({
      registry_version: '2025-06-01',
      key: 'tech_count',
      label: 'Number of technologies',
      type: 'number',
      operators: ['equals', 'gte', 'lte', 'between'],
    });
    expect(sandbox.report().charged).toBe(0);
  });
});

describe('Preview Count', () => {
  it('counts the companies that match a definition, without changing a list', async () => {
    const got = await run('previewCount', asJson({ root: SOFTWARE }));
    const count = sandbox.world.companies.filter(({ industry }) => industry === 'Software').length;

    expect(count).toBeGreaterThan(0);
    expect(got.json(NAME)).toEqual([{ count, capped: false, count_text: String(count) }]);
    expect(sentTo(sandbox).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v1/lists/filter-fields',
      'POST /v1/lists/preview-count',
    ]);
  });

  it.each<[unknown, string]>([
    [{ count: 10_000, capped: true }, '10,000+'],
    [{ count: 9999, capped: false }, '9,999'],
    [{ data: { count: 10_000, capped: false } }, '10,000'],
    [{ capped: true }, '10,000+'],
    [{ count: '1234', capped: false }, '1,234'],
  ])('for the response %j, outputs the count as the text %s', async (answer, text) => {
    const service = await catalogAnd(json(answer));
    const got = await run('previewCount', asJson({ any: 'tree' }), [{}], {
      credentials: credentialFor(service.baseUrl),
    });

    expect(got.json(NAME)).toEqual([expect.objectContaining({ count_text: text })]);
    expect(service.received.map(({ body }) => body)).toEqual([
      '',
      '{"any":"tree","registry_version":"r7"}',
    ]);
  });

  it('reads the catalog once for several items', async () => {
    const items = ['Software', 'Retail', 'Media'].map((value) => ({
      tree: { root: { ...SOFTWARE, value } },
    }));
    const got = await run(
      'previewCount',
      { definitionMode: 'json', definition: '={{ $json.tree }}' },
      items,
    );
    const paths = sentTo(sandbox).map(({ path }) => path);

    expect(got.traced()).toEqual([0, 1, 2]);
    expect(new Set(got.json(NAME).map(({ count }) => count)).size).toBeGreaterThan(1);
    expect(paths.filter((path) => path.endsWith('filter-fields'))).toHaveLength(1);
    expect(paths.filter((path) => path.endsWith('preview-count'))).toHaveLength(3);
  });

  it.each([
    ['', /The list has no conditions/],
    ['{}', /The list has no conditions/],
    ['{ "root": ', /"Definition" is not valid JSON/],
    ['[]', /The list has no conditions/],
    ['7', /"Definition" is valid JSON but not an object/],
  ])('refuses %j before anything is sent', async (definition, message) => {
    const got = await run('previewCount', { definitionMode: 'json', definition });

    expect(got.error?.message).toMatch(message);
    expect(sandbox.report().requests).toBe(0);
  });
});
