import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { api } from '../../service/endpoints';
import { addDomains } from '../../service/lists/members';
import { ForbiddenError, NotFoundError } from '../../client/errors';
import { mapInParallel } from '../../concurrency';
import type { BatchReport, DomainOutcome } from '../../run/responses/batch-response';
import type { Run } from '../../run/run';
import type { Parameter } from '../parameters/declare';
import { createItemSource } from '../parameters/readers';
import { summarize } from '../run-hints';
import { groupRequests, joinResults, sendRows } from './engine';
import { runOnceInBatches } from './once-in-batches';
import { toFailure, toSuccess, type Result } from './row-result';
import { readDomainRows, type RowOptions } from './read';
import { toItems } from './write';

interface DomainAddition {
  readonly domain: string;
  readonly listId: string;
}

/**
 * Adds the domains of all input items to their lists, each domain once, in few requests. Returns one
 * output item per input item. Rows without a usable domain are not sent.
 */
export async function addDomainsOfRows(
  context: IExecuteFunctions,
  options: RowOptions,
  list: Parameter<string>,
): Promise<INodeExecutionData[][]> {
  const rows = readDomainRows<DomainAddition>(context, options, ({ domain }, itemIndex) => {
    return { domain, listId: list.read(createItemSource(context, itemIndex)) };
  });
  let requests = 0;
  const { results } = await sendRows(context, rows, {
    limits: options,
    fieldsOf: toFields,
    send: async (additions, run) => {
      const groups = groupRequests(additions.keys(), ({ listId }) => listId);
      const parts = await mapInParallel(groups, async (group) => {
        const items = new Map(group.map((one) => [one.domain, additions.get(one) ?? 0]));
        const { outcomes, requests: sent } = await addToList(context, run, group[0].listId, items);
        requests += sent;
        return group.map((one) => [one, toResult(one, outcomes.get(one.domain))] as const);
      });
      return new Map(parts.flat());
    },
  });
  const output = toItems(context, joinResults(rows, results), { ...options, columns: COLUMNS });
  const domains = new Set(Array.from(rows.requests.keys(), ({ domain }) => domain)).size;
  context.addExecutionHints(...summarize(rows, { domains, requests }));
  return [output];
}

/** Columns of a row; further fields from the service follow. */
const COLUMNS = ['list_id', 'domain', 'status', 'reason', 'message'];

async function addToList(
  context: IExecuteFunctions,
  run: Run,
  listId: string,
  items: ReadonlyMap<string, number>,
): Promise<BatchReport> {
  let refused: Error | undefined;
  return await runOnceInBatches(context, run, items, {
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
}

const NOT_MENTIONED = {
  status: 'not_mentioned',
  message: 'The service accepted the request, but its response does not mention this domain',
};

function toFields({ domain, listId }: DomainAddition): IDataObject {
  return { list_id: listId, domain };
}

function toResult(addition: DomainAddition, outcome: DomainOutcome | undefined): Result {
  if (outcome?.kind === 'failed') return toFailure(outcome.error, toFields(addition));
  const came = (outcome?.kind === 'row' ? outcome.row : NOT_MENTIONED) as IDataObject;
  return toSuccess({ ...toFields(addition), ...came });
}
