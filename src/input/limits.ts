/** Limits of the API (API spec: Limits, Size and pagination bounds). */
export const LIMITS = {
  domainLength: 253,
  /** Domains per request of bulk lookup, refresh and enrichment. */
  batchSize: 100,
  technologyQueryLength: 200,
  flagDescriptionLength: 2000,
  /** The count of a preview stops at this number, even if there are more companies. */
  previewCount: 10_000,
} as const;
