import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { LIMITS } from '../../input/limits';
import { ADD_DOMAINS_PATH, addDomains } from '../../api/lists/members';
import { ForbiddenError, NotFoundError } from '../../client/errors';
import { inParallel } from '../../client/parallel';
import { eachItsOwn, type Row } from '../../run/answers/rows';
import type { BatchReport } from '../../run/batches';
import type { Run } from '../../run/run';
import { outputFor } from '../agents';
import { openRun } from '../open-run';
import { placeOf, valuesIn, type Parameter, type ValuesOf } from '../parameters/declare';
import { ItemParameters } from '../parameters/item-parameters';
import { resultsOf, type RowOptions, type WithDomain } from './domain-rows';
import { readGroups, type Group } from './groups';
import { rowItems, type RowResult } from './items';
import { onceInBatches } from './once-in-batches';
import { reportOf, summarize } from './summary';

/** What each item says beside its domain. */
interface ItemDeclared extends Readonly<Record<string, Parameter<unknown>>> {
  readonly listId: Parameter<string>;
  readonly additionalFields: Parameter<Row>;
}

type What = ValuesOf<ItemDeclared>;

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
  const { rows, groups } = readGroups(context, options, (itemIndex) =>
    valuesIn(parameters, placeOf(new ItemParameters(context, itemIndex))),
  );
  if (groups.length > 0) {
    const run = await openRun(context, options);
    await inParallel(groups, async (group) => {
      group.report = await addToList(context, run, group);
    });
  }
  const own = eachItsOwn();
  const results = resultsOf(rows, (row) => resultOf(row, own));
  const output = rowItems(context, results, options);
  context.addExecutionHints(...summarize(rows, reportOf(groups)));
  return [output];
}

async function addToList(
  context: IExecuteFunctions,
  run: Run,
  { what: { listId, additionalFields: more }, domains }: Group<What>,
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

const NOT_MENTIONED = {
  status: 'not_mentioned',
  message: 'The service accepted the request, but its answer does not mention this domain',
};

function resultOf(
  { found: { domain }, more: group }: WithDomain<Group<What> | undefined>,
  own: (row: Row) => Row,
): RowResult {
  const outcome = group?.report.outcomes.get(domain);
  if (outcome?.kind === 'failed') return { kind: 'failure', failure: outcome.error, domain };
  const came = (outcome?.kind === 'row' ? own(outcome.row) : NOT_MENTIONED) as IDataObject;
  return { kind: 'result', result: { list_id: group?.what.listId, domain, ...came } };
}
