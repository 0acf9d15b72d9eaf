/**
 * The rules for every run with an injected fault. The rules
 * are pure: they take a record and return complaints.
 */
import { complainAboutWords } from './words';
import { spellingsOf } from './spellings';
import type { CameOut, CellRecord, Happened, Said } from './record';

/** A rule. An empty list means that the run obeys it. */
type Rule = (record: CellRecord) => string[];

export const RULES = {
  time: ({ happened }) => (happened.inTime ? [] : ['it did not end']),
  rows,
  fields,
  same,
  hopeless,
  words,
  effects,
  charges,
  requests,
  secrecy,
} satisfies Record<string, Rule>;

type RuleName = keyof typeof RULES;

const ALL = Object.keys(RULES) as RuleName[];
/** Rules that also apply to a run that did not end, and therefore has no result. */
const WITHOUT_RESULT: readonly RuleName[] = ['time', 'requests', 'effects'];

/** Returns all violations, each with the name of its rule. */
export function judge(record: CellRecord, rules: readonly RuleName[] = ALL): string[] {
  return rules
    .filter((name) => record.happened.inTime || WITHOUT_RESULT.includes(name))
    .flatMap((name) => RULES[name](record).map((what) => `${name}: ${what}`));
}

/** Every input item is output exactly once, as a result or as an error, linked to its input. */
function rows({ happened, usual, given, fault, anyAnswer }: CellRecord): string[] {
  const { items, stopped } = happened;
  if (stopped !== undefined) {
    const named = typeof stopped.itemIndex === 'number' && given[stopped.itemIndex] !== undefined;
    return named ? [] : [`the error names no item: ${stopped.message.slice(0, 200)}`];
  }
  const strays = items.filter(
    ({ from }) => from.length === 0 || !from.every((one) => given.some(({ id }) => id === one)),
  );
  return [
    ...strays.map(({ from }) => `an item is paired with ${JSON.stringify(from)}`),
    ...given.flatMap(({ id }) => {
      const count = (list: readonly CameOut[], failed: boolean) =>
        list.filter((item) => item.from.includes(id) && (item.said !== undefined) === failed)
          .length;
      const [results, errors] = [count(items, false), count(items, true)];
      const expected = count(usual.items, false);
      const place = `item ${JSON.stringify(id)} came out as ${results} results and ${errors} errors, usually ${expected} results`;
      // Rows that were already paid for are output before the error about the rest of the list.
      const isPart = isListing(usual) && (results <= expected || fault.fewerRows === true);
      if (errors > 1 || (errors === 1 && results > 0 && !isPart)) return [place];
      if (errors === 1 || results === expected) return [];
      // The user requested a list, and the list was empty.
      if (anyAnswer === true && fault.fewerRows === true) return [];
      if (expected === 1 && !isListing(usual)) return results === 1 ? [] : [place];
      // A single item may report that nothing was found, instead of the usual list.
      if (results === 1 && items.some((item) => item.from.includes(id) && saysNotFound(item)))
        return [];
      // A list may have fewer rows, or more; a job for several rows is output with the first row.
      return fault.fewerRows === true || expected === 0 ? [] : [place];
    }),
  ];
}

/** Returns whether an item led to several results. */
function isListing({ items }: Happened): boolean {
  return new Set(items.map(({ from }) => from[0])).size < items.length;
}

/** If results are added to input fields, each item has the fields of its own input. */
function fields({ happened, usual, given }: CellRecord): string[] {
  if (!usual.items.every(({ json }) => 'own' in json)) return [];
  return happened.items
    .filter(({ said }) => said === undefined)
    .filter(({ from, json }) => given.find(({ id }) => id === from[0])?.['own'] !== json['own'])
    .map(({ from }) => `item ${JSON.stringify(from)} lost its own fields, or has another's`);
}

/** Returns whether an item reports that nothing was found, directly or in an object field. */
function saysNotFound({ json }: CameOut): boolean {
  const parts = [json, ...Object.values(json)] as Array<{ found?: unknown } | null | undefined>;
  return parts.some((part) => part?.found === false);
}

/** If a fault leaves some results intact, they equal the usual results. */
function same({ happened, usual, fault }: CellRecord): string[] {
  if (fault.same !== true || effectsOf(usual).size > 0) return [];
  const known = new Set(usual.items.map(textOf));
  return happened.items
    .filter((item) => item.said === undefined && !known.has(textOf(item)))
    .map((item) => `not the usual result: ${textOf(item).slice(0, 300)}`);
}

/** The time from which the process remembers earlier reads; it differs between runs. */
const NOW = /(?<=since\W{1,3})\d{4}-[-\d:.T]+Z/g;

function textOf({ json, binary, from }: CameOut): string {
  return JSON.stringify([from, json, binary]).replaceAll(NOW, '');
}

