import { z } from 'zod/v4';

/**
 * All kinds of faults. *Before* faults replace the service's response, so the service charges and
 * creates nothing. *After* faults damage the response to a request that the service has processed.
 */
export const faultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('resetBefore') }),
  z.object({ kind: z.literal('resetAfter') }),
  z.object({ kind: z.literal('neverAnswer') }),
  /** The real response, one byte per `everyMs`. */
  z.object({ kind: z.literal('drip'), everyMs: z.number().positive().default(1000) }),
  /** Any status, headers and body, sent before the service processes anything. */
  z.object({
    kind: z.literal('respond'),
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.string().default(''),
  }),
  /** The real response with its full Content-Length, cut off after `share` of the body. */
  z.object({ kind: z.literal('truncate'), share: z.number().min(0).max(0.99).default(0.5) }),
  /** The first half of the real response, sent as if it were complete. The body is not valid JSON. */
  z.object({ kind: z.literal('cutJson') }),
  /** The real response with numbers as text and names as numbers. */
  z.object({ kind: z.literal('wrongTypes') }),
  /** The real response with an unknown field in every object. */
  z.object({ kind: z.literal('extraFields') }),
  /** The real response with one field replaced wherever it occurs. */
  z.object({ kind: z.literal('setField'), field: z.string(), value: z.unknown() }),
  z.object({ kind: z.literal('hugeBody'), bytes: z.int().positive().default(300_000_000) }),
  z.object({ kind: z.literal('gzipBomb'), bytes: z.int().positive().default(1_000_000_000) }),
]);

export type Fault = z.output<typeof faultSchema>;

/**
 * Which requests a fault can hit. All given properties must match; without any, every request
 * matches.
 */
export const matchSchema = z.object({
  method: z.string().toUpperCase().optional(),
  /** Path without query. `*` matches any characters, so `/v1/lists/*` is a prefix. */
  path: z.string().optional(),
  key: z.string().optional(),
  /** Text that the request body must contain, for example a domain of one batch. */
  bodyIncludes: z.string().optional(),
});

/** Which of the matching requests the fault hits, counted from 1 since the fault was added. */
export const occurrenceSchema = z.union([
  z.enum(['first', 'every']),
  z.object({ nth: z.int().positive() }),
  z.object({ next: z.int().positive() }),
  z.object({ from: z.int().positive(), to: z.int().positive() }),
]);

/** Options of the presets. Each preset uses only some of them. */
export const presetOptionsSchema = z
  .strictObject({
    seconds: z.number(),
    to: z.string(),
    code: z.string(),
    status: z.int(),
    requested: z.int(),
    shortfall: z.int(),
    bytes: z.int(),
  })
  .partial();

export type PresetOptions = z.output<typeof presetOptionsSchema>;
export type Match = z.output<typeof matchSchema>;
export type Occurrence = z.output<typeof occurrenceSchema>;
