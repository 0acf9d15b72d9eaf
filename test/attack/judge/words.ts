import type { Said } from './record';

/** Words of libraries and of JavaScript that users cannot understand. */
const RAW: readonly RegExp[] = [
  /maximum call stack/i,
  /is not (a function|iterable|a constructor|valid JSON)/i,
  /cannot (read|set|convert) (properties|property|undefined|null)/i,
  /\bundefined\b/,
  /\bNaN\b/,
  /\[object \w+\]/,
  /\bE(CONN|PIPE|PROTO|NOTFOUND|TIMEDOUT|AI_AGAIN|HOSTUNREACH|NETUNREACH)\w*/,
  /parse error/i,
  /\bHPE_/,
  /\bzod\b/i,
  /invalid (input|literal|option|enum|union)\b/i,
  /expected (string|number|array|object|boolean|record|one of)\b/i,
  /unexpected (token|end|non-whitespace)/i,
  /socket hang ?up/i,
  /(incorrect|unknown) (header|compression|data) (check|method)/i,
  /URI malformed/i,
  /\b(Type|Range|Syntax|Reference|Axios|Aggregate)Error\b/,
  /\n\s+at .+:\d+/,
  /node_modules|\.(c|ts|js):\d+/,
  /invalid array length|invalid string length|out of memory/i,
  /ERR_[A-Z_]+/,
  /\bfetch failed\b/i,
  /request failed with status/i,
];

const LONGEST = 1500;

/** Returns complaints about a message that is not in plain words or says nothing about what to do. */
export function complainAboutWords({ message, hint }: Said): string[] {
  if (typeof message !== 'string' || !/\p{L}{2,}\s+\p{L}+/u.test(message)) {
    return [`no message in words: ${JSON.stringify(message ?? null).slice(0, 200)}`];
  }
  // In columns, the message ends with the advice.
  const text = typeof hint === 'string' && hint !== message ? `${message} ${hint}` : message;
  // Text quoted from the service is not checked.
  const own = text.replace(/\(the service says: .*\)/s, '');
  const raw = RAW.find((pattern) => pattern.test(own));
  const isCure = typeof hint === 'string' && /\p{L}{2,}/u.test(hint);
  return [
    ...(isCure ? [] : [`no cure: ${message.slice(0, 200)}`]),
    ...(raw === undefined ? [] : [`raw words (${raw.source}): ${text.slice(0, 300)}`]),
    ...(text.length > LONGEST ? [`${text.length} characters: ${text.slice(0, 100)}…`] : []),
  ];
}
