/** Limits of the API (API spec: Limits, Size and pagination bounds). */
export const LIMITS = {
  /** Characters of a domain; the service does not accept longer ones. */
  domainLength: 253,
  /** Domains per request of bulk lookup, refresh and enrichment. */
  batchSize: 100,
  /** Characters of a technology search. */
  technologyQueryLength: 200,
  /** Characters of a flag's description. */
  flagDescriptionLength: 2000,
  /** The count of a preview stops at this number, even if there are more companies. */
  previewCount: 10_000,
} as const;
