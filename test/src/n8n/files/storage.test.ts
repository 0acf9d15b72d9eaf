import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { Readable } from 'node:stream';

import { NodeOperationError, type IBinaryData, type IExecuteFunctions } from 'n8n-workflow';

import type { Page } from '../../../../src/run/responses/page';
import { NDJSON_ENCODER } from '../../../../src/n8n/files/encoders';
import { storePages } from '../../../../src/n8n/files/storage';
import { node } from '../support';

type Store = (stream: Readable, fileName: string) => Promise<IBinaryData>;

const how = { name: 'users', encoderFor: () => NDJSON_ENCODER, keepsPart: () => false };

const storeIn = async (prepareBinaryData: Store, pages: AsyncGenerator<Page>, change = {}) => {
  const context = { helpers: { prepareBinaryData }, getNode: () => node };
  return await storePages(context as unknown as IExecuteFunctions, pages, { ...how, ...change });
};

const keeping: Store = async (stream, fileName) => ({
  mimeType: '',
  fileName,
  data: (await buffer(stream)).toString(),
});

const facts = {
  context: { of: 'list' },
  pagination: { limit: undefined, totalResults: 7, hasNext: undefined },
};
const page = (...ids: number[]): Page => ({ rows: ids.map((id) => ({ id })), ...facts });

/** Returns pages, then a failure, if any. `seen` counts the read ones, and notes the end. */
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

it('stores the rows in order, in a form that the first rows decide, and returns the rest', async () => {
  const { pages, seen } = pagesOf([page(1, 2), page(3), page(4, 5)]);
  const encoderFor = jest.fn(() => ({ ...NDJSON_ENCODER, head: 'head\n', extension: 'txt' }));
  const stored = await storeIn(keeping, pages, { encoderFor });

  expect(encoderFor.mock.calls).toEqual([[[{ id: 1 }, { id: 2 }]]]);
  expect(stored).toEqual({
    binary: expect.objectContaining({
      fileName: 'users.txt',
      data: 'head\n{"id":1}\n{"id":2}\n{"id":3}\n{"id":4}\n{"id":5}\n',
    }),
    rows: 5,
    pages: 3,
    first: facts,
    failure: undefined,
    leftOut: new Set(),
  });
  expect(seen.ended).toBe(true);
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

  expect((await storeIn(slow, pages)).rows).toBe(200_000);
});

it('breaks the stream when a later page fails, and starts no file when the first one does', async () => {
  const failure = new Error('not found');
  const prepare = jest.fn(keeping);
  await expect(storeIn(prepare, pagesOf([], failure).pages)).rejects.toBe(failure);
  expect(prepare).not.toHaveBeenCalled();

  const { pages } = pagesOf([page(1, 2), page(3)], failure);
  let seenByStorage: unknown;
  const storage: Store = async (stream, name) =>
    await keeping(stream, name).catch((error: unknown) => {
      seenByStorage = error;
      throw new Error('of the storage itself', { cause: error });
    });
  const stored = await storeIn(storage, pages);

  expect(seenByStorage).toBe(failure);
  expect(stored).toMatchObject({ binary: undefined, rows: 3, pages: 2, failure });
});

it('stops reading and reports the reason when the storage fails', async () => {
  const { pages, seen } = pagesOf(Array.from({ length: 50 }, () => page(1)));
  const full: Store = async (stream) => {
    stream.destroy();
    return await Promise.reject(new Error('no space left'));
  };
  const storing = storeIn(full, pages);

  await expect(storing).rejects.toBeInstanceOf(NodeOperationError);
  await expect(storing).rejects.toThrow("n8n couldn't store the file: no space left");
  expect(seen).toEqual({ taken: 1, ended: true });
});
