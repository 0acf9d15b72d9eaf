/**
 * Tests how pages reach n8n's binary storage: their
 * order and pace, and what remains after a failure.
 */
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { Readable } from 'node:stream';

import { NodeOperationError, type IBinaryData, type IExecuteFunctions } from 'n8n-workflow';

import type { Page } from '../../../../src/run/responses/page';
import { ndjson } from '../../../../src/n8n/files/encoders';
import { storePages } from '../../../../src/n8n/files/store-pages';

type Store = (stream: Readable, fileName: string) => Promise<IBinaryData>;

/** Returns the part of n8n's context that stores files. */
function contextWith(prepareBinaryData: Store): IExecuteFunctions {
  const node = {
    id: '1',
    name: 'Node',
    type: 'test',
    typeVersion: 1,
    position: [0, 0],
    parameters: {},
  };
  return {
    helpers: { prepareBinaryData },
    getNode: () => node,
  } as unknown as IExecuteFunctions;
}

/** Stores the whole file in `data`. */
const keeping: Store = async (stream, fileName) => ({
  mimeType: '',
  fileName,
  data: (await buffer(stream)).toString(),
});

const page = (...ids: number[]): Page => ({
  rows: ids.map((id) => ({ id })),
  context: { of: 'list' },
  pagination: { limit: undefined, totalResults: 7, hasNext: undefined },
});

/**
 * Returns pages, followed by an optional failure. `seen`
 * shows how many were read, and whether reading ended.
 */
function pagesOf(pages: readonly Page[], failure?: Error) {
  const seen = { taken: 0, ended: false };
  const reading = async function* () {
    try {
      for (const one of pages) {
        seen.taken += 1;
        yield await Promise.resolve(one);
      }
      if (failure !== undefined) throw failure;
    } finally {
      seen.ended = true;
    }
  };
  return { seen, pages: reading() };
}

const how = { name: 'users', encoderFor: () => ndjson, keepsPart: () => false };

it('stores the rows in order, and returns their number and the other fields', async () => {
  const { pages, seen } = pagesOf([page(1, 2), page(3), page(4, 5)]);
  const stored = await storePages(contextWith(keeping), pages, how);

  expect(stored).toEqual({
    binary: expect.objectContaining({
      fileName: 'users.ndjson',
      data: '{"id":1}\n{"id":2}\n{"id":3}\n{"id":4}\n{"id":5}\n',
    }),
    rows: 5,
    pages: 3,
    first: { context: page().context, pagination: page().pagination },
    failure: undefined,
  });
  expect(seen.ended).toBe(true);
});

it('chooses the form of the file with the first rows', async () => {
  const { pages } = pagesOf([page(1), page(2)]);
  const encoderFor = jest.fn(() => ({ ...ndjson, head: 'head\n', extension: 'txt' }));
  const { binary } = await storePages(contextWith(keeping), pages, { ...how, encoderFor });

  expect(encoderFor.mock.calls).toEqual([[[{ id: 1 }]]]);
  expect(binary).toMatchObject({ fileName: 'users.txt', data: 'head\n{"id":1}\n{"id":2}\n' });
});

it('takes no further page while the storage does not read', async () => {
  const large = page(...Array.from({ length: 20_000 }, (_unused, id) => id));
  const { pages, seen } = pagesOf(Array.from({ length: 10 }, () => large));
  const slow: Store = async (stream) => {
    stream.read(1);
    for (let turn = 0; turn < 100; turn += 1) await setImmediate();
    expect(seen.taken).toBe(1);
    return await keeping(stream, '');
  };

  expect((await storePages(contextWith(slow), pages, how)).rows).toBe(200_000);
});

it('throws a failure before the first page, and starts no file', async () => {
  const failure = new Error('not found');
  const prepare = jest.fn(keeping);

  await expect(storePages(contextWith(prepare), pagesOf([], failure).pages, how)).rejects.toBe(
    failure,
  );
  expect(prepare).not.toHaveBeenCalled();
});

it('breaks the stream when a later page fails and partial files are not kept', async () => {
  const failure = new Error('page 3 failed');
  const { pages } = pagesOf([page(1, 2), page(3)], failure);
  let seenByStorage: unknown;
  const storage: Store = async (stream, name) => {
    try {
      return await keeping(stream, name);
    } catch (error) {
      seenByStorage = error;
      throw new Error('of the storage itself', { cause: error });
    }
  };
  const stored = await storePages(contextWith(storage), pages, how);

  expect(seenByStorage).toBe(failure);
  expect(stored).toMatchObject({ binary: undefined, rows: 3, pages: 2, failure });
});

it('stops reading and reports the reason when the storage fails', async () => {
  const { pages, seen } = pagesOf(Array.from({ length: 50 }, () => page(1)));
  const full: Store = async (stream) => {
    stream.destroy();
    return await Promise.reject(new Error('no space left'));
  };
  const storing = storePages(contextWith(full), pages, how);

  await expect(storing).rejects.toBeInstanceOf(NodeOperationError);
  await expect(storing).rejects.toThrow("n8n couldn't store the file: no space left");
  expect(seen).toEqual({ taken: 1, ended: true });
});
