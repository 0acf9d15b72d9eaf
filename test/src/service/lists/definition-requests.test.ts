/**
 * Tests requests with definitions, for services that
 * are stricter or know less than the API spec suggests.
 */
import { readCatalog } from '../../../../src/service/lists/catalog';
import {
  getDefinition,
  previewCount,
  replaceDefinition,
} from '../../../../src/service/lists/definitions';
import { createList } from '../../../../src/service/lists/lists';
import { toSendableDefinition } from '../../../../src/service/lists/prepare-definition';
import { InputError } from '../../../../src/input/inputs';
import {
  ConflictError,
  InvalidResponseError,
  NotFoundError,
  UnprocessableError,
} from '../../../../src/client/errors';
import { Run } from '../../../../src/run/run';
import { failureOf, serviceWith } from '../../client/support/client';
import { json, TestService, type Answering } from '../../client/support/service';

afterAll(TestService.stopAll);

const CATALOG = { registry_version: 'r9', fields: [{ key: 'size', type: 'number' }] };
const CONDITION = { field: 'size', operator: 'gte', value: 5 };
const TREE = { op: 'and', children: [CONDITION] };
const CONDITIONS = [{ ...CONDITION, value: '5', valueType: 'auto' }] as const;
const GROUPS = [{ combinator: 'and', conditions: CONDITIONS }] as const;
const WRITTEN = { tree: { combinator: 'and', groups: GROUPS } } as const;

describe('toSendableDefinition', () => {
  const ready = async (
    given: Parameters<typeof toSendableDefinition>[0],
    check: boolean,
    catalog: unknown = CATALOG,
  ) => {
    const warnings: string[] = [];
    let reads = 0;
    const definition = await toSendableDefinition(given, check, {
      catalog: async () => {
        reads += 1;
        if (catalog instanceof Error) throw catalog;
        return await Promise.resolve(readCatalog(catalog));
      },
      warn: (message) => warnings.push(message),
    });
    return { definition, reads, warnings };
  };
  const gone = new NotFoundError({ code: 'http_404', message: 'x', hint: '-', status: 404 });

  const versioned = { ...TREE, registry_version: 'r1' };

  it.each([
    ['keeps the registry version of', versioned, true, versioned, 1],
    ['reads no catalog for', versioned, false, versioned, 0],
    ['reads no catalog for', { definition: TREE, registry_version: 'r1' }, false, versioned, 0],
    ["adds the catalog's registry version to", TREE, false, { ...TREE, registry_version: 'r9' }, 1],
  ])('%s the definition %j (check: %p)', async (_what, json, check, definition, reads) => {
    expect(await ready({ json }, check)).toEqual({ definition, reads, warnings: [] });
  });

  it.each([
    [true, { json: TREE }, TREE, 1],
    [false, { json: TREE }, TREE, 0],
    [false, WRITTEN, { root: { op: 'and', children: [{ ...CONDITION, value: '5' }] } }, 0],
  ])(
    'continues when the service has no catalog (check: %s) %#',
    async (check, given, definition, hints) => {
      const result = await ready(given, check, gone);
      expect(result.definition).toEqual(definition);
      expect(result.warnings).toHaveLength(hints);
    },
  );

  it('rejects when reading the catalog fails for another reason', async () => {
    const error = new UnprocessableError({ code: 'x', message: 'x', hint: '-', status: 422 });
    await expect(ready({ json: TREE }, true, error)).rejects.toBe(error);
  });

  it('leaves a definition that is a list unchanged, but checks its conditions', async () => {
    const list = [CONDITION];
    expect(await ready({ json: list }, false)).toMatchObject({ definition: list, reads: 0 });
    expect((await ready({ json: { definition: list } }, true)).definition).toEqual(list);
    await expect(ready({ json: [{ field: 'sise', operator: 'gte' }] }, true)).rejects.toThrow(
      InputError,
    );
  });
});

/** Starts a service with one list: `put` responds to each PUT, and `sent` returns the bodies. */
async function listThat(
  put: (body: Record<string, unknown>) => Answering,
  current: unknown = { version: 3 },
) {
  const { service, client } = await serviceWith((request, response) => {
    const body = request.body === '' ? {} : (JSON.parse(request.body) as Record<string, unknown>);
    const answer = request.method === 'GET' ? json(current) : put(body);
    answer(request, response);
  });
  const sent = () =>
    service.received
      .filter(({ method }) => method !== 'GET')
      .map(({ body }) => JSON.parse(body) as unknown);
  return { run: new Run(client), sent };
}

