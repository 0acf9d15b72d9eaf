/**
 * What the interface does not show ("not shown") and a test may want to vary is a switch in
 * `Choices`; numbers it does not show are in `FIXED_CHOICES`. Shapes and words that are decided but
 * not switchable are in `schemas/` and `errors.ts`; README, Choices, names all of them.
 */

/** Body shape shared by errors whose shape the interface does not fix. */
export const ERROR_SHAPES = ['flat', 'detail', 'detailText', 'nestedCode'] as const;
export type ErrorShape = (typeof ERROR_SHAPES)[number];

/** Where the rows of list endpoints are: `{members}`/`{lists}`, `{data}`, a bare array, or deeper. */
export type RowsEnvelope = 'named' | 'data' | 'array' | 'nested';

/** How a members response says how much there is. */
export type MembersTotals = 'total' | 'hasMore' | 'none';

export interface Choices {
  /** Errors: "the common error shape shared by all endpoints: not shown". */
  errorShape: ErrorShape;
  /** Lists: "members response envelope: not shown"; also used for lists and permissions. */
  rowsEnvelope: RowsEnvelope;
  membersTotals: MembersTotals;
  /** Limits: "maximum and default `limit` for list members: not shown". */
  membersDefaultLimit: number;
  membersMaxLimit: number;
  /** What a `limit` above its maximum does: 400, or fewer rows than asked for. */
  overLimit: 'reject' | 'clamp';
  /** Words of job states; the interface shows `running`, `completed` and `failed`. */
  jobStatusWords: { running: string; completed: string; failed: string };
  /** Words of domain states; of these the interface shows only `processing`. */
  domainStatusWords: { processing: string; succeeded: string; failed: string };
  /** "Which condition selects job `completed` versus `failed`: not shown". */
  jobFailedWhen: 'allFailed' | 'anyFailed';
  /** Seconds until the first and the last domain of a refresh job are done. */
  jobSeconds: { first: number; last: number };
  /** Seconds by which each job takes longer than the one before it. */
  jobSecondsMore: number;
  /** Seconds until technology lists and firmographics show a refresh ("up to about an hour"). */
  derivedLagSeconds: number;
  /** Whether partners listed in a bulk lookup are metered as companies returned. */
  bulkChargesPartners: boolean;
  /** Where a bulk result carries firmographics. */
  bulkFirmographics: 'company' | 'result';
  /** "investors: element shape not shown". */
  investorShape: 'object' | 'name';
  /** "rejected_domains: array": of what is not shown. */
  rejectedShape: 'text' | 'object';
  /** Whether reading members is charged like other company lists. */
  membersCharged: boolean;
  /** What successful DELETE calls answer. */
  deleteAnswer: 'empty' | 'body';
  /** How long replacing a definition takes; an edit that lands meanwhile makes it a 409. */
  definitionEditMs: number;
}

export const DEFAULT_CHOICES: Readonly<Choices> = {
  errorShape: 'flat',
  rowsEnvelope: 'named',
  membersTotals: 'total',
  membersDefaultLimit: 50,
  membersMaxLimit: 1000,
  overLimit: 'reject',
  jobStatusWords: { running: 'running', completed: 'completed', failed: 'failed' },
  domainStatusWords: { processing: 'processing', succeeded: 'succeeded', failed: 'failed' },
  jobFailedWhen: 'allFailed',
  jobSeconds: { first: 20, last: 90 },
  jobSecondsMore: 0,
  derivedLagSeconds: 1800,
  bulkChargesPartners: true,
  bulkFirmographics: 'company',
  investorShape: 'object',
  rejectedShape: 'text',
  membersCharged: false,
  deleteAnswer: 'empty',
  definitionEditMs: 5,
};

export const FIXED_CHOICES = {
  /** Default `limit` of lists for which the interface states only the maximum. */
  defaultPageSize: 20,
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
