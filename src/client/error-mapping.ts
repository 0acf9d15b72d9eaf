import {
  AuthenticationError,
  BadRequestError,
  BatchTooLargeError,
  ConflictError,
  CreditExhaustedError,
  ForbiddenError,
  NotFoundError,
  RateLimitError,
  RedirectRefusedError,
  ServerError,
  ServiceError,
  UnlistedRefusalError,
  UnprocessableError,
} from './errors';
import type { ErrorBody } from './error-body';
import { formatMoment } from '../values/text';

export interface ErrorText {
  readonly message: string;
  readonly hint: string;
}

export type ErrorTextsByStatus = Readonly<Partial<Record<number, ErrorText>>>;

interface ErrorMapping extends ErrorText {
  readonly make: new (
    init: ConstructorParameters<typeof NotFoundError>[0] &
      ConstructorParameters<typeof ServerError>[0],
  ) => ServiceError;
}

const RATE_LIMITED: ErrorMapping = {
  make: RateLimitError,
  message: 'This API key is rate limited',
  hint: 'Run again later.',
};

const BY_CODE: Readonly<Record<string, ErrorMapping>> = {
  batch_too_large: {
    make: BatchTooLargeError,
    message: 'The request has more domains than this key can send at once',
    hint: 'Send fewer domains in one request.',
  },
  invalid_tech_key: {
    make: BadRequestError,
    message: 'The tech key is malformed',
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
    hint: 'Check the domain or slug. To search by name, use Company Lookup: Get Many Companies with Name Contains, or Bulk Enrich with Company Name under Domain.',
  },
  partner_not_found: {
    make: NotFoundError,
    message: "The service doesn't track this partner",
    hint: "Check the partner's domain.",
  },
  partnership_not_found: {
    make: NotFoundError,
    message: 'The service has no partnership between these two companies',
    hint: 'The service may still track both companies. List the partners of each one to check.',
  },
  technology_not_found: {
    make: NotFoundError,
    message: 'The service has no technology with this tech key',
    hint: 'Search technologies by name to find the tech key.',
  },
  vendor_not_found: {
    make: NotFoundError,
    message: 'The service has no vendor with this domain',
    hint: 'Enter the exact domain of the vendor.',
  },
  job_not_found: {
    make: NotFoundError,
    message: "This refresh job doesn't exist or belongs to another key",
    hint: 'Check the job ID, and use the key that started the job.',
  },
  operational_rate_limit_exceeded: RATE_LIMITED,
};

/** Texts by status; 300 and 500 stand for all statuses of their hundred. */
const BY_STATUS: Readonly<Record<number, ErrorMapping>> = {
  300: {
    make: RedirectRefusedError,
    message:
      "The service returned a redirect, which the node doesn't follow because it would send the API key to another address",
    hint: "Set the Base URL in the credential to the service's final address.",
  },
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
  429: RATE_LIMITED,
  500: {
    make: ServerError,
    message: 'The service returned a server error',
    hint: 'The node retried. Run again later.',
  },
};

const WRONG_ADDRESS: ErrorMapping = {
  make: NotFoundError,
  message: 'A web page responded with 404: the service is not at the Base URL of the credential',
  hint: "Correct the Base URL in the credential. Enter the address of the API without /v1, which often differs from the website's address.",
};

/** Statuses with which a firewall or a login page refuses a request, with a page instead of JSON. */
const PAGE_STATUSES = [401, 403, 405, 413, 414];

/** A smaller request may be accepted. */
const TOO_LARGE = 413;

const refusedByPage = (status: number): ErrorMapping => ({
  make: status === TOO_LARGE ? ServiceError : ForbiddenError,
  message: `A web page responded with ${String(status)}: something between n8n and the service refused the request`,
  hint: 'Ask the operator of the network or firewall to allow requests from n8n, and check the Base URL in the credential.',
});

const unlistedRefusal = (status: number): ErrorMapping => ({
  make: status === TOO_LARGE ? ServiceError : UnlistedRefusalError,
  message: `The service refused the request with status ${String(status)}`,
  hint: "Check the current state in the service and this node's parameters, then run this again.",
});

const unexpectedStatus = (status: number): ErrorMapping => ({
  make: ServiceError,
  message: `The service returned the unexpected status ${String(status)}`,
  hint: 'Check the Base URL in the credential. A system between n8n and the service may have responded.',
});

