import { z } from 'zod/v4';

/** Body shape shared by errors whose shape the interface does not fix. */
export const ERROR_SHAPES = ['flat', 'detail', 'detailText', 'nestedCode'] as const;
export type ErrorShape = (typeof ERROR_SHAPES)[number];

const seconds = z.number().min(0);

/**
 * What the interface does not show ("not shown") and the tests of the nodes vary is a switch here;
 * numbers it does not show are in `FIXED_CHOICES`. Shapes and words that are decided but not
 * switchable are in `schemas/` and `errors.ts`; README, Choices, names all of them.
 */
export const choicesSchema = z.strictObject({
  /** Errors: "the common error shape shared by all endpoints: not shown". */
  errorShape: z.enum(ERROR_SHAPES),
  /** Lists: "members response envelope: not shown"; also used for lists and permissions. */
  rowsEnvelope: z.enum(['named', 'data', 'array', 'nested']),
  /** How a members response says how much there is. */
  membersTotals: z.enum(['total', 'hasMore', 'none']),
  /** Limits: "maximum and default `limit` for list members: not shown". */
  membersMaxLimit: z.int().min(1),
  /** What a `limit` above its maximum does: 400, or fewer rows than asked for. */
  overLimit: z.enum(['reject', 'clamp']),
  /** Words of job states; the interface shows `running`, `completed` and `failed`. */
  jobStatusWords: z.strictObject({
    running: z.string(),
    completed: z.string(),
    failed: z.string(),
  }),
  /** Words of domain states; of these the interface shows only `processing`. */
  domainStatusWords: z.strictObject({
    processing: z.string(),
    succeeded: z.string(),
    failed: z.string(),
  }),
  /** Seconds until the first and the last domain of a refresh job are done. */
  jobSeconds: z.strictObject({ first: seconds, last: seconds }),
  /** Seconds by which each job takes longer than the one before it. */
  jobSecondsMore: seconds,
  /** Whether reading members is charged like other company lists. */
  membersCharged: z.boolean(),
  /** What successful DELETE calls answer: nothing, or a body. */
  deleteAnswer: z.enum(['empty', 'body']),
  /** How long replacing a definition takes; an edit that lands meanwhile makes it a 409. */
  definitionEditMs: z.number().min(0),
});

export type Choices = z.output<typeof choicesSchema>;

export const DEFAULT_CHOICES: Readonly<Choices> = {
  errorShape: 'flat',
  rowsEnvelope: 'named',
  membersTotals: 'total',
  membersMaxLimit: 1000,
  overLimit: 'reject',
  jobStatusWords: { running: 'running', completed: 'completed', failed: 'failed' },
  domainStatusWords: { processing: 'processing', succeeded: 'succeeded', failed: 'failed' },
  jobSeconds: { first: 20, last: 90 },
  jobSecondsMore: 0,
  membersCharged: false,
  deleteAnswer: 'empty',
  definitionEditMs: 5,
};

export const FIXED_CHOICES = {
  /** Default `limit` of lists for which the interface states only the maximum. */
  defaultPageSize: 20,
  /** "Maximum and default `limit` for list members: not shown". */
  membersDefaultLimit: 50,
  /** Seconds until technology lists and firmographics show a refresh ("up to about an hour"). */
  derivedLagSeconds: 1800,
  /** "/v1/open/* … limited by client IP at a lower ceiling; the numeric value: not shown". */
  openRequestsPerMinute: 60,
  openRequestsPerDay: 5000,
  /** Bounds of a definition tree; beyond them, or matching everything, it is unbounded. */
  treeMaxDepth: 8,
  treeMaxNodes: 200,
  treeMaxValues: 500,
  /** Evidence (technologies + 2 × partnerships) from which a member is in the tier. */
  highTierEvidence: 22,
  mediumTierEvidence: 12,
  /** List names. */
  listNameLength: 200,
  /** Largest request body in bytes. */
  bodyBytes: 1_048_576,
} as const;
