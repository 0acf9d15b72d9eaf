import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod/v4';

import { askInBatches, type BatchReport, type DomainOutcome } from '../../api/batches';
import { CreditGuard } from '../../api/credit-guard';
import { endsTheRun, notAttempted } from '../../api/ends-the-run';
import { listIdOf } from '../../api/inputs';
import { ADD_DOMAINS_PATH, addDomains } from '../../api/lists/members';
import type { Row } from '../../api/rows';
import type { CallOptions } from '../../client/client';
import {
  BatchTooLargeError,
  ForbiddenError,
  NotFoundError,
  type NotAttemptedError,
} from '../../client/errors';
import { inParallel } from '../../client/parallel';
import { asError, onErrorOf, throwFirstFailure } from '../failures';
import { once } from '../once';
import { openClient, type Connection } from '../open-client';
import { additionalFieldsOf, ItemParameters } from '../per-item/parameters';
import { cancelSignalOf, readOptions, runOptionsShape, timingOf } from '../run-options';
import { invalidResult, readDomainRows, type DomainRow } from './domain-rows';
import { rowItems, type RowResult } from './items';
import { rowOptionsShape } from './options';
import { summarize } from './summary';

/** They hold for the whole run. */
const additionOptions = z.object({ ...runOptionsShape, ...rowOptionsShape('list') });

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
export async function addRows(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const items = context.getInputData();
  const options = readOptions(context, additionOptions);
  const onError = onErrorOf(context);
  const additions = new Map<string, Addition>();
  const plans = readDomainRows(context, items.length, options).map((row, index) =>
    planOf(context, row, index, additions),
  );
  if (onError === 'stop') throwFirstFailure(context, plans.map(failureOf));
  const reports = await carryOut(context, [...additions.values()], {
    timing: timingOf(options),
    stopAtFirstFailure: onError === 'stop',
  });
  const results = plans.map((plan) => resultOf(plan, reports));
  const output = rowItems(context, items, results, options, onError);
  context.addExecutionHints(...summarize(plans, summaryOf(reports)));
  return [output];
}

function planOf(
  context: IExecuteFunctions,
  row: DomainRow,
  itemIndex: number,
  additions: Map<string, Addition>,
): Plan {
  if (row.kind !== 'domain') return row;
  try {
    const parameters = new ItemParameters(context, itemIndex);
    const listId = listIdOf(parameters.get('listId'));
    const more = additionalFieldsOf(parameters);
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
  how: {
    readonly timing: Parameters<typeof openClient>[1];
    readonly stopAtFirstFailure: boolean;
  },
): Promise<Reports> {
  if (additions.length === 0) return new Map();
  const connection = await openClient(context, how.timing);
  let stopped: NotAttemptedError | undefined;
  /** Keeps what would fail as well, or is not wanted any more, from being sent. */
  const stoppable = async <T>(send: () => Promise<T>): Promise<T> => {
    if (stopped !== undefined) throw stopped;
    try {
      return await send();
    } catch (error) {
      // A batch that is too large is no failure yet: its halves are sent.
      const failed = how.stopAtFirstFailure && !(error instanceof BatchTooLargeError);
      if (failed || endsTheRun(error)) stopped ??= notAttempted(error);
      throw error;
    }
  };
  const reports = await inParallel(
    additions,
    async (addition) =>
      await askInBatches({
        ...jobOf(context, connection, addition, stoppable),
        stopAtFirstFailure: how.stopAtFirstFailure,
      }),
  );
  return new Map(additions.map((addition, index) => [addition, reports[index] ?? NOTHING]));
}

const NOTHING: BatchReport = { outcomes: new Map(), answers: 0, oddities: [] };

function jobOf(
  context: IExecuteFunctions,
  { client, maxBatchSize }: Connection,
  { listId, more, domains }: Addition,
  stoppable: <T>(send: () => Promise<T>) => Promise<T>,
): Parameters<typeof askInBatches>[0] {
  let refused: Error | undefined;
  const send = async (batch: readonly string[], options: CallOptions) => {
    if (refused !== undefined) throw refused;
    try {
      const itemIndex = domains.get(batch[0] ?? '') ?? 0;
      const rows = await once(
        context,
        itemIndex,
        JSON.stringify(['add', listId, more, batch]),
        async () => await addDomains(client, listId, batch, more, options),
      );
      return { rows, rejected: new Set<string>(), oddities: [] };
    } catch (error) {
      // What is said about the list holds for all of its domains.
      if (error instanceof NotFoundError || error instanceof ForbiddenError) refused = error;
      throw error;
    }
  };
  return {
    domains: [...domains.keys()],
    ask: async (batch, options) => await stoppable(async () => await send(batch, options)),
    creditsOf: () => 0,
    endpoint: ADD_DOMAINS_PATH,
    ceilings: client.batchCeilings,
    maxBatchSize,
    guard: new CreditGuard(undefined),
    spendRemaining: false,
    stopAtFirstFailure: false,
    signal: cancelSignalOf(context),
    // Two changes of one list at the same time could meet in a 409 (interface: Lists, rule 3).
    atOnce: 1,
  };
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

function summaryOf(reports: Reports): BatchReport {
  const outcomes = new Map<string, DomainOutcome>();
  let answers = 0;
  for (const [{ listId, more }, report] of reports) {
    answers += report.answers;
    for (const [domain, outcome] of report.outcomes) {
      outcomes.set(JSON.stringify([listId, more, domain]), outcome);
    }
  }
  return { outcomes, answers, oddities: [] };
}

function failureOf(plan: Plan): Error | undefined {
  return plan.kind === 'failed' ? plan.failure : undefined;
}
