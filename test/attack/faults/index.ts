import { ANSWERS } from './answers';
import { CONNECTION } from './connection';
import { ERROR_BODIES } from './error-bodies';
import type { Fault } from './fault';
import { REFUSALS } from './refusals';

export type { Fault } from './fault';

export const FAULTS: readonly Fault[] = [...CONNECTION, ...REFUSALS, ...ERROR_BODIES, ...ANSWERS];
