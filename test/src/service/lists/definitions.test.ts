/** The catalog and definitions, whose forms the API spec does not show: what is read from responses. */
import { getFilterCatalog } from '../../../../src/service/lists/catalog';
import {
  getDefinition,
  previewCount,
  replaceDefinition,
} from '../../../../src/service/lists/definitions';
import { createList } from '../../../../src/service/lists/lists';
import { InvalidResponseError } from '../../../../src/client/errors';
import { Run } from '../../../../src/run/run';
import { failureOf, serviceWith } from '../../client/support/client';
import { json, TestService, text, type Answering } from '../../client/support/service';

afterAll(TestService.stopAll);

const runWith = async (answering: Answering) => new Run((await serviceWith(answering)).client);

describe('the catalog', () => {
  const FIELD = { key: 'size', operators: ['gte'] };

  it.each<[unknown, unknown, unknown[]]>([
    [{ registry_version: 'r1', fields: [FIELD] }, 'r1', [{ registry_version: 'r1', ...FIELD }]],
    [{ data: { registry_version: 2, filters: [FIELD] } }, 2, [{ registry_version: 2, ...FIELD }]],
    [[FIELD], undefined, [FIELD]],
    // The fields are not found, so the response is one row.
    [{ registry_version: 'r1', a: FIELD }, 'r1', [{ registry_version: 'r1', a: FIELD }]],
  ])('is read from %j', async (answer, registryVersion, rows) => {
    expect(await getFilterCatalog(await runWith(json(answer)))).toEqual({ registryVersion, rows });
  });

  it.each([{ error: 'x', message: 'y' }, {}, 'text'])('refuses %j', async (answer) => {
    await expect(getFilterCatalog(await runWith(json(answer)))).rejects.toThrow(
      InvalidResponseError,
    );
  });
});

const TREE = { op: 'and', children: [] };

it.each<[unknown, unknown]>([
  [{}, { definition: {} }],
  [[TREE], { definition: [TREE] }],
  [TREE, { definition: TREE }],
  [{ ...TREE, version: 3 }, { definition: { ...TREE, version: 3 } }],
  [
    { definition: null, version: 1 },
    { definition: null, version: 1 },
  ],
  [{ data: { definition: TREE } }, { definition: TREE }],
])('reads the definition from %j', async (answer, saved) => {
  expect(await getDefinition(await runWith(json(answer)), 'l1')).toEqual(saved);
});

it.each([
  { error: 'company_not_found', message: 'No such company.' },
  { detail: { error: 'company_not_found', message: 'No such company.' } },
])('refuses the error %j as a definition, even with status 200', async (answer) => {
  await expect(getDefinition(await runWith(json(answer)), 'l1')).rejects.toThrow(
    InvalidResponseError,
  );
});

it.each<[string, Answering, unknown]>([
  ['the saved definition', json({ ...TREE, version: 2 }), { definition: { ...TREE, version: 2 } }],
  ['nothing', text('', 204), { definition: TREE }],
  ['something else', json({ ok: true }), { ok: true, definition: TREE }],
])('returns the replaced definition when the response is %s', async (_what, answer, saved) => {
  expect(await replaceDefinition(await runWith(answer), 'l1', TREE)).toEqual(saved);
});

it.each<[unknown, string]>([
  [{ count: 10_000, capped: true }, '10,000+'],
  [{ count: 9999, capped: false }, '9,999'],
])('formats the preview %j as %s', async (answer, text) => {
  expect(await previewCount(await runWith(json(answer)), TREE)).toMatchObject({ count_text: text });
});

it('refuses a preview without a count', async () => {
  await expect(previewCount(await runWith(json({ capped: true })), TREE)).rejects.toThrow(
    'The response has no count',
  );
});

it.each([
  [{ name: 'x' }, /parameters/],
  [{ name: 'x', definition: TREE }, /Get Filter Fields/],
])('adapts the hint when creating the list %j fails with 422', async (body, hint) => {
  expect(await failureOf(createList(await runWith(json({}, 422)), body))).toMatchObject({
    hint: expect.stringMatching(hint) as unknown,
  });
});
