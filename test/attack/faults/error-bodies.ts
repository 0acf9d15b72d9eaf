/** Refusals and server errors with bodies of every shape. */
import { answer, nested, type Fault } from './fault';
import type { Strike } from '../service/front';

const DEEP = nested(20_000);

/** Error bodies by name; each is sent with status 400 and with status 500. */
const BODIES: ReadonlyArray<readonly [string, string]> = [
  ['empty', ''],
  ['spaces', ' \r\n '],
  ['null', 'null'],
  ['number', '42'],
  ['text', '"no"'],
  ['list', '["no",{"msg":"bad","loc":["body",0]},null,7]'],
  ['empty object', '{}'],
  ['detail text', '{"detail":"no"}'],
  ['detail object', '{"detail":{"error":"some_code","message":"no"}}'],
  ['nested code', '{"error":{"code":"some_code"}}'],
  ['message that is an object', '{"error":["x"],"message":{"text":"no"}}'],
  ['message that is empty', '{"error":"","message":""}'],
  ['truncated JSON', '{"error":"some_code","mess'],
  ['deep error', `{"error":${DEEP}}`],
  ['deep detail', `{"detail":${'{"detail":'.repeat(20_000)}1${'}'.repeat(20_000)}}`],
  ['deep field', `{"error":"some_code","message":"no","more":${DEEP}}`],
  ['deep list', DEEP],
  ['1 MB message', `{"error":"some_code","message":"${'no '.repeat(330_000)}"}`],
  ['1 MB of text', 'no '.repeat(330_000)],
  ['1 MB code', `{"error":"${'a'.repeat(1_000_000)}"}`],
  [
    '10,000 fields',
    JSON.stringify(
      Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`f${String(i)}`, i])),
    ),
  ],
  [
    'prototype names',
    '{"error":"constructor","message":"no","__proto__":{"x":1},"toString":1,"hasOwnProperty":2}',
  ],
  ['lone surrogates', '{"error":"some_code","message":"no \\ud800 \\udfff"}'],
  ['control characters', '{"error":"some_code","message":"no \\u0000 \\u001b[31m \\u202e"}'],
  ['byte order mark', '\ufeff{"error":"some_code","message":"no"}'],
  ['20 KB of <', '<'.repeat(20_000)],
  ['20 KB of <script', '<script '.repeat(2_500)],
  ['HTML that never ends', `<html><body>${'<p>'.repeat(10_000)}no`],
  ['a code with spaces', '{"error":"not a code at all"}'],
  ['status and error that lie', '{"error":"credit_exhausted","message":"no","status":200}'],
];

/** Spellings in which a response can repeat the API key of its request. */
const ECHOES: ReadonlyArray<readonly [string, (key: string) => string]> = [
  ['as it is', (key) => key],
  ['in JSON in a text', (key) => JSON.stringify({ key })],
  ['in a URL', (key) => `https://example.com/?key=${encodeURIComponent(key)}`],
  ['in the middle of much text', (key) => `${'x'.repeat(490)}${key}${'x'.repeat(600)}`],
];

/** Returns a fault whose response repeats the key at every place of the body. */
function echo(status: number, spell: (key: string) => string): Strike {
  return ({ key, reply }) => {
    const said = spell(key);
    const body = {
      error: 'some_code',
      message: `Your request was: X-API-Key: ${said}`,
      request: { headers: { 'x-api-key': said } },
      [`key ${said}`]: [said],
    };
    reply(status, { 'content-type': 'application/json' }, JSON.stringify(body));
  };
}

const SENT_WITH = [400, 500] as const;

export const ERROR_BODIES: readonly Fault[] = [
  ...SENT_WITH.flatMap((status) =>
    BODIES.map(([name, body]): Fault => ({
      name: `${String(status)}, body: ${name}`,
      strike: answer(status, body),
      hopeless: true,
    })),
  ),
  ...ECHOES.map(([name, spell], index): Fault => ({
    name: `the key echoed ${name}`,
    strike: echo(SENT_WITH[index % 2] ?? 400, spell),
    hopeless: true,
  })),
  {
    name: 'the key echoed in JSON escapes',
    strike: ({ key, reply }) => {
      const escaped = Array.from(key)
        .map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join('');
      reply(
        422,
        {},
        `{"error":"some_code","message":"${escaped}","more":{"${escaped}":"${escaped}"}}`,
      );
    },
    hopeless: true,
  },
  {
    name: 'the key echoed in a page',
    strike: ({ key, reply }) => {
      reply(
        403,
        { 'content-type': 'text/html' },
        `<html><body>Denied: <code>${key}</code></body></html>`,
      );
    },
    hopeless: true,
  },
];
