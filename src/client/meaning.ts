import type { InterfaceCode } from './codes';
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
  UnprocessableError,
} from './errors';
import type { ErrorBody } from './error-body';

/** Message and hint that explain an error response to the user. */
export interface Words {
  /** What happened; followed by the service's own message, if it has one. */
  readonly message: string;
  readonly hint: string;
}

/** Texts for the error responses of one call, by status. */
export type WordsByStatus = Readonly<Partial<Record<number, Words>>>;

interface Meaning extends Words {
  readonly make: new (
    init: ConstructorParameters<typeof NotFoundError>[0] &
      ConstructorParameters<typeof ServerError>[0],
  ) => ServiceError;
}

/** Codes for which the status determines the text. */
type WithoutAdvice = 'credit_exhausted' | 'operational_rate_limit_exceeded';

const BY_CODE: Readonly<Record<Exclude<InterfaceCode, WithoutAdvice>, Meaning>> = {
  batch_too_large: {
    make: BatchTooLargeError,
    message: 'The request holds more domains than this key may send at once',
    hint: 'Lower Max Batch Size in the credential.',
  },
  invalid_tech_key: {
    make: BadRequestError,
    message: 'The technology key is malformed',
    hint: 'A technology key holds lowercase letters, digits and hyphens only, like "google-analytics".',
  },
  invalid_domain: {
    make: BadRequestError,
    message: 'The domain is malformed',
    hint: 'Give a bare domain like "example.com".',
  },
  user_credential_required: {
    make: ForbiddenError,
    message: 'This needs a user key, and the one in the credential is an organization key',
    hint: 'Choose a credential of the type "Company Intelligence User API" that holds a user key.',
  },
  company_not_found: {
    make: NotFoundError,
    message: 'The service does not know this company',
    hint: 'Check the domain or slug. To find companies by name, use Company Name (under Options of Bulk Enrich), or Get Many Companies with Name Contains.',
  },
  partner_not_found: {
    make: NotFoundError,
    message: 'The service does not know this partner',
    hint: "Check the partner's domain.",
  },
  partnership_not_found: {
    make: NotFoundError,
    message: 'The service knows no partnership between these two companies',
    hint: 'Both companies may be tracked all the same; their partners can be listed one by one.',
  },
  technology_not_found: {
    make: NotFoundError,
    message: 'The service does not know this technology key',
    hint: 'Search technologies by name to find the key.',
  },
  vendor_not_found: {
    make: NotFoundError,
    message: 'The service knows no vendor with this domain',
    hint: 'Vendors are found by their exact domain.',
  },
  job_not_found: {
    make: NotFoundError,
    message: 'There is no such refresh job, or it belongs to another key',
    hint: 'Use the key that started the job.',
  },
};

const BY_STATUS: Readonly<Record<number, Meaning>> = {
  400: {
    make: BadRequestError,
    message: 'The service refused the request as malformed',
    hint: 'Check the parameters of this node.',
  },
  401: {
    make: AuthenticationError,
    message: 'The service did not accept the API key',
    hint: 'Check the API key and the Base URL in the credential; the key may have been rotated.',
  },
  403: {
    make: ForbiddenError,
    message: 'This API key may not do this',
    hint: 'Use a key with access, or ask whoever administers the service for it.',
  },
  404: {
    make: NotFoundError,
    message: 'The service does not know what was asked for',
    hint: 'Check the parameters of this node and the Base URL in the credential.',
  },
  409: {
    make: ConflictError,
    message: 'The service refused this because something else was changed or is under way',
    hint: 'Look at what is there now before you run this again.',
  },
  422: {
    make: UnprocessableError,
    message: 'The service could not make sense of the request',
    hint: 'Check the parameters of this node.',
  },
  407: {
    make: ForbiddenError,
    message: 'A proxy between n8n and the service asks for a user name and a password',
    hint: 'Check the proxy settings of n8n: HTTP_PROXY, HTTPS_PROXY and NO_PROXY.',
  },
  429: {
    make: RateLimitError,
    message: 'The rate limit of this API key is used up',
    hint: 'Run again later.',
  },
};

/** Texts for `batch_too_large` if the call has no batch. */
const TOO_MUCH_AT_ONCE: Meaning = {
  make: BatchTooLargeError,
  message: 'The request asks for more than this key may have at once',
  hint: 'Ask for less at once.',
};

