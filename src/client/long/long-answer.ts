import type { BodyBytes } from '../exchange/body-bytes';
import { withoutMark } from '../exchange/body';
import { isRecord } from '../is-record';
import { parseJson } from '../json';
import { redactData } from '../redact';
import { longestList } from './longest-list';
import { PackedList } from './packed-list';

/** A successful answer of which a long list is not parsed as a whole. */
export interface LongAnswer {
  /** The answer; of the list only its first entry. */
  readonly json: unknown;
  /** The longest list of objects, and its entry in `json`; undefined where none is long. */
  readonly list: { readonly entries: PackedList; readonly first: unknown } | undefined;
  /** The answer with all of its lists. The list cannot be read after that. */
  readonly whole: () => unknown;
}

/** Shorter lists are parsed with the rest. */
const LEAST_BYTES = 8 * 1024;

/** What is parsed in place of the first entry of the list, which is known already. */
const STAND_IN = 'stands for the first entry';

/**
 * Reads an answer, and leaves its longest list for later.
 *
 * @param apiKey is in nothing that is read, see {@link redactData}.
 * @throws {InvalidResponseError} when it is no JSON, or nested too deeply; the list may turn out to be
 * none only when it is gone through.
 */
export function longAnswerOf(body: BodyBytes, apiKey: string): LongAnswer {
  const whole = (): unknown => {
    const text = body.text(0, body.bytes);
    body.release();
    return parseJson(redactData(withoutMark(text), apiKey));
  };
  const place = longestList(body.view);
  if (place === undefined || place.to - place.from < LEAST_BYTES) {
    const json = whole();
    return { json, list: undefined, whole: () => json };
  }
  const { depth, from, firstTo, to } = place;
  const parse = (text: string) => parseJson(redactData(text, apiKey), { depth });
  const first = parse(body.text(from, firstTo));
  const rest = `${body.text(0, from)}{"${STAND_IN}":0}${body.text(to, body.bytes)}`;
  const json = parseJson(redactData(withoutMark(rest), apiKey), {
    reviver: (_name, value) => (isRecord(value) && STAND_IN in value ? first : value),
  });
  return { json, list: { entries: new PackedList(body, place, parse), first }, whole };
}
