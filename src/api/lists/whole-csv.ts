import { InvalidResponseError } from '../../client/errors';

const QUOTE = '"'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const LINE_ENDS = [...Buffer.from('\r\n')];

/**
 * Passes a CSV file on and looks at how it ends: in the middle of a quoted cell, or in a last line
 * that is not ended and has fewer cells than the first one, it was cut. Other cuts cannot be told from
 * an honest end; files whose last line is whole but not ended are common.
 *
 * @throws {InvalidResponseError} when it was cut.
 */
export async function* wholeCsv(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, undefined> {
  let isQuoted = false;
  let mayOpen = true;
  let isEmpty = true;
  let commas = 0;
  let expected: number | undefined;
  for await (const chunk of body) {
    for (const byte of chunk) {
      if (byte === QUOTE && (isQuoted || mayOpen)) {
        // Behind a closing one, a second one goes on with the cell.
        mayOpen = isQuoted;
        isQuoted = !isQuoted;
        isEmpty = false;
        continue;
      }
      mayOpen = !isQuoted && (byte === COMMA || LINE_ENDS.includes(byte));
      if (!isQuoted && LINE_ENDS.includes(byte)) {
        if (!isEmpty) expected ??= commas;
        isEmpty = true;
        commas = 0;
        continue;
      }
      isEmpty = false;
      if (byte === COMMA && !isQuoted) commas += 1;
    }
    yield chunk;
  }
  if (isQuoted || (!isEmpty && commas < (expected ?? 0))) {
    throw new InvalidResponseError({
      code: 'broken_off',
      message: 'The exported CSV breaks off in the middle of a line',
      hint: 'What had arrived was thrown away. Run again: companies that were sent already are free for 30 days.',
    });
  }
}
