/** Refusals and server errors with bodies of every shape. */
import { answer, DEEP, faultsThat, forEach } from './fault';
import type { Strike } from '../service/front';

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
  ['10,000 fields', `{${Array.from({ length: 10_000 }, (_, i) => `"f${i}":${i}`).join()}}`],
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

/** Returns a response that repeats the key at every place of the body. */
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

/** Responses that repeat the API key of their request, by its spelling. */
const ECHOES: Readonly<Record<string, Strike>> = {
  'as it is': echo(400, (key) => key),
  'in JSON in a text': echo(500, (key) => JSON.stringify({ key })),
  'in a URL': echo(400, (key) => `https://example.com/?key=${encodeURIComponent(key)}`),
  'in the middle of much text': echo(500, (key) => `${'x'.repeat(490)}${key}${'x'.repeat(600)}`),
  'in JSON escapes': ({ key, reply }) => {
    const codes = Array.from(key, (c) => c.charCodeAt(0).toString(16).padStart(4, '0'));
    const text = codes.map((code) => `\\u${code}`).join('');
    reply(422, {}, `{"error":"some_code","message":"${text}","more":{"${text}":"${text}"}}`);
  },
  'in a page': ({ key, reply }) => {
    const text = `<html><body>Denied: <code>${key}</code></body></html>`;
    reply(403, { 'content-type': 'text/html' }, text);
  },
};

export const ERROR_BODIES = faultsThat(['hopeless'], {
  ...forEach(BODIES, ([name, body]) => [`400, body: ${name}`, answer(400, body)]),
  ...forEach(BODIES, ([name, body]) => [`500, body: ${name}`, answer(500, body)]),
  ...forEach(Object.entries(ECHOES), ([name, strike]) => [`the key echoed ${name}`, strike]),
});
