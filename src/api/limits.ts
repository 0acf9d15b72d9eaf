/** Bounds of the interface (Limits, Size and pagination bounds). */
export const LIMITS = {
  /** Domains per request of bulk lookup, refresh and enrichment. */
  batchSize: 100,
} as const;
