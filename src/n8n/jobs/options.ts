import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { rowOptionsShape } from '../bulk/options';
import {
  A_WEEK_IN_MINUTES,
  choiceOption,
  numberOption,
  readOptions,
  runOptionsShape,
} from '../run-options';

const waitShape = {
  ...runOptionsShape,
  maxWaitMinutes: numberOption('Max Wait (Minutes)', 0, A_WEEK_IN_MINUTES, 60),
  waitMode: choiceOption('Wait Mode', ['durable', 'inExecution'], 'durable'),
  ifStillRunning: choiceOption('If Still Running', ['item', 'error'], 'item'),
};

const waitOptions = z.object(waitShape);
const refreshOptions = z.object({ ...waitShape, ...rowOptionsShape('refresh') });

/** The options of operations that wait, defaults filled in. They hold for the whole run. */
export type WaitOptions = z.infer<typeof waitOptions>;
export type RefreshOptions = z.infer<typeof refreshOptions>;

/** @throws {NodeOperationError} that names the option which is wrong. */
export function readWaitOptions(context: IExecuteFunctions): WaitOptions {
  return readOptions(context, waitOptions);
}

/** @throws {NodeOperationError} that names the option which is wrong. */
export function readRefreshOptions(context: IExecuteFunctions): RefreshOptions {
  return readOptions(context, refreshOptions);
}