/** A fault without any valid response leads to no result. */
function hopeless({ happened, usual, fault, anyAnswer }: CellRecord): string[] {
  if (fault.hopeless !== true || usual.asked.length === 0) return [];
  const succeeded = happened.asked.some(
    ({ answered = 0, fate, method }) =>
      (answered >= 200 && answered < 300) ||
      // Responses to these methods have no body that the fault could spoil.
      (fate === 'done' && ['DELETE', 'HEAD'].includes(method)),
  );
  if (anyAnswer === true && succeeded) return [];
  return (
    happened.items
      // An item that reports that nothing was found is no result.
      .filter((item) => item.said === undefined && !saysNotFound(item))
      // Neither is a row that the node never looks up, with or without a fault.
      .filter(({ json }) => fault.butFor === undefined || !(fault.butFor in json))
      .map(({ json }) => `counts as a result: ${JSON.stringify(json).slice(0, 200)}`)
  );
}

/** Every message says in words what is wrong and what to do. */
function words({ happened, anyAnswer }: CellRecord): string[] {
  const { items, stopped, hints } = happened;
  const messages: Said[] = [
    ...items
      // If API Request passes on a response with an `error` text, n8n treats the item as an error.
      .filter(({ json }) => anyAnswer !== true || typeof json['error'] !== 'string')
      .flatMap(({ said }) => said ?? []),
    ...(stopped === undefined ? [] : [{ ...stopped, hint: stopped.description }]),
    ...hints.map((hint) => ({ message: hint, hint })),
  ];
  return [...new Set(messages.flatMap(complainAboutWords))];
}

/** Requests with a lasting effect are sent at most as often as without a fault. */
function effects({ happened, usual }: CellRecord): string[] {
  const wanted = effectsOf(usual);
  const sent = [...effectsOf(happened)].filter(([what, times]) => times > (wanted.get(what) ?? 1));
  const made = Object.entries(happened.created).filter(
    ([kind, times]) => times > usual.created[kind as keyof typeof usual.created],
  );
  return [
    ...sent.map(([what, times]) => `${times} times done or perhaps done: ${what.slice(0, 200)}`),
    ...made.map(([kind, times]) => `${times} ${kind} made`),
  ];
}

/**
 * Counts the requests with an effect, by what they do.
 * Requests that certainly had no effect do not count.
 */
function effectsOf({ asked }: Happened): Map<string, number> {
  const times = new Map<string, number>();
  for (const { method, path, body, fate } of asked) {
    if (fate === 'refused' || !hasEffect(method, path)) continue;
    for (const what of partsOf(body)) {
      const effect = `${method} ${path} ${what}`;
      times.set(effect, (times.get(effect) ?? 0) + 1);
    }
  }
  return times;
}

const READS_BY_POST =
  /^\/v1\/(companies|enrich\/partnerships|lists\/preview-count|lists\/[^/]+\/materialize)$/;

function hasEffect(method: string, path: string): boolean {
  if (method === 'POST') return !READS_BY_POST.test(path);
  // Every PUT creates another version.
  return method === 'PUT';
}

/** Returns the domains of a batch, because it has an effect for each of them. */
function partsOf(body: string): string[] {
  try {
    const { domains } = JSON.parse(body) as { domains?: unknown };
    return Array.isArray(domains) ? domains.map(String) : [body];
  } catch {
    return [body];
  }
}

/** A fault does not increase the cost of a run, apart from the row that shows the end of a list. */
function charges({ happened, usual, fault, given }: CellRecord): string[] {
  const beyond = fault.alike === true && hasPages(usual) ? given.length : 0;
  return happened.charged > usual.charged + beyond
    ? [`${happened.charged} credits, usually ${usual.charged}`]
    : [];
}

/** Returns whether a list was read in several requests. */
function hasPages({ asked }: Happened): boolean {
  const lists = asked.map(({ method, path }) => `${method} ${path.split('?', 1)[0] ?? ''}`);
  return new Set(lists).size < lists.length;
}

/** Maximum number of attempts per request, and of requests per list beyond its last page. */
const ATTEMPTS = 4;
const PAGES_BEYOND = 10;

/** No request is repeated without limit. */
function requests({ happened, usual, tries, fault, given }: CellRecord): string[] {
  const beyond = PAGES_BEYOND * given.length;
  const most =
    fault.paging === true
      ? tries * (usual.asked.length + beyond)
      : tries * (ATTEMPTS * (usual.asked.length + given.length) + beyond);
  const { length: sent } = happened.asked;
  return sent > most ? [`${sent} requests, usually ${usual.asked.length}`] : [];
}

/** The key appears only in its header, and only in requests to the service. */
function secrecy({ happened, key }: CellRecord): string[] {
  const { transcript, heardByStranger } = happened;
  return [
    ...heardByStranger.map((request) => `a stranger heard ${request.slice(0, 200)}`),
    ...[...spellingsOf(key)]
      .filter(([, secret]) => transcript.includes(secret))
      .map(([how]) => `the key is stored, spelled as ${how}`),
  ];
}
