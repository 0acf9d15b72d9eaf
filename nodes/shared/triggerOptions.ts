import type { INodeTypeDescription } from 'n8n-workflow';

import {
  withDescription,
  number,
  flag,
  type Declared,
  unread,
} from '../../src/n8n/parameters/declare';
import { maxCredits, createOptions } from './options';

const A_MONTH_IN_MINUTES = 30 * 24 * 60;

export const triggerPanel: INodeTypeDescription['triggerPanel'] = {
  executionsHelp:
    'There are two ways to run this workflow.<br /><br /><b>While you build it</b>, Fetch Test Event outputs a made-up change. It sends no request and costs nothing.<br /><br /><b>Once it is published</b>, n8n polls at the poll times. The first poll records the current state and emits nothing, unless Emit Existing is on. Later polls emit what has changed.',
  activationHint: 'Publish the workflow to watch for changes.',
};

/** @param minMinutes Default of Min Minutes Between Reads. */
export function costNotice(text: string, minMinutes: number) {
  return unread({
    displayName: `${text} Reads up to once every ${String(minMinutes)} minutes, whatever the poll times: see Min Minutes Between Reads under Options.`,
    name: 'costNotice',
    type: 'notice',
    default: '',
  });
}

/** @param why Reason for the default of Min Minutes Between Reads, without a final period. */
export function createTriggerOptions<D extends Declared>(minMinutes: number, why: string, own: D) {
  return createOptions({
    ...own,
    emitExisting: flag({
      displayName: 'Emit Existing',
      name: 'emitExisting',
      type: 'boolean',
      default: false,
      description:
        'Whether the first poll emits everything that exists. When off, it only records the current state.',
    }),
    maxCredits: withDescription(
      maxCredits,
      () =>
        'Maximum credits one poll may spend; 0 means no limit. A poll that needs more fails and emits nothing. To find out, it first reads one row of a list. Companies read in the last 30 days count too, although they are free.',
    ),
    minMinutesBetweenReads: number(
      {
        displayName: 'Min Minutes Between Reads',
        name: 'minMinutesBetweenReads',
        type: 'number',
        typeOptions: { minValue: 0 },
        default: minMinutes,
        description: `Minimum time between two polls that read. Earlier polls send no request. ${why}.`,
      },
      { max: A_MONTH_IN_MINUTES, whole: false },
    ),
  });
}
