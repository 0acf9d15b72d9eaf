/** What must hold of every run, whatever went wrong. Pure: a record goes in, complaints come out. */
import type { IDataObject } from 'n8n-workflow';

import { complainAboutWords } from './words';
import { spellingsOf } from './spellings';
import type { CameOut, CellRecord } from './record';

/** One thing that must hold; an empty list means that it does. */
type Rule = (record: CellRecord) => string[];

const RULES = {
  time: ({ happened }) => (happened.inTime ? [] : ['it did not end']),
  rows,
  fields,
  report,
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
/** What can be said of a run that did not end, and so has no result. */
const WITHOUT_RESULT: readonly RuleName[] = ['time', 'requests', 'effects'];

/** Everything that does not hold, each with the name of its rule. */
export function judge(record: CellRecord, rules: readonly RuleName[] = ALL): string[] {
  return rules
    .filter((name) => record.happened.inTime || WITHOUT_RESULT.includes(name))
    .flatMap((name) => RULES[name](record).map((what) => `${name}: ${what}`));
}

/** Every input item comes out exactly once, as a result or as an error, paired with its own input. */
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
      const place = `item ${JSON.stringify(id)} came out as ${String(results)} results and ${String(errors)} errors, usually ${String(expected)} results`;
      // Rows of a list that were paid for come out before the error of what follows them.
      const isPart =
        (isListing(usual) && (results <= expected || fault.fewerRows === true)) ||
        items.some((item) => item.from.includes(id) && saysHalf(item));
      if (errors > 1 || (errors === 1 && results > 0 && !isPart)) return [place];
      if (errors === 1 || results === expected) return [];
      // The user asked for a list, and it was empty.
      if (anyAnswer === true && fault.fewerRows === true) return [];
      if (expected === 1 && !isListing(usual)) return results === 1 ? [] : [place];
      // One item may say that nothing was found, where there usually is a list.
      if (results === 1 && items.some((item) => item.from.includes(id) && saysNotFound(item)))
        return [];
      // A listing may rightly have fewer rows, or more; a job for several rows comes out with the first.
      return fault.fewerRows === true || expected === 0 ? [] : [place];
    }),
  ];
}

function isListing({ items }: CellRecord['usual']): boolean {
  return items.some(
    (item, index) => items.findIndex(({ from }) => from[0] === item.from[0]) !== index,
  );
}

/** Where results are added to the input's fields, they are added to its own. */
function fields({ happened, usual, given }: CellRecord): string[] {
  if (!usual.items.every(({ json }) => 'own' in json)) return [];
  return happened.items
    .filter(({ said }) => said === undefined)
    .filter(({ from, json }) => given.find(({ id }) => id === from[0])?.['own'] !== json['own'])
    .map(({ from }) => `item ${JSON.stringify(from)} lost its own fields, or has another's`);
}

/** Where an item may say what became of it: itself, and in the field beside those of its input. */
function partsOfItem({ json }: CameOut): IDataObject[] {
  return [json, ...Object.values(json)].filter(
    (part): part is IDataObject => typeof part === 'object' && part !== null,
  );
}

function saysNotFound(item: CameOut): boolean {
  return partsOfItem(item).some(({ found }) => found === false);
}

/** What was paid for comes out without what could not be read: of two companies that are compared the first. */
function saysHalf(item: CameOut): boolean {
  return partsOfItem(item).some(
    ({ status_b: status, left_out: left }) =>
      status === 'error' || status === 'not_tracked' || Array.isArray(left),
  );
}

function statusesOf(item: CameOut): unknown[] {
  return partsOfItem(item).map(({ status }) => status);
}

/** The report of a run is one item, of all items, that counts all of its rows. */
function report({ happened, usual, given }: CellRecord): string[] {
  if (usual.report === undefined || happened.stopped !== undefined) return [];
  const [one, ...more] = happened.report ?? [];
  if (one === undefined || more.length > 0) {
    return [`${String(happened.report?.length ?? 0)} reports of the run`];
  }
  const statuses = Object.values((one.json['statuses'] ?? {}) as Record<string, number>);
  const rows_ = statuses.reduce((sum, count) => sum + count, 0);
  return [
    ...(one.from.length === given.length
      ? []
      : [`the report is of ${String(one.from.length)} items`]),
    ...(rows_ === given.length ? [] : [`the report counts ${String(rows_)} rows`]),
  ];
}

/** What succeeds although something else failed is what it usually is. */
function same({ happened, usual, fault }: CellRecord): string[] {
  if (fault.same !== true || effectsOf(usual).size > 0) return [];
  const known = new Set(usual.items.map(textOf));
  return happened.items
    .filter((item) => item.said === undefined && !known.has(textOf(item)) && !saysHalf(item))
    .map((item) => `not the usual result: ${textOf(item).slice(0, 300)}`);
}

/** Since when a process remembers. */
const NOW = /(?<=since\W{1,3})\d{4}-[-\d:.T]+Z/g;

