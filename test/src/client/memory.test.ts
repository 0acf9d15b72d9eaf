/** The text of a response is freed once it has been read. */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { clientFor, readCall } from './support/client';
import { json, TestService } from './support/service';

afterAll(TestService.stopAll);

/** Where V8 has large texts that outlived a collection of young garbage. */
const OLD_LARGE_TEXTS = 'large_object_space';

const ANSWERS = 120;
/** Hardly more than V8 calls large, so that it does not begin to collect by itself. */
const BYTES = 140_000;
const TOGETHER = 3;

const largeTexts = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === OLD_LARGE_TEXTS)
    ?.space_used_size ?? NaN;

/**
 * What is reached from where V8 keeps what is old, such as the hidden class of an object that is written
 * with a getter, stays until V8 collects everything, which n8n's large heap puts off for long.
 */
it('frees the text of a response after it has been read', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: { type: 'major' | 'minor' }) => void;
  const service = await TestService.start(json({ text: 'x'.repeat(BYTES) }));
  const client = clientFor(service);
  const { signal } = new AbortController();
  const call = readCall({ read: ({ json: answer }) => Object.keys(answer as object) });
  // Several at once, and none under way when V8 collects: a text in use would count as one that stays.
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
