import type { Line } from '../table';
import { file } from './file';
import { leads } from './leads';
import { leadsAtOnce } from './leads-at-once';
import { rate } from './rate';
import { rows } from './rows';
import { workers } from './workers';

/** All parts of the table, in its order. */
export const lines: readonly Line[] = [leads, leadsAtOnce, rate, workers, rows, file];