const NO_SERVICE_THERE: Pick<Meaning, 'message' | 'hint'> = {
  message: 'A web page answered with 404: the service is not at the Base URL of the credential',
  hint: 'Correct the Base URL in the credential: it is the address of the API, without /v1, and often another one than that of the website.',
};

const SERVER_TROUBLE: Meaning = {
  make: ServerError,
  message: 'The service failed',
  hint: 'It was asked several times. Run again later; companies that were answered already are free for 30 days.',
};

/** Facts about the call, in addition to the status and body of its error response. */
interface Refused {
  /** Texts by status, for statuses to which the API spec assigns no code. */
  readonly words?: WordsByStatus | undefined;
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
export function errorOfAnswer(
  status: number,
  body: ErrorBody,
  { words = {}, isBatch = true }: Refused = {},
): ServiceError {
  if (status === 402 || body.code === 'credit_exhausted') return creditError(status, body);
  const ofCode =
    body.code === 'batch_too_large' && !isBatch ? TOO_MUCH_AT_ONCE : meaningOfCode(body.code);
  const meaning = ofCode ?? meaningOfStatus(status, body, words);
  if (meaning === undefined) return unexpectedStatus(status, body);
  return new meaning.make({
    code: body.code ?? `http_${String(status)}`,
    message: withServiceWords(meaning.message, body),
    hint: meaning.hint,
    status,
    details: body.fields,
    // For lists, the API spec states no code (API spec: Lists, rule 4).
    aboutAsked: ofCode !== undefined || (body.form === 'json' && words[status] !== undefined),
    isPage: body.form === 'page',
  });
}

function meaningOfStatus(
  status: number,
  body: ErrorBody,
  words: WordsByStatus,
): Meaning | undefined {
  const general = BY_STATUS[status] ?? (status >= 500 ? SERVER_TROUBLE : undefined);
  // A service responds with JSON. A 404 with an HTML page means that there is no service at the address.
  const isElsewhere = status === 404 && body.form === 'page';
  return general && { ...general, ...(isElsewhere ? NO_SERVICE_THERE : words[status]) };
}

/** Finds the texts of a code. It checks own properties only, because a code can be any word, such as "constructor". */
function meaningOfCode(code: string | undefined): Meaning | undefined {
  return code !== undefined && Object.hasOwn(BY_CODE, code)
    ? BY_CODE[code as keyof typeof BY_CODE]
    : undefined;
}

function creditError(status: number, body: ErrorBody): CreditExhaustedError {
  const requested = wholeNumber(body.fields.requested);
  const shortfall = wholeNumber(body.fields.shortfall);
  const isKnown = requested !== undefined && shortfall !== undefined;
  const message = isKnown
    ? `Not enough credits: the call needs ${String(requested)} and ${String(shortfall)} are missing`
    : 'Not enough credits';
  const isSaid = isKnown && says(body, requested) && says(body, shortfall);
  return new CreditExhaustedError({
    code: body.code ?? 'credit_exhausted',
    message: isSaid ? message : withServiceWords(message, body),
    hint: 'Retrying does not help until credits are added. Nothing was charged for this call.',
    status,
    details: body.fields,
    requested,
    shortfall,
  });
}

/** Returns whether the service's message contains a number, written as `1,000` or `1000`. */
function says({ message = '' }: ErrorBody, figure: number): boolean {
  const words = message.replaceAll(/(?<=\d)[,.' ](?=\d{3}(?!\d))/g, '');
  return words.split(/\D+/).includes(String(figure));
}

/** 304. The client never asks for it, so a cache in between sent it; it is no redirect. */
const NOT_MODIFIED = 304;

function unexpectedStatus(status: number, body: ErrorBody): ServiceError {
  if (status >= 300 && status < 400 && status !== NOT_MODIFIED) {
    return new RedirectRefusedError({
      code: 'redirect_refused',
      message: `The service answered with a redirect (${String(status)}), which is not followed because the API key would go to another address`,
      hint: 'Set the Base URL in the credential to the final address of the service.',
      status,
    });
  }
  return new ServiceError({
    code: body.code ?? `http_${String(status)}`,
    message: withServiceWords(`The service answered with status ${String(status)}`, body),
    hint: 'Check the Base URL in the credential; something between n8n and the service may have answered.',
    status,
    details: body.fields,
  });
}

function withServiceWords(message: string, body: ErrorBody): string {
  const said = body.message?.replace(/[.\s]+$/, '');
  return said === undefined ? message : `${message} (the service says: ${said})`;
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
}
