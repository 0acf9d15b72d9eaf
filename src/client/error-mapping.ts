import type { ApiErrorCode } from './error-codes';
import {
  AuthenticationError,
  BadRequestError,
  BatchTooLargeError,
  ConflictError,
  CreditExhaustedError,
  ForbiddenError,
  formatCreditShortfall,
  NotFoundError,
  RateLimitError,
  RedirectRefusedError,
  ServerError,
  ServiceError,
  UnprocessableError,
} from './errors';
import type { ErrorBody } from './error-body';

/** Message and hint that explain an error response to the user. */
export interface ErrorText {
  /** What happened; followed by the service's own message, if it has one. */
  readonly message: string;
  readonly hint: string;
}

/** Texts for the error responses of one call, by status. */
export type ErrorTextsByStatus = Readonly<Partial<Record<number, ErrorText>>>;

interface ErrorMapping extends ErrorText {
  readonly make: new (
    init: ConstructorParameters<typeof NotFoundError>[0] &
      ConstructorParameters<typeof ServerError>[0],
  ) => ServiceError;
}

/** Codes for which the status determines the text. */
type WithoutAdvice = 'credit_exhausted' | 'operational_rate_limit_exceeded';

const BY_CODE: Readonly<Record<Exclude<ApiErrorCode, WithoutAdvice>, ErrorMapping>> = {
  batch_too_large: {
    make: BatchTooLargeError,
    message: 'The request has more domains than this key can send at once',
    hint: 'Lower Max Batch Size in the credential.',
  },
  invalid_tech_key: {
    make: BadRequestError,
    message: 'The technology key is malformed',
    hint: 'Use only lowercase letters, digits and hyphens, for example "google-analytics".',
  },
  invalid_domain: {
    make: BadRequestError,
    message: 'The domain is malformed',
    hint: 'Use a bare domain, for example "example.com".',
  },
  user_credential_required: {
    make: ForbiddenError,
    message: 'This operation needs a user key, but the credential holds an organization key',
    hint: 'Choose a credential of the type "Company Intelligence User API" that holds a user key.',
  },
  company_not_found: {
    make: NotFoundError,
    message: "The service doesn't track this company",
    hint: 'Check the domain or slug. To search by name, use Company Lookup: Get Many Companies with Name Contains, or Bulk Enrich with Company Name under Options.',
  },
  partner_not_found: {
    make: NotFoundError,
    message: "The service doesn't know this partner",
    hint: "Check the partner's domain.",
  },
  partnership_not_found: {
    make: NotFoundError,
    message: 'The service has no partnership between these two companies',
    hint: 'The service may still track both companies. List the partners of each one to check.',
  },
  technology_not_found: {
    make: NotFoundError,
    message: 'The service has no technology with this key',
    hint: 'Search technologies by name to find the key.',
  },
  vendor_not_found: {
    make: NotFoundError,
    message: 'The service has no vendor with this domain',
    hint: 'Enter the exact domain of the vendor.',
  },
  job_not_found: {
    make: NotFoundError,
    message: "This refresh job doesn't exist or belongs to another key",
    hint: 'Use the key that started the job.',
  },
};

const BY_STATUS: Readonly<Record<number, ErrorMapping>> = {
  400: {
    make: BadRequestError,
    message: 'The service rejected the request as malformed',
    hint: "Check this node's parameters. Nothing was charged for this request.",
  },
  401: {
    make: AuthenticationError,
    message: 'The service rejected the API key',
    hint: 'Check the API key and Base URL in the credential. The key may have been rotated.',
  },
  403: {
    make: ForbiddenError,
    message: 'This API key has no permission for this operation',
    hint: 'Use a key with access, or ask your service administrator to grant it.',
  },
  404: {
    make: NotFoundError,
    message: 'The service has no record that matches this request',
    hint: "Check this node's parameters and the Base URL in the credential.",
  },
  409: {
    make: ConflictError,
    message:
      'The service rejected the request because it conflicts with another change or operation',
    hint: 'Check the current state in the service before you run this again.',
  },
  422: {
    make: UnprocessableError,
    message: 'The service rejected the request as invalid',
    hint: "Check this node's parameters. Nothing was charged for this request.",
  },
  407: {
    make: ForbiddenError,
    message: 'A proxy between n8n and the service requires a user name and password',
    hint: "Check n8n's proxy settings: HTTP_PROXY, HTTPS_PROXY and NO_PROXY.",
  },
  429: {
    make: RateLimitError,
    message: 'This API key is rate limited',
    hint: 'Run again later.',
  },
};

/** Texts for `batch_too_large` if the call has no batch. */
const TOO_LARGE_MAPPING: ErrorMapping = {
  make: BatchTooLargeError,
  message: 'The request is larger than this key allows',
  hint: 'Request less at once, for example with a smaller limit.',
};

