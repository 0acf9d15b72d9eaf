/** The text of a response is freed once it has been read. */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { clientFor, readCall } from './support/client';
import { json, TestService } from './support/service';

afterAll(TestService.stopAll);

/** The heap space where V8 keeps large texts that survived a minor garbage collection. */
const OLD_LARGE_TEXTS = 'large_object_space';

const ANSWERS = 120;
/** Just above V8's limit for a large text, so that V8 does not start a collection of its own. */
const BYTES = 140_000;
const TOGETHER = 3;

const largeTexts = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === OLD_LARGE_TEXTS)
    ?.space_used_size ?? NaN;

/**
 * An old object, such as the hidden class of an object with a getter, can keep a text reachable. V8
 * frees such a text only in a full collection, which n8n's large heap delays for a long time.
 */
it('frees the text of a response after it has been read', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: { type: 'major' | 'minor' }) => void;
  const service = await TestService.start(json({ text: 'x'.repeat(BYTES) }));
  const client = clientFor(service);
  const { signal } = new AbortController();
  const call = readCall({ read: ({ json: answer }) => Object.keys(answer as object) });
  // A few at once, and none in flight when V8 collects: a text in use would look like a leak.
  const read = async (answers: number): Promise<void> => {
    for (let left = answers; left > 0; left -= TOGETHER) {
      await Promise.all(Array.from({ length: TOGETHER }, () => client.request(call, { signal })));
      collect({ type: 'minor' });
    }
  };
  await read(12);
  collect({ type: 'major' });
  const before = largeTexts();
  await read(ANSWERS);

  expect(largeTexts() - before).toBeLessThan((ANSWERS * BYTES) / 2);
}, 60_000);
