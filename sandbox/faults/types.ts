import { z } from 'zod/v4';
import { ERROR_SHAPES } from '../choices';

/**
 * What can go wrong. *Before* faults answer instead of the service (nothing is charged or created);
 * *after* faults spoil the answer to a request that was processed.
 */
export const faultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('resetBefore') }),
  z.object({ kind: z.literal('resetAfter') }),
  z.object({ kind: z.literal('neverAnswer') }),
  /** The real answer, one byte per `everyMs`. */
  z.object({ kind: z.literal('drip'), everyMs: z.number().positive().default(1000) }),
  /** Any status, headers and body, before anything is processed. */
  z.object({
    kind: z.literal('respond'),
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.string().default(''),
  }),
  /** The real answer with its full length announced, cut after a share of it. */
  z.object({ kind: z.literal('truncate'), share: z.number().min(0).max(0.99).default(0.5) }),
  /** The first half of the real answer, sent as if it were complete: a body that is not JSON. */
  z.object({ kind: z.literal('cutJson') }),
  /** The real answer with numbers as text and names as numbers. */
  z.object({ kind: z.literal('wrongTypes') }),
  /** The real answer with a field nobody knows in every object. */
  z.object({ kind: z.literal('extraFields') }),
  /** The real answer with one field set wherever it occurs. */
  z.object({ kind: z.literal('setField'), field: z.string(), value: z.unknown() }),
  z.object({ kind: z.literal('hugeBody'), bytes: z.int().positive().default(300_000_000) }),
  z.object({ kind: z.literal('gzipBomb'), bytes: z.int().positive().default(1_000_000_000) }),
]);

export type Fault = z.output<typeof faultSchema>;

/** Which requests a fault may hit. All given parts must match; none matches every request. */
export const matchSchema = z.object({
  method: z.string().toUpperCase().optional(),
  /** The path without query; `*` stands for any characters, so `/v1/lists/*` is a prefix. */
  path: z.string().optional(),
  key: z.string().optional(),
  /** Text the request body must contain, such as a domain of one chunk. */
  bodyIncludes: z.string().optional(),
});

/** Which of the matching requests are hit, counted from 1 since the fault was added. */
export const occurrenceSchema = z.union([
  z.enum(['first', 'every']),
  z.object({ nth: z.int().positive() }),
  z.object({ next: z.int().positive() }),
  z.object({ from: z.int().positive(), to: z.int().positive() }),
]);

/** Parameters a preset may take; each uses what it needs. */
export const presetOptionsSchema = z
  .strictObject({
    seconds: z.number(),
    to: z.string(),
    code: z.string(),
    shape: z.enum(ERROR_SHAPES),
    status: z.int(),
    requested: z.int(),
    shortfall: z.int(),
    bytes: z.int(),
  })
  .partial();

export type PresetOptions = z.output<typeof presetOptionsSchema>;
export type Match = z.output<typeof matchSchema>;
export type Occurrence = z.output<typeof occurrenceSchema>;