function textOf({ json, binary, from }: CameOut): string {
  return JSON.stringify([from, json, binary]).replaceAll(NOW, '');
}

/** What cannot have a result has none. */
function hopeless({ happened, usual, fault, anyAnswer }: CellRecord): string[] {
  if (fault.hopeless !== true || usual.asked.length === 0) return [];
  const succeeded = happened.asked.some(
    ({ answered = 0, fate, method }) =>
      (answered >= 200 && answered < 300) ||
      // Their answers have no body that could be spoiled.
      (fate === 'done' && ['DELETE', 'HEAD'].includes(method)),
  );
  if (anyAnswer === true && succeeded) return [];
  const known = new Set(usual.items.map(textOf));
  return (
    happened.items
      // An item that says that nothing was found is no result either.
      .filter((item) => item.said === undefined && !saysNotFound(item))
      // Nor is one that nothing was asked for, with a fault or without.
      .filter((item) => !(statusesOf(item).includes('not_sampled') && known.has(textOf(item))))
      .filter(({ json }) => fault.butFor === undefined || !(fault.butFor in json))
      .map(({ json }) => `counts as a result: ${JSON.stringify(json).slice(0, 200)}`)
  );
}

/** Every message says in words what is wrong, and how to cure it. */
function words({ happened, anyAnswer }: CellRecord): string[] {
  const { items, stopped, hints } = happened;
  const messages = items
    // n8n takes an answer for an error that is passed on as it came, and happens to look like one.
    .filter(({ json }) => anyAnswer !== true || typeof json['error'] !== 'string')
    .flatMap(({ said }) => (said === undefined ? [] : [said]))
    .map(({ message, hint }) => ({ message, cure: hint }));
  const stop =
    stopped === undefined ? [] : [{ message: stopped.message, cure: stopped.description }];
  return [
    ...new Set([...messages, ...stop].flatMap(complainAboutWords)),
    ...hints.flatMap((hint) => complainAboutWords({ message: hint, cure: hint })),
  ];
}

/** What has a lasting effect is sent at most as often as in a run without a fault. */
function effects({ happened, usual }: CellRecord): string[] {
  const wanted = effectsOf(usual);
  const sent = [...effectsOf(happened)].filter(([what, times]) => times > (wanted.get(what) ?? 1));
  const made = Object.entries(happened.created).filter(
    ([kind, times]) => times > usual.created[kind as keyof typeof usual.created],
  );
  return [
    ...sent.map(
      ([what, times]) => `${String(times)} times done or perhaps done: ${what.slice(0, 200)}`,
    ),
    ...made.map(([kind, times]) => `${String(times)} ${kind} made`),
  ];
}

/** Requests that may not be repeated, by what they do; those that were surely not done do not count. */
function effectsOf({ asked }: CellRecord['usual']): Map<string, number> {
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
  // Each replacing makes another version.
  return method === 'PUT';
}

/** A batch does something for each of its domains. */
function partsOf(body: string): string[] {
  try {
    const { domains } = JSON.parse(body) as { domains?: unknown };
    return Array.isArray(domains) ? domains.map(String) : [body];
  } catch {
    return [body];
  }
}

/** No fault makes a run dearer, but for the row by which a list finds that there are no others. */
function charges({ happened, usual, fault, given }: CellRecord): string[] {
  const beyond = fault.alike === true && hasPages(usual) ? given.length : 0;
  return happened.charged > usual.charged + beyond
    ? [`${String(happened.charged)} credits, usually ${String(usual.charged)}`]
    : [];
}

/** Whether one list is read in several requests. */
function hasPages({ asked }: CellRecord['usual']): boolean {
  const lists = asked.map(({ method, path }) => `${method} ${path.split('?', 1)[0] ?? ''}`);
  return new Set(lists).size < lists.length;
}

/** How often one request may be sent in all, and how many a listing may send beyond its last page. */
const ATTEMPTS = 4;
const PAGES_BEYOND = 10;

/** Nothing is asked for over and over again. */
function requests({ happened, usual, tries, fault, given }: CellRecord): string[] {
  const beyond = PAGES_BEYOND * given.length;
  const most =
    fault.paging === true
      ? tries * (usual.asked.length + beyond)
      : tries * (ATTEMPTS * (usual.asked.length + given.length) + beyond);
  const { length: sent } = happened.asked;
  return sent > most ? [`${String(sent)} requests, usually ${String(usual.asked.length)}`] : [];
}

/** The key stays in its header, and that only goes to the service. */
function secrecy({ happened, key }: CellRecord): string[] {
  const { transcript, heardByStranger } = happened;
  return [
    ...heardByStranger.map((request) => `a stranger heard ${request.slice(0, 200)}`),
    ...[...spellingsOf(key)]
      .filter(([, secret]) => transcript.includes(secret))
      .map(([how]) => `the key is stored, spelled as ${how}`),
  ];
}
