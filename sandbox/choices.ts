import { z } from 'zod/v4';

const seconds = z.number().min(0);

/**
 * Behavior that the API spec leaves open ("not shown") and that tests of the nodes vary. Numbers that
 * nobody varies are in `FIXED_CHOICES`, shapes and words in `schemas/` and `errors.ts`.
 */
export const choicesSchema = z.strictObject({
  /** Seconds until the first and the last domain of a refresh job are done. */
  jobSeconds: z.strictObject({ first: seconds, last: seconds }),
  /** Seconds that each job takes longer than the previous job. */
  jobSecondsMore: seconds,
  /** Whether reading members is charged like other company lists. */
  membersCharged: z.boolean(),
  /** Duration of replacing a definition. Another edit during that time causes a 409. */
  definitionEditMs: z.number().min(0),
});

export type Choices = z.output<typeof choicesSchema>;

export const DEFAULT_CHOICES: Readonly<Choices> = {
  jobSeconds: { first: 20, last: 90 },
  jobSecondsMore: 0,
  membersCharged: false,
  definitionEditMs: 5,
};

export const FIXED_CHOICES = {
  /** Default `limit` of lists for which the API spec states only the maximum. */
  defaultPageSize: 20,
  /** "Maximum and default `limit` for list members: not shown". */
  membersMaxLimit: 1000,
  membersDefaultLimit: 50,
  /** Seconds until technology lists and firmographics show a refresh ("up to about an hour"). */
  derivedLagSeconds: 1800,
  /** "/v1/open/* … limited by client IP at a lower ceiling; the numeric value: not shown". */
  openRequestsPerMinute: 60,
  openRequestsPerDay: 5000,
  /** Minimum evidence (technologies + 2 × partnerships) for a member of the high tier. */
  highTierEvidence: 22,
  mediumTierEvidence: 12,
  listNameLength: 200,
  /** Largest request body in bytes. */
  bodyBytes: 1_048_576,
} as const;
