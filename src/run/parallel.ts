import { RUN_CONCURRENT } from '../client/limiter/key-limiter';

/**
 * Works on many things, as many at once as one run may have requests under way, and keeps their
 * order. More would only wait in the limiter and fill memory.
 *
 * @throws whatever `work` throws first; nothing new is begun after that.
 */
export async function inParallel<In, Out>(
  things: readonly In[],
  work: (thing: In, index: number) => Promise<Out>,
): Promise<Out[]> {
  const results = new Array<Out>(things.length);
  const upcoming = things.entries();
  let failed = false;
  const worker = async (): Promise<void> => {
    for (const [index, thing] of upcoming) {
      if (failed) return;
      try {
        results[index] = await work(thing, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const workers = Math.min(RUN_CONCURRENT, things.length);
  await Promise.all(Array.from({ length: workers }, worker));
  return results;
}
