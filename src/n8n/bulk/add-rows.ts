import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { LIMITS } from '../../input/limits';
import { ADD_DOMAINS_PATH, addDomains } from '../../api/lists/members';
import { ForbiddenError, NotFoundError } from '../../client/errors';
import { inParallel } from '../../client/parallel';
import type { Row } from '../../run/answers/rows';
import type { BatchReport, DomainOutcome } from '../../run/batches';
import type { Run } from '../../run/run';
import { outputFor } from '../agents';
import { asError, failureOf, onErrorOf, throwFirstFailure } from '../failures';
import { openRun } from '../open-run';
import { placeOf, valuesIn, type Parameter } from '../parameters/declare';
import { ItemParameters } from '../parameters/item-parameters';
import { timingOf } from '../run-options';
import { invalidResult, readDomainRows, type DomainRow } from './domain-rows';
import { rowItems, type RowResult } from './items';
import { onceInBatches } from './once-in-batches';
import type { RowOptions } from './options';
import { summarize, type Summarized } from './summary';

/** What each item says beside its domain. */
interface ItemDeclared extends Readonly<Record<string, Parameter<unknown>>> {
  readonly listId: Parameter<string>;
  readonly additionalFields: Parameter<Row>;
}

/** Rows that are added with the same requests: those of one list, with the same additional fields. */
interface Addition {
  readonly listId: string;
  readonly more: Row;
  /** The first item of each domain. */
  readonly domains: Map<string, number>;
}

/** What one input item adds. */
type Plan = (DomainRow & { readonly addition?: Addition }) | { kind: 'failed'; failure: Error };

/**
 * Adds the domains of all input items to their lists, each domain once, in few requests, and gives
 * one output item for each input item, in input order, each paired with its own. Rows without a usable
 * domain are not sent.
 *
 * @throws {NodeApiError | NodeOperationError} naming the first item that failed, when On Error is
 * Stop Workflow; otherwise failures are items.
 */
export async function addRows(
  context: IExecuteFunctions,
  given: RowOptions,
  parameters: ItemDeclared,
): Promise<INodeExecutionData[][]> {
  const options = outputFor(context, given);
  const items = context.getInputData();
  const onError = onErrorOf(context);
  const additions = new Map<string, Addition>();
  const plans = readDomainRows(context, items.length, options).map((row, index) =>
    planOf(context, parameters, row, index, additions),
  );
  if (onError === 'stop') throwFirstFailure(context, plans.map(failureOf));
  const reports = await carryOut(context, [...additions.values()], timingOf(options));
  const results = plans.map((plan) => resultOf(plan, reports));
  const output = rowItems(context, items, results, options, onError);
  context.addExecutionHints(...summarize(plans, summaryOf(reports)));
  return [output];
}

function planOf(
  context: IExecuteFunctions,
  parameters: ItemDeclared,
  row: DomainRow,
  itemIndex: number,
  additions: Map<string, Addition>,
): Plan {
  if (row.kind !== 'domain') return row;
  try {
    const { listId, additionalFields: more } = valuesIn(
      parameters,
      placeOf(new ItemParameters(context, itemIndex)),
    );
    const key = JSON.stringify([listId, more]);
    const addition = additions.get(key) ?? { listId, more, domains: new Map<string, number>() };
    additions.set(key, addition);
    const { domain } = row.found;
    if (!addition.domains.has(domain)) addition.domains.set(domain, itemIndex);
    return { ...row, addition };
  } catch (error) {
    return { kind: 'failed', failure: asError(error) };
  }
}

type Reports = ReadonlyMap<Addition, BatchReport>;

async function carryOut(
  context: IExecuteFunctions,
  additions: readonly Addition[],
  timing: ReturnType<typeof timingOf>,
): Promise<Reports> {
  if (additions.length === 0) return new Map();
  const run = await openRun(context, { timing });
  const reports = await inParallel(
    additions,
    async (addition) => [addition, await addToList(context, run, addition)] as const,
  );
  return new Map(reports);
}

async function addToList(
  context: IExecuteFunctions,
  run: Run,
  { listId, more, domains }: Addition,
): Promise<BatchReport> {
  let refused: Error | undefined;
  return await onceInBatches(context, run, {
    what: JSON.stringify(['add', listId, more]),
    itemIndexOf: (domain) => domains.get(domain) ?? 0,
    domains: [...domains.keys()],
    endpoint: ADD_DOMAINS_PATH,
    batchSize: LIMITS.batchSize,
    // Two changes of one list at the same time could meet in a 409 (interface: Lists, rule 3).
    atOnce: 1,
    act: async (part, batch) => {
      if (refused !== undefined) throw refused;
      try {
        return await addDomains(part, listId, batch, more);
      } catch (error) {
        // What is said about the list holds for all of its domains.
        if (error instanceof NotFoundError || error instanceof ForbiddenError) refused = error;
        throw error;
      }
    },
  });
}

function resultOf(plan: Plan, reports: Reports): RowResult {
  if (plan.kind === 'failed') return { kind: 'failure', failure: plan.failure, domain: null };
  if (plan.kind === 'invalid') {
    const { reason, message } = plan.found;
    return { kind: 'result', result: invalidResult(null, reason, message) };
  }
  const { addition } = plan;
  const { domain } = plan.found;
  const outcome = addition && reports.get(addition)?.outcomes.get(domain);
  if (outcome?.kind === 'failed') return { kind: 'failure', failure: outcome.error, domain };
  return { kind: 'result', result: { list_id: addition?.listId, domain, ...additionOf(outcome) } };
}

/** A copy, because rows that share a domain must not share what a later node may change. */
function additionOf(outcome: Exclude<DomainOutcome, { kind: 'failed' }> | undefined): IDataObject {
  return outcome?.kind === 'row'
    ? (structuredClone(outcome.row) as IDataObject)
    : {
        status: 'not_mentioned',
        message: 'The service accepted the request, but its answer does not mention this domain',
      };
}

function summaryOf(reports: Reports): Summarized {
  const all = [...reports.values()];
  return {
    domains: all.reduce((sum, { outcomes }) => sum + outcomes.size, 0),
    answers: all.reduce((sum, { answers }) => sum + answers, 0),
    oddities: [],
  };
}
