import type { Line } from '../table';
import { cpu, first } from './client';

/** All parts of the table, in its order. */
export const lines: readonly Line[] = [first, cpu];
