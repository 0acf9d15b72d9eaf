/** An error response that a handler throws. The pipeline converts it to the response. */
export class ServiceError extends Error {
  /**
   * @param status HTTP status
   * @param code error code from the API spec, or a chosen one if the API spec states none
   * @param message text for people
   * @param extra body fields in addition to `error` and `message`
   * @param headers response headers
   * @param isDetail whether the body is below `detail`, as for flags (Errors, first table)
   */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly extra: Readonly<Record<string, unknown>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
    readonly isDetail = false,
  ) {
    super(message);
  }
}

export function errorBody({ code, message, extra, isDetail }: ServiceError): unknown {
  const fields = { error: code, message, ...extra };
  return isDetail ? { detail: fields } : fields;
}

export const errors = {
  invalidRequest: (message: string) => new ServiceError(400, 'invalid_request', message),
  unauthenticated: () =>
    new ServiceError(401, 'invalid_api_key', 'The X-API-Key header is missing or its key unknown.'),
  userCredentialRequired: () =>
    new ServiceError(
      403,
      'user_credential_required',
      'List endpoints need a user key; this is an organization key.',
    ),
  batchTooLarge: (ceiling: number) =>
    new ServiceError(400, 'batch_too_large', `At most ${ceiling} domains per request.`),
  companyNotFound: (identifier: string) =>
    new ServiceError(404, 'company_not_found', `No company is tracked as "${identifier}".`, {
      identifier,
    }),
  /** The 404 of the flag endpoint has its own shape in the API spec. */
  flagCompanyNotFound: (identifier: string) =>
    new ServiceError(
      404,
      'company_not_found',
      `No company is tracked as "${identifier}"; no flag was created.`,
      { identifier },
      {},
      true,
    ),
  invalidDefinition: (message: string) => new ServiceError(422, 'invalid_definition', message),
  notFound: (code: string, message: string) => new ServiceError(404, code, message),
  creditExhausted: (requested: number, shortfall: number) =>
    new ServiceError(
      402,
      'credit_exhausted',
      `This call needs ${requested} credits and ${shortfall} are missing. Retrying does not help until credits are added.`,
      { requested, shortfall },
    ),
  rateLimited: (retryAfterSeconds: number, headers: Record<string, string>) =>
    new ServiceError(
      429,
      'operational_rate_limit_exceeded',
      `Rate limit exceeded. Try again in ${retryAfterSeconds} seconds.`,
      { retry_after_seconds: retryAfterSeconds },
      { 'retry-after': String(retryAfterSeconds), ...headers },
    ),
} as const;
