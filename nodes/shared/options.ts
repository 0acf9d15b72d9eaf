import {
  choice,
  collection,
  forRun,
  number,
  type Declared,
} from '../../src/n8n/parameters/declare';

/** Longer timers would overflow and fire at once. */
const A_WEEK_IN_MINUTES = 7 * 24 * 60;
const AN_HOUR_IN_SECONDS = 60 * 60;

/** For operations that cost credits. */
export const maxCredits = forRun(
  number({
    displayName: 'Max Credits',
    name: 'maxCredits',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 0,
    description:
      'The most credits this run may spend; 0 for no limit. What is asked for counts in full until the answer shows how much it can have cost. Companies read in the last 30 days are free but count too.',
  }),
);

/** For all operations that send requests. */
const requests = {
  maxRateLimitWaitMinutes: forRun(
    number(
      {
        displayName: 'Max Rate Limit Wait (Minutes)',
        name: 'maxRateLimitWaitMinutes',
        type: 'number',
        typeOptions: { minValue: 0 },
        default: 10,
        description:
          'How long a request may wait in all because the rate limit of the key is used up',
      },
      { max: A_WEEK_IN_MINUTES, whole: false },
    ),
  ),
  requestTimeoutSeconds: forRun(
    number(
      {
        displayName: 'Request Timeout (Seconds)',
        name: 'requestTimeoutSeconds',
        type: 'number',
        typeOptions: { minValue: 1 },
        default: 60,
        description: 'How long one request may take before it is given up',
      },
      { max: AN_HOUR_IN_SECONDS, whole: false },
    ),
  ),
};

function subdomainsBeing(usual: 'keep' | 'strip', keep: string) {
  return choice({
    displayName: 'Subdomains',
    name: 'subdomains',
    type: 'options',
    options: [
      { name: 'Keep', value: 'keep', description: keep },
      {
        name: 'Strip',
        value: 'strip',
        description: 'Ask for example.com instead of app.example.com',
      },
    ],
    default: usual,
    description: 'What to do with hosts below the domain of a company',
  });
}

export const subdomains = subdomainsBeing('strip', 'Ask for app.example.com as it is');
/** For vendors, which are found by their exact domain (interface: Technologies, rule 2). */
export const vendorSubdomains = subdomainsBeing(
  'keep',
  'Ask for app.example.com as it is; once this is chosen, for www.example.com too',
);

export const ifNotFound = choice({
  displayName: 'If Not Found',
  name: 'ifNotFound',
  type: 'options',
  options: [
    { name: 'Fail', value: 'error', description: 'Treat it as an error' },
    {
      name: 'Return an Item',
      value: 'item',
      description: 'Return an item with found: false; what is found says found: true',
    },
  ],
  default: 'error',
  description: 'What to do when the service does not know what was asked for',
});

/** @param holds the objects beside the rows, in words. */
export function header(holds: string) {
  return choice({
    displayName: 'Header',
    name: 'header',
    type: 'options',
    options: [
      { name: 'Add to Each Row', value: 'addToRows' },
      { name: 'Leave Out', value: 'omit' },
      {
        name: 'Return Alone',
        value: 'only',
        description: 'One item without rows; asks for a single row only',
      },
    ],
    default: 'omit',
    description: `What to do with the fields beside the rows: ${holds}`,
  });
}

/** The Options collection of an operation that sends no requests. */
export function options<D extends Declared>(own: D, description?: string) {
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

/** The Options collection of an operation that sends requests, with what it offers itself. */
export function requestOptions<D extends Declared>(own: D, description?: string) {
  return options({ ...requests, ...own }, description);
}
