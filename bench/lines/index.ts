import type { Line } from '../table';
import { cpu, first } from './client';
import { companies, file } from './file';
import { growth } from './growth';
import { leads } from './leads';
import { leadsAtOnce, leadsInAStream } from './leads-at-once';
import { leadsByWebhook } from './leads-by-webhook';
import { lookups } from './lookups';
import { picture } from './picture';
import { queue } from './queue';
import { rate } from './rate';
import { refresh } from './refresh';
import { responses } from './responses';
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
  queue,
  rate,
  workers,
  cpu,
  rows,
  growth,
  file,
  companies,
  refresh,
  picture,
  responses,
];