describe('getDefinition', () => {
  const get = async (answer: unknown) => {
    const { run } = await listThat(() => json({}), answer);
    return await getDefinition(run, 'l1');
  };

  it.each([
    [{}, {}],
    [[], []],
    [TREE, TREE],
    [{ definition: null, version: 1 }, null],
    [{ definition: TREE, version: 1 }, TREE],
    [{ definition: TREE, error: 'not_found' }, TREE],
    [{ data: { definition: TREE } }, TREE],
  ])('reads the definition from %j', async (answer, definition) => {
    expect((await get(answer)).definition).toEqual(definition);
  });

  it.each([
    { error: 'company_not_found', message: 'No such company.' },
    { detail: { error: 'company_not_found', message: 'No such company.' } },
  ])('refuses the error %j, even with status 200', async (answer) => {
    await expect(get(answer)).rejects.toThrow(InvalidResponseError);
  });
});

describe('replaceDefinition', () => {
  it.each([400, 422])(
    'retries without the version when the service refuses it (%i)',
    async (status) => {
      const { run, sent } = await listThat((body) =>
        'version' in body ? json({ detail: 'version: extra field' }, status) : json(body),
      );

      expect((await replaceDefinition(run, 'l1', TREE, 'fail')).definition).toEqual(TREE);
      expect(sent()).toEqual([{ version: 3, ...TREE }, TREE]);
    },
  );

  it('reports a malformed definition after one retry without the version', async () => {
    const { run, sent } = await listThat(() => json({ detail: 'No op.' }, 422));

    expect(await failureOf(replaceDefinition(run, 'l1', TREE, 'overwrite'))).toMatchObject({
      name: 'UnprocessableError',
      hint: expect.stringContaining('filter fields') as unknown,
    });
    expect(sent()).toHaveLength(2);
  });

  it.each([
    ['the service returns none', {}, TREE],
    ['the user set it', { version: 3 }, { ...TREE, version: 2 }],
  ])('does not retry without the version when %s', async (_why, current, tree) => {
    const { run, sent } = await listThat(() => json({}, 422), current);

    await failureOf(replaceDefinition(run, 'l1', tree, 'fail'));
    expect(sent()).toEqual([tree]);
  });

  it('reports a conflict when the retry without the version conflicts', async () => {
    const { run } = await listThat((body) => json({}, 'version' in body ? 422 : 409));

    await expect(replaceDefinition(run, 'l1', TREE, 'fail')).rejects.toThrow(ConflictError);
  });
});

describe('the body of a request', () => {
  const additionalFields = { comment: 'x' };
  const named = { wrapIn: 'definition', additionalFields };

  it.each([
    [
      'is the definition with additional fields',
      TREE,
      { additionalFields },
      { ...TREE, comment: 'x' },
    ],
    ['is a list as it is', [TREE], {}, [TREE]],
    [
      'wraps a list to add fields',
      [TREE],
      { additionalFields },
      { definition: [TREE], comment: 'x' },
    ],
    [
      'has the definition in the field that the user names',
      TREE,
      named,
      { definition: TREE, comment: 'x' },
    ],
  ])('%s', async (_what, definition, form, body) => {
    const { run, sent } = await listThat(() => json({ count: 1, definition: TREE }), {});
    await replaceDefinition(run, 'l1', definition, 'fail', form);
    await previewCount(run, definition, form);

    expect(sent()).toEqual([body, body]);
  });

  it('has the version of the definition, except in a preview', async () => {
    const { run, sent } = await listThat(() => json({ count: 1, definition: TREE }));
    await replaceDefinition(run, 'l1', TREE, 'fail', named);
    await previewCount(run, { version: 3, ...TREE });

    expect(sent()).toEqual([{ definition: { version: 3, ...TREE }, comment: 'x' }, TREE]);
  });
});

it.each([
  [{ name: 'x' }, /parameters/],
  [{ name: 'x', definition: TREE }, /filter fields/],
])('adapts the hint to the request when creating a list fails with 422: %j', async (body, hint) => {
  const { run } = await listThat(() => json({}, 422));

  expect(await failureOf(createList(run, body))).toMatchObject({
    hint: expect.stringMatching(hint) as unknown,
  });
});
