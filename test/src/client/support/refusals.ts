/** An error response in one of the shapes that services use; the API spec shows none. */
export interface Refusal {
  readonly name: string;
  /** The body to send; an object is sent as JSON. */
  readonly body: unknown;
  readonly contentType?: string;
}

const WORDS = 'At most 25 domains.';

/** Returns bodies that carry an error code of the API spec, each in another shape. */
export const codedRefusals = (code: string): Refusal[] => [
  { name: 'error', body: { error: code, message: WORDS } },
  { name: 'detail.error', body: { detail: { error: code, message: WORDS } } },
  { name: 'detail', body: { detail: code } },
];

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
