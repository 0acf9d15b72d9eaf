import { z } from 'zod/v4';
import { type Choices, ERROR_SHAPES } from '../choices';
import { FAULT_PRESETS, type FaultPreset, isPreset } from '../faults/presets';
import type { FaultRequest } from '../faults/store';
import { LIMITS } from '../limits';
import { faultSchema, matchSchema, occurrenceSchema } from '../faults/types';

const presetName = z.custom<FaultPreset>(
  (value) => typeof value === 'string' && isPreset(value),
  `must be one of: ${Object.keys(FAULT_PRESETS).join(', ')}`,
);

export const faultRequestSchema: z.ZodType<FaultRequest> = z
  .strictObject({
    preset: presetName.optional(),
    options: z
      .strictObject({
        seconds: z.number().optional(),
        to: z.string().optional(),
        code: z.string().optional(),
        shape: z.enum(ERROR_SHAPES).optional(),
        status: z.int().optional(),
        requested: z.int().optional(),
        shortfall: z.int().optional(),
        ceiling: z.int().optional(),
        bytes: z.int().optional(),
      })
      .optional(),
    fault: faultSchema.optional(),
    match: matchSchema.optional(),
    when: occurrenceSchema.optional(),
  })
  .refine((request) => (request.preset === undefined) !== (request.fault === undefined), {
    message: 'give either a preset or a fault',
  });

export const keyChangeSchema = z.strictObject({
  credits: z.int().min(0).optional(),
  batchCeiling: z.int().min(1).max(LIMITS.batch).optional(),
  requestsPerMinute: z.int().min(1).optional(),
  requestsPerDay: z.int().min(1).optional(),
});

export type KeyChange = z.output<typeof keyChangeSchema>;

export const latencySchema = z.strictObject({ ms: z.number().min(0) });

export const advanceSchema = z.strictObject({ seconds: z.number().min(0) });

const words = <T extends string>(...names: T[]) =>
  z.strictObject(
    Object.fromEntries(names.map((name) => [name, z.string()])) as Record<T, z.ZodString>,
  );

export const choicesChangeSchema: z.ZodType<Partial<Choices>> = z
  .strictObject({
    errorShape: z.enum(ERROR_SHAPES),
    rowsEnvelope: z.enum(['named', 'data', 'array', 'nested']),
    membersTotals: z.enum(['total', 'hasMore', 'none']),
    membersDefaultLimit: z.int().min(1),
    membersMaxLimit: z.int().min(1),
    overLimit: z.enum(['reject', 'clamp']),
    jobStatusWords: words('running', 'completed', 'failed'),
    domainStatusWords: words('processing', 'succeeded', 'failed'),
    jobFailedWhen: z.enum(['allFailed', 'anyFailed']),
    jobSeconds: z.strictObject({ first: z.number().min(0), last: z.number().min(0) }),
    jobSecondsMore: z.number().min(0),
    derivedLagSeconds: z.number().min(0),
    bulkChargesPartners: z.boolean(),
    bulkFirmographics: z.enum(['company', 'result']),
    investorShape: z.enum(['object', 'name']),
    rejectedShape: z.enum(['text', 'object']),
    membersCharged: z.boolean(),
    deleteAnswer: z.enum(['empty', 'body']),
    definitionEditMs: z.number().min(0),
  })
  .partial();
