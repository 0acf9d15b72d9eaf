import {
  choice,
  collection,
  forRun,
  number,
  type Declared,
} from '../../src/n8n/parameters/declare';

/** Longer timers would overflow and fire immediately. */
export const A_WEEK_IN_MINUTES = 7 * 24 * 60;

export const maxCredits = forRun(
  number({
    displayName: 'Max Credits',
    name: 'maxCredits',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 0,
    description:
      'Maximum credits this run may spend; 0 means no limit. A request counts at its maximum cost until its response arrives. Companies read in the last 30 days count too, although they are free.',
    builderHint: {
      propertyHint:
        'Set it in workflows that run unattended. Items that it does not cover come out with the status skipped and the reason max_credits, and do not fail.',
    },
  }),
);

export const subdomains = choice({
  displayName: 'Subdomains',
  name: 'subdomains',
  type: 'options',
  options: [
    { name: 'Keep', value: 'keep', description: 'Use app.example.com itself' },
    { name: 'Strip', value: 'strip', description: 'Use example.com instead of app.example.com' },
  ],
  default: 'strip',
  description: 'Whether to use a subdomain itself or its main domain',
});

export const ifNotFound = choice({
  displayName: 'If Not Found',
  name: 'ifNotFound',
  type: 'options',
  options: [
    { name: 'Fail', value: 'error', description: 'The item fails' },
    {
      name: 'Return an Item',
      value: 'item',
      description: 'Return an item with found: false. Items with a result get found: true.',
    },
  ],
  default: 'error',
  description: 'What to do if the service has no matching record',
});

export function createOptions<D extends Declared>(own: D, description?: string) {
  return collection(
    {
      displayName: 'Options',
      name: 'options',
      placeholder: 'Add option',
      default: {},
      ...(description === undefined ? {} : { description }),
    },
    own,
  );
}