const WRONG_ADDRESS_HINT: Pick<ErrorMapping, 'message' | 'hint'> = {
  message: 'A web page responded with 404: the service is not at the Base URL of the credential',
  hint: "Correct the Base URL in the credential. Enter the address of the API without /v1, which often differs from the website's address.",
};

const SERVER_FAULT: ErrorMapping = {
  make: ServerError,
  message: 'The service returned a server error',
  hint: 'The node retried. Run again later; companies already returned are free for 30 days.',
};

function unexpectedStatus(status: number): ErrorMapping {
  return {
    make: ServiceError,
    message: `The service returned the unexpected status ${String(status)}`,
    hint: 'Check the Base URL in the credential. A system between n8n and the service may have responded.',
  };
}

/** Facts about the call, in addition to the status and body of its error response. */
interface RejectedCall {
  /** Texts by status, for statuses to which the API spec assigns no code. */
  readonly errorTexts?: ErrorTextsByStatus | undefined;
  /** Whether the call sent a batch that a lower Max Batch Size would split. */
  readonly isBatch?: boolean;
}

/**
 * Converts an error response to a typed error. Pure.
 *
 * The code takes precedence over the status because it is more specific. For unknown codes, the status
 * decides (API spec: Errors, "the common error shape … not shown").
 *
 * @param status Any status outside 2xx.
 */
export function errorFromResponse(
  status: number,
  body: ErrorBody,
  { errorTexts = {}, isBatch = true }: RejectedCall = {},
): ServiceError {
  if (status === 402 || body.code === 'credit_exhausted') return createCreditError(status, body);
  const ofCode =
    body.code === 'batch_too_large' && !isBatch ? TOO_LARGE_MAPPING : findMappingByCode(body.code);
  if (ofCode === undefined && isRedirect(status)) return createRedirectError(status);
  const mapping = ofCode ?? findMappingByStatus(status, body, errorTexts);
  return new mapping.make({
    code: body.code ?? `http_${String(status)}`,
    message: appendServiceMessage(mapping.message, body),
    hint: mapping.hint,
    status,
    details: body.fields,
    // For lists, the API spec states no code (API spec: Lists, rule 4).
    isResourceMissing:
      ofCode !== undefined || (body.format === 'json' && errorTexts[status] !== undefined),
    isPage: body.format === 'page',
  });
}

function findMappingByStatus(
  status: number,
  body: ErrorBody,
  errorTexts: ErrorTextsByStatus,
): ErrorMapping {
  const general = BY_STATUS[status] ?? (status >= 500 ? SERVER_FAULT : unexpectedStatus(status));
  // A service responds with JSON. A 404 with an HTML page means that there is no service at the address.
  const isElsewhere = status === 404 && body.format === 'page';
  return { ...general, ...(isElsewhere ? WRONG_ADDRESS_HINT : errorTexts[status]) };
}

/** Finds the texts of a code. It checks own properties only, because a code can be any word, such as "constructor". */
function findMappingByCode(code: string | undefined): ErrorMapping | undefined {
  return code !== undefined && Object.hasOwn(BY_CODE, code)
    ? BY_CODE[code as keyof typeof BY_CODE]
    : undefined;
}

function createCreditError(status: number, body: ErrorBody): CreditExhaustedError {
  const requested = toWholeNumber(body.fields.requested);
  const shortfall = toWholeNumber(body.fields.shortfall);
  const isKnown = requested !== undefined && shortfall !== undefined;
  const message = isKnown ? formatCreditShortfall(requested, shortfall) : 'Not enough credits';
  const isSaid = isKnown && mentionsNumber(body, requested) && mentionsNumber(body, shortfall);
  return new CreditExhaustedError({
    code: body.code ?? 'credit_exhausted',
    message: isSaid ? message : appendServiceMessage(message, body),
    hint: 'Retrying does not help until you add credits. Nothing was charged for this request.',
    status,
    details: body.fields,
    requested,
    shortfall,
  });
}

/** Returns whether the service's message contains a number, written as `1,000` or `1000`. */
function mentionsNumber({ message = '' }: ErrorBody, figure: number): boolean {
  const words = message.replaceAll(/(?<=\d)[,.' ](?=\d{3}(?!\d))/g, '');
  return words.split(/\D+/).includes(String(figure));
}

/**
 * Returns whether a status is a redirect. 304 is not: the client never requests it, so a cache in between
 * sent it.
 */
function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}

function createRedirectError(status: number): RedirectRefusedError {
  return new RedirectRefusedError({
    code: 'redirect_refused',
    message: `The service returned a redirect (${String(status)}), which the node doesn't follow because it would send the API key to another address`,
    hint: "Set the Base URL in the credential to the service's final address.",
    status,
  });
}

function appendServiceMessage(message: string, body: ErrorBody): string {
  const serviceMessage = body.message?.replace(/[.\s]+$/, '');
  return serviceMessage === undefined
    ? message
    : `${message} (the service says: ${serviceMessage})`;
}

function toWholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
}
