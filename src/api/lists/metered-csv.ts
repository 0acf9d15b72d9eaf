import type { CreditGuard } from '../../run/credit-guard';

const [RETURN, NEWLINE] = Buffer.from('\r\n');

/**
 * Passes an export on and counts 1 credit for each of its lines behind the first, at most: a company
 * has one line, or more where a cell holds line breaks. An export that breaks off may have been charged
 * as a whole.
 *
 * @throws whatever the body throws.
 */
export async function* meteredCsv(
  body: AsyncIterable<Uint8Array>,
  credits: CreditGuard,
): AsyncGenerator<Uint8Array, undefined> {
  let returns = 0;
  let newlines = 0;
  let last: number | undefined;
  const lines = () => {
    const ended = last === undefined || last === RETURN || last === NEWLINE;
    return Math.max(0, Math.max(returns, newlines) + (ended ? 0 : 1) - 1);
  };
  try {
    for await (const chunk of body) {
      for (const byte of chunk) {
        if (byte === NEWLINE) newlines += 1;
        else if (byte === RETURN) returns += 1;
      }
      last = chunk.at(-1) ?? last;
      yield chunk;
    }
  } catch (error) {
    const counted = Math.max(1, lines());
    credits.reserve(counted);
    credits.fail(counted, error);
    throw error;
  }
  credits.settle(0, lines());
}
