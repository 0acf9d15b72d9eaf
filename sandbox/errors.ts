import type { ErrorShape } from './choices';

/** An error response that a handler throws. The pipeline converts it to the response. */
export class ServiceError extends Error {
  /**
   * @param status HTTP status
   * @param code error code from the API spec, or a chosen one if the API spec states none
   * @param message text for people
   * @param extra body fields in addition to `error` and `message`
   * @param headers response headers
   * @param shape body shape, if the API spec defines it for this situation (Errors, first table)
   */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly extra: Readonly<Record<string, unknown>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
    readonly shape?: ErrorShape,
  ) {
    super(message);
  }
}

/**
 * Builds the body of an error in one of the common shapes.
 *
 * @param shape shape of all errors whose shape the API spec does not define
 */
export function errorBody(error: ServiceError, shape: ErrorShape): unknown {
  const fields = { message: error.message, ...error.extra };
  switch (error.shape ?? shape) {
    case 'flat':
      return { error: error.code, ...fields };
    case 'detail':
      return { detail: { error: error.code, ...fields } };
    case 'detailText':
      return { detail: error.message };
    case 'nestedCode':
      return { error: { code: error.code, ...fields } };
  }
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
  batchTooLarge: (ceiling: number, given: number) =>
    new ServiceError(
      400,
      'batch_too_large',
      `At most ${ceiling} domains per request; this one has ${given}.`,
    ),
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
      'detail',
    ),
  notFound: (code: string, message: string) => new ServiceError(404, code, message),
  creditExhausted: (requested: number, shortfall: number) =>
    new ServiceError(
      402,
      'credit_exhausted',
      `This call needs ${requested} credits and ${shortfall} are missing. Retrying does not help until credits are added.`,
      { requested, shortfall },
      {},
      'flat',
    ),
  rateLimited: (retryAfterSeconds: number, headers: Record<string, string>) =>
    new ServiceError(
      429,
      'operational_rate_limit_exceeded',
      `Rate limit exceeded. Try again in ${retryAfterSeconds} seconds.`,
      { retry_after_seconds: retryAfterSeconds },
      { 'retry-after': String(retryAfterSeconds), ...headers },
      'flat',
    ),
} as const;
