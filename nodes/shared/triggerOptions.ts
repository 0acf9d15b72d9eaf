import {
  withDescription,
  number,
  flag,
  type Declared,
  unread,
} from '../../src/n8n/parameters/declare';
import { maxCredits, createOptions } from './options';

const A_MONTH_IN_MINUTES = 30 * 24 * 60;

/**
 * Returns the notice above the parameters of a trigger: what a poll costs and how often it reads.
 *
 * @param minMinutes Default of Min Minutes Between Reads, in minutes.
 */
export function costNotice(text: string, minMinutes: number) {
  return unread({
    displayName: `${text} Reads up to once every ${String(minMinutes)} minutes, whatever the poll times. Change this with Min Minutes Between Reads under Options.`,
    name: 'costNotice',
    type: 'notice',
    default: '',
  });
}

/**
 * Returns the Options of a trigger.
 *
 * @param minMinutes Default of Min Minutes Between Reads, in minutes.
 * @param why Reason for this default, as a sentence without a final period.
 * @param own Further options of the trigger.
 */
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
