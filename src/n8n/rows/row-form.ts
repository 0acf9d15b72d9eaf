import { isDeepStrictEqual } from 'node:util';

import type { IDataObject, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { firstOf } from '../../input/quote';
import { isRow } from '../../run/answers/rows';
import { errorItem, failureJson, type OnError } from '../failures';
import { count, hint } from '../figures';
import type { Outcome, Output } from './rows';

/** Columns that a hint names; more would be a list of their own. */
const TOLD_COLUMNS = 5;

/** How rows come out. */
export interface RowOutput {
  /** The row's own fields with the result in one more, or in columns; or the result alone. */
  readonly output: 'merge' | 'columns' | 'result';
  /** The one field. */
  readonly resultField: string;
  /** What the names of the columns begin with. */
  readonly columnPrefix: string;
  /** Whether a column that the row has already gets the new value. */
  readonly overwriteColumns: boolean;
}

/** Without the row's own fields. */
export const RESULT_ALONE: RowOutput = {
  output: 'result',
  resultField: '',
  columnPrefix: '',
  overwriteColumns: false,
};

/** With one of these alone beside an error, n8n would take a good row for a failed one. */
export const RESERVED_FIELDS = ['error', 'message', 'details'];

/** Puts results beside the fields of their rows. */
export class RowForm {
  private readonly keptColumns = new Set<string>();
  private keptRows = 0;

  constructor(
    private readonly out: RowOutput,
    private readonly onError: OnError,
  ) {}

  /** The item of a row with its result, paired with the input item it belongs to. */
  itemOf(
    input: INodeExecutionData | undefined,
    output: Output,
    itemIndex: number,
  ): INodeExecutionData {
    const pairedItem = { item: itemIndex };
    if (this.out.output === 'result') return { ...output, pairedItem };
    const json = this.beside(input?.json ?? {}, output.json);
    return input?.binary === undefined
      ? { json, pairedItem }
      : { json, binary: input.binary, pairedItem };
  }

  /**
   * The item of a row that failed. On the error output n8n adds the input's fields itself, and only
   * to an item of the exact shape it knows; on the regular output the row keeps its own fields, so
   * that a list with a failed row is still the whole list.
   */
  failedItemOf(
    input: INodeExecutionData | undefined,
    { binary, domain = null }: Pick<Outcome, 'binary' | 'domain'>,
    failure: Error,
    itemIndex: number,
  ): INodeExecutionData {
    if (this.onError === 'continueErrorOutput' || this.out.output === 'result') {
      return errorItem(failure, itemIndex, binary);
    }
    const { error, message, details } = failureJson(failure);
    const json = { domain, status: 'error', error, message, details };
    const item = this.itemOf(input, { json }, itemIndex);
    return { ...item, json: { ...item.json, error: message } };
  }

  /** Says which results are not in the items, because their rows had something else in the column. */
  hints(): NodeExecutionHint[] {
    if (this.keptRows === 0) return [];
    const columns = firstOf([...this.keptColumns], TOLD_COLUMNS);
    return [
      hint(
        `${count(this.keptRows, 'row')} had values in columns of the result (${columns}). They were kept, and only empty ones filled. Overwrite Columns puts the new values there; another Column Prefix leaves both.`,
        'warning',
      ),
    ];
  }

  private beside(row: IDataObject, result: IDataObject): IDataObject {
    const { output, resultField, columnPrefix, overwriteColumns } = this.out;
    if (output === 'merge') return { ...row, [resultField]: result };
    const columns = Object.entries(flat(result)).map(([name, value]) => {
      return [`${columnPrefix}${name}`, value] as const;
    });
    if (overwriteColumns) return { ...row, ...Object.fromEntries(columns) };
    const free = columns.filter(([name]) => isEmpty(row[name]));
    const kept = columns.filter(
      ([name, value]) => !isEmpty(row[name]) && !isDeepStrictEqual(row[name], value),
    );
    for (const [name] of kept) this.keptColumns.add(name);
    if (kept.length > 0) this.keptRows += 1;
    return { ...row, ...Object.fromEntries(free) };
  }
}

/** What is in objects within the result as fields of the result: `details_hint`. */
function flat(result: IDataObject): IDataObject {
  const columns = new Map<string, IDataObject[string]>();
  for (const [name, value] of Object.entries(result)) {
    const inner = isRow(value) ? Object.entries(flat(value as IDataObject)) : [];
    const named = inner.map(([key, cell]) => [`${name}_${key}`, cell] as const);
    const isFree = named.every(([key]) => !Object.hasOwn(result, key) && !columns.has(key));
    const added = named.length > 0 && isFree ? named : [[name, value] as const];
    for (const [key, cell] of added) columns.set(key, cell);
  }
  return Object.fromEntries(columns);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
