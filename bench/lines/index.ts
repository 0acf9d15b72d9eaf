import type { Line } from '../table';
import { cpu, first } from './client';
import { connections } from './connections';
import { companies, file } from './file';
import { leads } from './leads';
import { leadsAtOnce, leadsInAStream } from './leads-at-once';
import { leadsByWebhook } from './leads-by-webhook';
import { lookups } from './lookups';
import { picture } from './picture';
import { rate } from './rate';
import { refresh } from './refresh';
import { rows } from './rows';
import { workers } from './workers';

/** All parts of the table, in its order. */
export const lines: readonly Line[] = [
  leads,
  leadsAtOnce,
  leadsInAStream,
  leadsByWebhook,
  lookups,
  first,
  rate,
  workers,
  connections,
  cpu,
  rows,
  file,
  companies,
  refresh,
  picture,
];
