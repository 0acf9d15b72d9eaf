import { z } from 'zod/v4';
import { choicesSchema, ERROR_SHAPES } from '../choices';
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

export const choicesChangeSchema = choicesSchema.partial();
