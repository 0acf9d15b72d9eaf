import type { INodeProperties } from 'n8n-workflow';

import {
  collection,
  forRun,
  number,
  onOff,
  parameter,
  type Declared,
  type Parameter,
} from '../../src/n8n/parameters/declare';
import { textOf } from '../../src/n8n/parameters/values';
import { maxCredits, requestOptions } from './options';

const A_MONTH_IN_MINUTES = 30 * 24 * 60;

/**
 * What a poll costs, above the parameters of a trigger, and how often it reads at most.
 *
 * @param minMinutes the default of Min Minutes Between Reads.
 */
export function costNotice(text: string, minMinutes: number): Parameter<undefined> {
  const property: INodeProperties = {
    displayName: `${text} Whatever the Poll Times, it reads once in ${String(minMinutes)} minutes at most, unless Min Minutes Between Reads under Options says otherwise.`,
    name: 'costNotice',
    type: 'notice',
    default: '',
  };
  return { properties: [property], read: () => undefined };
}

/**
 * The Options of a trigger.
 *
 * @param gone what may vanish, in words: `members`.
 * @param minMinutes how long the data stays as it is, at the least.
 * @param why that is so, in a sentence.
 * @param own what the trigger offers itself.
 */
export function watchOptions<D extends Declared>(
  gone: string,
  minMinutes: number,
  why: string,
  own: D,
) {
  return requestOptions({
    ...own,
    emitExisting: onOff({
      displayName: 'Emit Existing',
      name: 'emitExisting',
      type: 'boolean',
      default: false,
      description:
        'Whether the first poll starts the workflow with all there is; otherwise it remembers and is silent',
    }),
    maxCredits: forRun({
      ...maxCredits,
      properties: maxCredits.properties.map((property) => ({
        ...property,
        description:
          'The most credits one poll may spend; 0 for no limit. A poll that would need more fails and emits nothing. Companies read in the last 30 days are free but count too.',
      })),
    }),
    maxGonePercent: number(
      {
        displayName: 'Max Gone at Once (%)',
        name: 'maxGonePercent',
        type: 'number',
        typeOptions: { minValue: 0, maxValue: 100 },
        default: 50,
        description: `How large a share of the ${gone} may be gone from one poll to the next. More is taken for a fault of the service: the poll fails with the figures and emits nothing. Fewer than ten are never a fault.`,
      },
      { whole: false },
    ),
    minMinutesBetweenReads: number(
      {
        displayName: 'Min Minutes Between Reads',
        name: 'minMinutesBetweenReads',
        type: 'number',
        typeOptions: { minValue: 0 },
        default: minMinutes,
        description: `How long a poll must wait after the last one; those that come sooner send no request. ${why}.`,
      },
      { max: A_MONTH_IN_MINUTES, whole: false },
    ),
  });
}

/** One field of the firmographics (interface: Company), with the values that are let through. */
function oneOf(displayName: string, name: string, placeholder: string) {
  return parameter(
    {
      displayName,
      name,
      type: 'string',
      default: '',
      placeholder,
      description:
        'Only companies with one of these, separated by semicolons, as the service writes them; whatever the case',
    },
    (value): string[] => {
      const given: unknown[] = Array.isArray(value) ? value : (textOf(value) ?? '').split(';');
      return given.map((one) => textOf(one)).filter((one) => one !== undefined);
    },
  );
}

/** Filters on what a company is like, for events that are about companies. */
export const firmographicsFilters = collection(
  {
    displayName: 'Filters',
    name: 'filters',
    placeholder: 'Add filter',
    default: {},
    description: 'Only companies that match all of them; a company without the field never matches',
  },
  {
    country: oneOf('Countries', 'country', 'e.g. Germany; Austria'),
    employee_range: oneOf('Employee Ranges', 'employeeRange', 'e.g. 51-200; 201-500'),
    industry: oneOf('Industries', 'industry', 'e.g. Software; Retail'),
  },
);
