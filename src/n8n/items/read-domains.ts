import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { normalizeDomain, type NormalizedDomain, type NormalizeOptions } from '../../input/domains';
import { isExpressionText } from '../../input/placeholders';
import { quote } from '../../values/text';
import {
  createCandidatesReader,
  getRawParameter,
  warnAboutFixedText,
  type RunLimits,
} from '../parameters/readers';
import type { DomainFacts } from '../run-hints';
import { readItems, toSuccess, type Outcome, type Rows } from './read';
import type { RowOutput } from './write';

/** Options of operations on all rows at once. They apply to the whole run. */
export interface RowOptions extends RowOutput, NormalizeOptions, RunLimits {}

type FoundDomain = Extract<NormalizedDomain, { valid: true }>;

/** Rows that each name a company. */
export interface DomainRows<Request> extends Rows<Request>, DomainFacts {
  readonly counts: {
    readonly rows: number;
    readonly distinct_companies: number;
    /** That repeat an earlier company. */
    readonly duplicate_rows: number;
  };
}

interface DomainReading<Request> extends NormalizeOptions {
  /** Returns the request of a row without a usable domain; undefined if that fails too. */
  readonly otherwise?:
    | ((itemIndex: number) => { readonly company: string; readonly request: Request } | undefined)
    | undefined;
  /** See {@link readItems}. */
  readonly keyOf?: (request: Request) => string;
}

/**
 * Reads the `domain` parameter of every input item, and the request of each item that has a usable one.
 * The other items get their outcome here, without a request or a credit.
 *
 * @throws The errors of {@link readItems}.
 * @throws {NodeOperationError} If a field was dropped into the middle of another one.
 */
export function readDomainRows<Request>(
  context: IExecuteFunctions,
  { otherwise, keyOf, ...options }: DomainReading<Request>,
  toRequest: (found: FoundDomain, itemIndex: number) => Request | Outcome,
): DomainRows<Request> {
  const given = getRawParameter(context, 'domain');
  const hasSeveralFields = checkFields(context, given) > 1;
  const read = createCandidatesReader(context, 'domain');
  const companies = new Set<string>();
  const invalid: Array<DomainFacts['invalid'][number]> = [];
  const usable = { byDomain: 0, otherwise: 0 };
  const readItem = (itemIndex: number): Request | Outcome => {
    const found = normalizeDomain(read(itemIndex), options);
    if (found.valid) {
      const request = toRequest(found, itemIndex);
      companies.add(found.domain);
      usable.byDomain += 1;
      return request;
    }
    const { reason, about, message } = found;
    if (reason === 'ignored') {
      invalid.push({ reason, about });
      return toSuccess({ domain: about ?? null, status: 'ignored', message });
    }
    const other = otherwise?.(itemIndex);
    if (other !== undefined) {
      companies.add(other.company);
      usable.otherwise += 1;
      return other.request;
    }
    invalid.push({ reason, about });
    return toInvalidOutcome(null, reason, message);
  };
  const { rows, tasks } = readItems(context, readItem, keyOf);
  if (usable.byDomain > 0) {
    context.addExecutionHints(
      ...warnAboutFixedText(context, { name: 'domain', displayName: 'Domain' }),
    );
  }
  const counts = {
    rows: rows.length,
    distinct_companies: companies.size,
    duplicate_rows: usable.byDomain + usable.otherwise - companies.size,
  };
  return {
    rows,
    tasks,
    counts,
    invalid,
    hasSeveralFields,
    isExpressionText:
      typeof given === 'string' && !given.startsWith('=') && isExpressionText(given),
  };
}

/** An expression in which a field begins directly after a word: `{{ $json.W$json.Email }}`. */
const FIELD_IN_FIELD = /\{\{[^{}]*(?:[\w"']\$json\b|\{\{)[^{}]*/;

/** Returns the number of expressions in Domain. */
function checkFields(context: IExecuteFunctions, given: unknown): number {
  if (typeof given !== 'string') return 0;
  const [broken] = given.startsWith('=') ? (FIELD_IN_FIELD.exec(given) ?? []) : [];
  if (broken === undefined) return given.split('{{').length - 1;
  throw new NodeOperationError(
    context.getNode(),
    `"Domain" has a field inside another field: ${quote(broken)}`,
    {
      description:
        'A field was dropped into the middle of the text. Undo that, and drop the field behind the text. Nothing was sent.',
    },
  );
}

/** Returns the outcome of a row without a usable domain, which costs no credit. */
export function toInvalidOutcome(domain: string | null, reason: string, message: string): Outcome {
  return toSuccess({ domain, status: 'invalid', reason, message });
}
