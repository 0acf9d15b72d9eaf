import type { z } from 'zod/v4';

import { createInvalidResponseError } from '../client/errors';
import type { Row } from '../values/json';
import { schemas } from './endpoint';
import type { network } from './schemas';

export type PartnerNetwork = z.infer<typeof network>;

export function readNetwork(row: Row): PartnerNetwork {
  const parsed = schemas().network.safeParse(row);
  if (parsed.success) return parsed.data;
  const [list, index, field] = (parsed.error.issues[0]?.path ?? []).map(String);
  const lacks = field === undefined ? 'is not usable' : `has no id "${field}"`;
  const entry = `${String(list)}: entry ${String(Number(index) + 1)} ${lacks}`;
  const problem = index === undefined ? `${String(list)} should be a list` : entry;
  throw createInvalidResponseError(`The response is not a graph: ${problem}`);
}
