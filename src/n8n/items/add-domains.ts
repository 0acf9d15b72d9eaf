import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { api } from '../../service/endpoints';
import { addDomains } from '../../service/lists/members';
import { ForbiddenError, NotFoundError } from '../../client/errors';
import { mapInParallel } from '../../concurrency';
import type { DomainOutcome } from '../../run/responses/batch-response';
import type { Run } from '../../run/run';
import { openRun } from '../open-run';
import type { Parameter } from '../parameters/declare';
import { createItemSource } from '../parameters/readers';
import { summarize } from '../run-hints';
import { toFailure, toSuccess, type Result } from './row-result';
import { groupTasks, runOnceInBatches, type CompanyRequest, type Task } from './tasks';
import { readDomainRows, type RowOptions } from './read';
import { toItems, toOutcomes } from './write';

/** What an item adds to which list. */
interface DomainAddition extends CompanyRequest {
  readonly listId: string;
}

/**
 * Adds the domains of all input items to their lists, each domain once, in few requests. Returns one
 * output item per input item, in input order, each paired with its input item. Rows without a usable
 * domain are not sent.
 *
 * @throws {NodeApiError | NodeOperationError} For the first failed item, if On Error is
 * Stop Workflow; otherwise failures become items.
 */
export async function addDomainsOfRows(
  context: IExecuteFunctions,
  options: RowOptions,
  list: Parameter<string>,
): Promise<INodeExecutionData[][]> {
  const rows = readDomainRows<DomainAddition>(context, options, ({ domain }, itemIndex) => {
    return { domain, listId: list.read(createItemSource(context, itemIndex)) };
  });
  const groups = groupTasks(rows.tasks, ({ listId }) => listId);
  const run = groups.length > 0 ? await openRun(context, options) : undefined;
  const requests =
    run === undefined
      ? []
      : await mapInParallel(
          groups,
          async (group) => await addToList(context, run, group[0].request.listId, group),
        );
  const output = toItems(context, toOutcomes(rows), { ...options, columns: COLUMNS });
  const facts = {
    domains: new Set(rows.tasks.map(({ request }) => request.domain)).size,
    requests: requests.reduce((sum, one) => sum + one, 0),
  };
  context.addExecutionHints(...summarize(rows, facts));
  return [output];
}

/** Columns of a row; further fields from the service follow. */
const COLUMNS = ['list_id', 'domain', 'status', 'reason', 'message'];

/** @returns The number of requests sent. */
async function addToList(
  context: IExecuteFunctions,
  run: Run,
  listId: string,
  tasks: ReadonlyArray<Task<DomainAddition>>,
): Promise<number> {
  let refused: Error | undefined;
  const { outcomes, requests } = await runOnceInBatches(context, run, tasks, {
    what: JSON.stringify(['add', listId]),
    endpoint: api.addDomains.path,
    // Two simultaneous changes of one list could cause a 409 (API spec: Lists, rule 3).
    atOnce: 1,
    act: async (part, batch) => {
      if (refused !== undefined) throw refused;
      try {
        return await addDomains(part, listId, batch);
      } catch (error) {
        // These errors are about the list, so they apply to all of its domains.
        if (error instanceof NotFoundError || error instanceof ForbiddenError) refused = error;
        throw error;
      }
    },
  });
  for (const task of tasks)
    task.outcome = toOutcome(task.request, outcomes.get(task.request.domain));
  return requests;
}

const NOT_MENTIONED = {
  status: 'not_mentioned',
  message: 'The service accepted the request, but its response does not mention this domain',
};

function toOutcome({ domain, listId }: DomainAddition, outcome: DomainOutcome | undefined): Result {
  if (outcome?.kind === 'failed') return toFailure(outcome.error, { domain });
  const came = (outcome?.kind === 'row' ? outcome.row : NOT_MENTIONED) as IDataObject;
  return toSuccess({ list_id: listId, domain, ...came });
}
