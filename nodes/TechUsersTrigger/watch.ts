import { isTechKey } from '../../src/input/inputs';
import { number, flag, multipleChoice } from '../../src/n8n/parameters/declare';
import type { Watch } from '../../src/n8n/triggers/poll';
import { assertTechKey } from '../../src/service/technologies';
import { fetchUsersDiff, sampleUsers, type UserEvent } from '../../src/watch/tech-users';
import { costNotice, firmographicsFilters, watchOptions } from '../shared/watch';
import { createUsedReader } from '../TechUsers/usedProduct';

const options = watchOptions(
  'users',
  60,
  'The service can take up to an hour to show what it detected',
  {
    firmographics: flag({
      displayName: 'Include Firmographics',
      name: 'firmographics',
      type: 'boolean',
      default: false,
      description:
        'Whether to return industry, size, country and age of companies; always on with filters',
    }),
    gapDays: number({
      displayName: 'Seen Again After (Days)',
      name: 'gapDays',
      type: 'number',
      typeOptions: { minValue: 1 },
      default: 90,
      description: 'Days without evidence of use after which new evidence counts as seen again',
    }),
  },
);

const parameters = {
  notice: costNotice(
    'A poll reads the newest evidence first and stops at what it already knows: usually 1 request. For a vendor, or if the total shows that companies are gone, it reads the whole list: 1 request per 10,000 companies. Cost: up to 1 credit per company read per 30 days.',
    60,
  ),
  used: createUsedReader({
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
        name: 'Company No Longer Listed',
        value: 'noLongerListed',
        description: 'A company is no longer among the users',
      },
      {
        name: 'Company Seen Again',
        value: 'seenAgain',
        description:
          'New evidence of use was found after a time without any; set the days under Options',
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
  filters: firmographicsFilters,
  options,
};

/** Watches which companies use a technology or a vendor's products. */
export const watch: Watch<UserEvent, typeof parameters> = {
  parameters,
  scope: (values) => ({ [values.used.by]: values.used, filters: values.filters }),
  about: ({ used: of }) =>
    of.by === 'technology' ? { tech_key: of.techKey } : { vendor_domain: of.vendorDomain },
  check: async (openRun, { used }) => {
    if (used.by === 'technology' && !isTechKey(used.techKey))
      await assertTechKey(await openRun(), used.techKey);
  },
  sample: () => sampleUsers(Date.now()),
  fetchDiff: async (run, values, earlier) =>
    await fetchUsersDiff(
      run,
      {
        used: values.used,
        filters: values.filters,
        withFirmographics: values.options.firmographics,
        gapDays: values.options.gapDays,
        maxGonePercent: values.options.maxGonePercent,
      },
      earlier,
    ),
};
