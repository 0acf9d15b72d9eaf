/** Bounds of the interface (Limits, Size and pagination bounds). */
export const LIMITS = {
  /** Characters of a domain; what is longer the service does not read. */
  domainLength: 253,
  /** Domains per request of bulk lookup, refresh and enrichment. */
  batchSize: 100,
  /** Rows per page of company lists, partnership lists and technology search. */
  pageSize: 100,
  /** Rows per page of the companies of a technology or vendor. */
  companiesOfPageSize: 10_000,
  /** The same where a request does not say how many. */
  companiesOfPageDefault: 50,
  /** Characters of a technology search. */
  technologyQueryLength: 200,
  /** Characters of a flag's description. */
  flagDescriptionLength: 2000,
  /** A preview's count stops here; there may be more. */
  previewCount: 10_000,
  graphNodes: { max: 100, default: 50 },
  graphDepth: { max: 2, default: 1 },
} as const;
