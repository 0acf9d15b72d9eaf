import { flag, multipleChoice } from '../../src/n8n/parameters/declare';
import type { TriggerDefinition } from '../../src/n8n/triggers/poll';
import { fetchUsersDiff, sampleUsers, type UserEvent } from '../../src/watch/tech-users';
import { costNotice, createTriggerOptions } from '../shared/triggerOptions';
import { createUsedProductParameter } from '../TechUsers/usedProduct';

const parameters = {
  notice: costNotice(
    'A poll reads the newest evidence first and stops at what it already knows: usually 1 request. For a vendor, or if the total shows that companies were removed, it reads the whole list: 1 request per 10,000 companies. Cost: up to 1 credit per company read per 30 days.',
    60,
  ),
  used: createUsedProductParameter({
    displayName: 'Watch',
    name: 'watchBy',
    description: 'Whose users to watch',
  }),
  events: multipleChoice<UserEvent>({
    displayName: 'Events',
    name: 'events',
    type: 'multiOptions',
    options: [
      {
        name: 'Company Stopped Using',
        value: 'noLongerListed',
        description: 'A company was removed from the users',
      },
      {
        name: 'Company Started Using',
        value: 'startedUsing',
        description: 'A company is new among the users',
      },
    ],
    default: ['startedUsing'],
    description: 'Changes that start the workflow',
  }),
  options: createTriggerOptions(60, 'The service can take up to an hour to show what it detected', {
    firmographics: flag({
      displayName: 'Include Firmographics',
      name: 'firmographics',
      type: 'boolean',
      default: false,
      description:
        'Whether to return industry, size, country and age of companies. The service can add them up to an hour after the company.',
    }),
  }),
};

export const trigger: TriggerDefinition<UserEvent, typeof parameters> = {
  parameters,
  watched: (values) => values.used,
  about: ({ used: of }) =>
    of.by === 'technology' ? { tech_key: of.techKey } : { vendor_domain: of.vendorDomain },
  sample: () => sampleUsers(Date.now()),
  fetchDiff: async (run, { used, options: { firmographics } }, earlier) =>
    await fetchUsersDiff(run, { used, withFirmographics: firmographics }, earlier),
};
