/** Bounds of the interface (Limits, Size and pagination bounds). */
export const LIMITS = {
  /** Characters of a domain; what is longer the service does not read. */
  domainLength: 253,
  /** Domains per request of bulk lookup, refresh and enrichment. */
  batchSize: 100,
  /** Characters of a technology search. */
  technologyQueryLength: 200,
  /** Characters of a flag's description. */
  flagDescriptionLength: 2000,
  /** A preview's count stops here; there may be more. */
  previewCount: 10_000,
} as const;