/** The code takes precedence over the status, which decides for unknown codes (API spec: Errors). */
export function createErrorFromResponse(
  status: number,
  body: ErrorBody,
  errorTexts: ErrorTextsByStatus = {},
): ServiceError {
  const { code = `http_${String(status)}`, fields: details, format } = body;
  if (status === 402 || code === 'credit_exhausted') return createCreditError(status, body);
  const ofCode = isApiErrorCode(code) ? BY_CODE[code] : undefined;
  const { make: ErrorClass, message, hint } = ofCode ?? findByStatus(status, body, errorTexts);
  return new ErrorClass({
    code,
    message: appendServiceMessage(message, body),
    hint,
    status,
    details,
    isResourceMissing: ofCode !== undefined || (format === 'json' && status in errorTexts),
    isPage: format === 'page',
  });
}

export function isApiErrorCode(code: string): boolean {
  // Own properties only, because a code can be any word, such as "constructor".
  return Object.hasOwn(BY_CODE, code);
}

function findByStatus(
  status: number,
  { format, code }: ErrorBody,
  errorTexts: ErrorTextsByStatus,
): ErrorMapping {
  // The service responds with JSON; a page comes from another system.
  if (status === 404 && format === 'page') return WRONG_ADDRESS;
  if (format === 'page' && PAGE_STATUSES.includes(status)) return refusedByPage(status);
  const isGroup = (status < 400 && status !== 304) || status >= 500;
  const known = BY_STATUS[isGroup ? Math.floor(status / 100) * 100 : status];
  const isRefusal = status >= 400 && format === 'json' && code !== undefined;
  const unknown = isRefusal ? unlistedRefusal(status) : unexpectedStatus(status);
  return { ...(known ?? unknown), ...errorTexts[status] };
}

/** Names the host of the address to which the response redirects, and no more of it. */
export function nameRedirectHost(error: ServiceError, location = ''): ServiceError {
  if (!(error instanceof RedirectRefusedError) || !URL.canParse(location)) return error;
  const message = error.message.replace('a redirect', `a redirect to ${new URL(location).host}`);
  return error.copyWith({ message });
}

function createCreditError(status: number, body: ErrorBody): CreditExhaustedError {
  const error = new CreditExhaustedError({
    code: 'credit_exhausted',
    message: appendServiceMessage('Not enough credits', body),
    hint: 'Retrying does not help until you add credits. Nothing was charged for this request.',
    status,
    details: body.fields,
  });
  const { requested, shortfall } = error;
  if (requested === undefined || shortfall === undefined) return error;
  const needed = `${String(requested)} ${requested === 1 ? 'credit' : 'credits'}`;
  const covered = String(Math.max(0, requested - shortfall));
  return error.copyWith({
    message: `Not enough credits: the request needs ${needed}, the balance covers ${covered}, and the rest of the run can need more (Estimate Cost says how much)`,
  });
}

function appendServiceMessage(message: string, { code = '', ...body }: ErrorBody): string {
  // A reason of one word looks like a code: `{"detail": "maintenance"}`.
  const reason = isApiErrorCode(code) || code === 'credit_exhausted' ? '' : code;
  const serviceMessage = (body.message ?? reason).replace(/[.\s]+$/, '');
  return serviceMessage ? `${message} (the service says: ${serviceMessage})` : message;
}

/** @param rejection Without a message, the wait is for a rate limit. */
export function createWaitError(
  { waitMs, timeZone }: { readonly waitMs: number; readonly timeZone: string | undefined },
  rejection: Pick<ServiceError, 'code'> & Partial<ServiceError>,
  isDaily = false,
): RateLimitError {
  const { code, status, details, message } = rejection;
  const isLimit = message === undefined || rejection instanceof RateLimitError;
  const what = isLimit
    ? `The ${isDaily ? 'daily' : 'rate'} limit of this API key is used up and resets on`
    : `${message}; the service asked to retry on`;
  const at = Date.now() + waitMs;
  return new RateLimitError({
    code,
    message: `${what} ${formatMoment(at, timeZone)}, later than this run may wait`,
    hint: 'Run again after that time.',
    status,
    details: { ...details, resets_at: new Date(at).toISOString() },
  });
}
