import { RUN_CONCURRENT } from '../client/limiter/key-limiter';

/**
 * Processes many entries in parallel and returns the results in order. It processes as many at a time as
 * one run may have requests in flight, because more would only wait in the limiter and fill memory.
 *
 * @throws Whatever `work` throws first; no further entry is started after that.
 */
export async function mapInParallel<In, Out>(
  inputs: readonly In[],
  work: (input: In, index: number) => Promise<Out>,
): Promise<Out[]> {
  const results = new Array<Out>(inputs.length);
  const upcoming = inputs.entries();
  let failed = false;
  const worker = async (): Promise<void> => {
    for (const [index, input] of upcoming) {
      if (failed) return;
      try {
        results[index] = await work(input, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const workers = Math.min(RUN_CONCURRENT, inputs.length);
  await Promise.all(Array.from({ length: workers }, worker));
  return results;
}
