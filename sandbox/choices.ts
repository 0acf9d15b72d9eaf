import { z } from 'zod/v4';

/** Possible body shapes for the errors whose shape the API spec does not define. */
export const ERROR_SHAPES = ['flat', 'detail', 'detailText', 'nestedCode'] as const;
export type ErrorShape = (typeof ERROR_SHAPES)[number];

const seconds = z.number().min(0);

/**
 * Behavior that the API spec leaves open ("not shown") and that the tests of the nodes vary.
 * Numbers that the API spec leaves open are in `FIXED_CHOICES`. Shapes and words that cannot be
 * switched are in `schemas/` and `errors.ts`. The section Choices in README.md lists all of them.
 */
export const choicesSchema = z.strictObject({
  /** Errors: "the common error shape shared by all endpoints: not shown". */
  errorShape: z.enum(ERROR_SHAPES),
  /** Lists: "members response envelope: not shown"; also used for lists and permissions. */
  rowsEnvelope: z.enum(['named', 'data', 'array', 'nested']),
  /** How a page of members states the total: a total, a flag for more rows, or not at all. */
  membersTotals: z.enum(['total', 'hasMore', 'none']),
  /** Limits: "maximum and default `limit` for list members: not shown". */
  membersMaxLimit: z.int().min(1),
  /** Result of a `limit` above its maximum: status 400, or fewer rows than requested. */
  overLimit: z.enum(['reject', 'clamp']),
  /** Words for job states. The API spec shows `running`, `completed` and `failed`. */
  jobStatusWords: z.strictObject({
    running: z.string(),
    completed: z.string(),
    failed: z.string(),
  }),
  /** Words for domain states. The API spec shows only `processing`. */
  domainStatusWords: z.strictObject({
    processing: z.string(),
    succeeded: z.string(),
    failed: z.string(),
  }),
  /** Seconds until the first and the last domain of a refresh job are done. */
  jobSeconds: z.strictObject({ first: seconds, last: seconds }),
  /** Seconds that each job takes longer than the previous job. */
  jobSecondsMore: seconds,
  /** Whether reading members is charged like other company lists. */
  membersCharged: z.boolean(),
  /** Whether successful DELETE responses are empty or have a body. */
  deleteAnswer: z.enum(['empty', 'body']),
  /** Duration of replacing a definition. Another edit during that time causes a 409. */
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
  /** Default `limit` of lists for which the API spec states only the maximum. */
  defaultPageSize: 20,
  /** "Maximum and default `limit` for list members: not shown". */
  membersDefaultLimit: 50,
  /** Seconds until technology lists and firmographics show a refresh ("up to about an hour"). */
  derivedLagSeconds: 1800,
  /** "/v1/open/* … limited by client IP at a lower ceiling; the numeric value: not shown". */
  openRequestsPerMinute: 60,
  openRequestsPerDay: 5000,
  /**
   * Limits of a definition tree. A tree that exceeds them or matches everything counts as
   * unbounded.
   */
  treeMaxDepth: 8,
  treeMaxNodes: 200,
  treeMaxValues: 500,
  /** Minimum evidence (technologies + 2 × partnerships) for a member of the high tier. */
  highTierEvidence: 22,
  mediumTierEvidence: 12,
  listNameLength: 200,
  /** Largest request body in bytes. */
  bodyBytes: 1_048_576,
} as const;
