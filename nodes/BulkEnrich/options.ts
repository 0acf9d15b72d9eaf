import type { INodeProperties } from 'n8n-workflow';

import {
  maxCreditsOption,
  maxRateLimitWaitOption,
  optionsProperty,
  requestTimeoutOption,
  subdomainsOption,
} from '../shared/options';
import { freeMailOption, outputOption, resultFieldOption } from '../shared/rows';

const resultField = resultFieldOption('enrichment');

const spendRemaining: INodeProperties = {
  displayName: 'Spend Remaining Credits',
  name: 'spendRemainingCredits',
  type: 'boolean',
  default: false,
  description:
    'Whether to use up what is left when the credits no longer cover a batch: as many of its rows as they cover are asked for once more, then the run stops asking',
};

const WHOLE_RUN = 'They hold for the whole run, not for single items';

/** For the operations that ask the service. */
export const enrichOptions = optionsProperty(
  [
    freeMailOption,
    {
      ...maxCreditsOption,
      description: `${maxCreditsOption.description ?? ''}. With partnerships included, each partner returned counts as well, after it has arrived.`,
    },
    maxRateLimitWaitOption,
    outputOption,
    requestTimeoutOption,
    resultField,
    spendRemaining,
    subdomainsOption,
  ],
  WHOLE_RUN,
);

/** For the operation that only reads the rows. */
export const normalizeOptions = optionsProperty(
  [freeMailOption, outputOption, resultField, subdomainsOption],
  WHOLE_RUN,
);
