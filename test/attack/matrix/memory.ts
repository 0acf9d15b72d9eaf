/** How much memory a run takes. */
import { Front, type Strike } from '../service/front';

const MB = 1024 * 1024;
const LOOK_EVERY_MS = 10;

/**
 * Runs something against a service that answers everything in one way.
 *
 * @returns what came out, and how much the memory of the process grew at most, in megabytes.
 */
export async function readMemoryRun<T>(
  strike: Strike,
  run: (credentials: {
    companyIntelligenceUserApi: { baseUrl: string; apiKey: string };
  }) => Promise<T>,
): Promise<{ items: T; peakMb: number }> {
  const front = await Front.start({ ask: () => Promise.reject(new Error('There is no service.')) });
  const key = 'ck-memory';
  front.begin({ key, serviceKey: '', strike, strangerUrl: '' });
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, LOOK_EVERY_MS);
  try {
    const items = await run({
      companyIntelligenceUserApi: { baseUrl: front.baseUrl, apiKey: key },
    });
    return { items, peakMb: (peak - before) / MB };
  } finally {
    clearInterval(watch);
    await front.close();
  }
}
