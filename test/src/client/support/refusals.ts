/** An error response in one of the shapes that services use; the API spec shows none. */
export interface Refusal {
  readonly name: string;
  /** The body to send; an object is sent as JSON. */
  readonly body: unknown;
  readonly contentType?: string;
}

const WORDS = 'At most 25 domains.';

/** Returns bodies that carry an error code of the API spec, each in another shape. */
export const codedRefusals = (code: string): Refusal[] => {
  const kebab = code.replaceAll('_', '-');
  return [
    { name: 'error', body: { error: code, message: WORDS } },
    { name: 'detail.error', body: { detail: { error: code, message: WORDS } } },
    { name: 'detail', body: { detail: code } },
    { name: 'code', body: { code, message: WORDS } },
    { name: 'error next to a numeric code', body: { code: 400, error: code } },
    { name: 'error_code', body: { error_code: code, message: WORDS } },
    { name: 'error.code', body: { error: { code, message: WORDS } } },
    { name: 'error.type', body: { error: { type: code, message: WORDS } } },
    { name: 'errors[].code', body: { errors: [{ code, title: WORDS }] } },
    { name: 'detail[].type', body: { detail: [{ type: code, loc: ['body'], msg: WORDS }] } },
    { name: 'type next to status', body: { status: 400, type: code } },
    { name: 'a problem', body: { type: `https://errors.service.test/${kebab}`, title: WORDS } },
    { name: 'a problem with a slash', body: { type: `https://service.test/e/${kebab}/` } },
    { name: 'a problem as URN', body: { type: `urn:problem:${kebab}`, detail: WORDS } },
    { name: 'a list', body: [{ code, message: WORDS }] },
    { name: 'a bare text', body: JSON.stringify(code) },
    { name: 'plain text', body: code, contentType: 'text/plain' },
    { name: 'capitals', body: { error: code.toUpperCase() } },
    { name: 'kebab-case', body: { error: kebab } },
    {
      name: 'errors[].code next to a general code',
      body: { error: 'bad_request', errors: [{ code }] },
    },
  ];
};

/** Bodies without a known error code. */
export const CODELESS_REFUSALS: readonly Refusal[] = [
  { name: 'an empty body', body: '' },
  { name: 'a page', body: '<html><h1>Payload Too Large</h1></html>', contentType: 'text/html' },
  { name: 'text', body: 'too many domains', contentType: 'text/plain' },
  { name: 'detail as a sentence', body: { detail: 'Up to 25 domains are allowed.' } },
  { name: 'an unknown code', body: { error: 'too_many_items', message: WORDS } },
  {
    name: 'problems of a schema',
    body: { detail: [{ type: 'too_long', loc: ['body', 'domains'] }] },
  },
  { name: 'errors by field', body: { errors: { domains: ['has too many elements'] } } },
  { name: 'null', body: 'null' },
  { name: 'an empty object', body: {} },
  { name: 'an empty list', body: [] },
  { name: 'truncated JSON', body: '{"error": "bat' },
];

export function textOf({ body }: Refusal): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}
