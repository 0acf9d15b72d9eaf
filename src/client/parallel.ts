import { RUN_CONCURRENT } from './limiter/key-limiter';

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

/**
 * Works on many things at once like {@link inParallel}, but hands the results over one by one, in the
 * order of the things, and never works on more than `ahead` things beyond those it has handed over:
 * memory stays bounded however many there are.
 *
 * @throws whatever `work` throws first, when it is the turn of a result that is missing; nothing new
 * is begun after that, nor after the reader has stopped reading.
 */
export async function* inOrder<In, Out>(
  things: readonly In[],
  ahead: number,
  work: (thing: In) => Promise<Out>,
): AsyncGenerator<Out, void, undefined> {
  type Result = { readonly value: Out } | { readonly missing: true };
  const upcoming = things.values();
  const underWay: Array<Promise<Result>> = [];
  const failures: unknown[] = [];
  const begin = (): void => {
    const next = upcoming.next();
    if (next.done === true || failures.length > 0) return;
    const attempt = async (): Promise<Result> => {
      try {
        return { value: await work(next.value) };
      } catch (error) {
        failures.push(error);
        return { missing: true };
      }
    };
    underWay.push(attempt());
  };
  for (let begun = 0; begun < ahead; begun += 1) begin();
  for (let next = underWay.shift(); next !== undefined; next = underWay.shift()) {
    const result = await next;
    if ('missing' in result) throw failures[0];
    begin();
    yield result.value;
  }
}
