import { isTechKey } from '../../src/input/inputs';
import { number, onOff, several } from '../../src/n8n/parameters/declare';
import type { Watch } from '../../src/n8n/triggers/watching';
import { lookAtUsers, sampleUsers, type UserEvent } from '../../src/watch/tech-users';
import { costNotice, firmographicsFilters, watchOptions } from '../shared/watch';
import { checkUsed, usedBy } from '../TechUsers/used';

const options = watchOptions(
  'users',
  60,
  'The lists follow what the service detects with a delay of up to an hour',
  {
    firmographics: onOff({
      displayName: 'Include Firmographics',
      name: 'firmographics',
      type: 'boolean',
      default: false,
      description:
        'Whether companies come with industry, size, country and age; with filters they always do',
    }),
    gapDays: number({
      displayName: 'Seen Again After (Days)',
      name: 'gapDays',
      type: 'number',
      typeOptions: { minValue: 1 },
      default: 90,
      description: 'How long nothing must have been seen for a company to be seen again',
    }),
  },
);

const parameters = {
  notice: costNotice(
    'A poll reads the newest evidence first and stops at what it knows: mostly 1 request. When the total shows that companies are gone, and for a vendor, it reads the whole list: 1 request per 10,000. Credits: at most 1 per company read in 30 days.',
    60,
  ),
  used: usedBy({ displayName: 'Watch', name: 'watchBy', description: 'Whose users to watch' }),
  events: several<UserEvent>({
    displayName: 'Events',
    name: 'events',
    type: 'multiOptions',
    options: [
      {
        name: 'Company No Longer Listed',
        value: 'noLongerListed',
        description: 'A company is not among the users any more',
      },
      {
        name: 'Company Seen Again',
        value: 'seenAgain',
        description: 'There is new evidence of a company after a gap',
      },
      {
        name: 'Company Started Using',
        value: 'startedUsing',
        description: 'A company came among the users',
      },
    ],
    default: ['startedUsing'],
    description: 'Which changes start the workflow',
  }),
  filters: firmographicsFilters,
  options,
};

/** Watches who uses a technology, or anything of a vendor. */
export const watch: Watch<UserEvent, typeof parameters> = {
  parameters,
  scope: (values) => ({ [values.used.by]: values.used, filters: values.filters }),
  about: ({ used: of }) =>
    of.by === 'technology' ? { tech_key: of.techKey } : { vendor_domain: of.vendorDomain },
  check: async (openRun, { used }) => {
    if (used.by === 'technology' && !isTechKey(used.techKey))
      await checkUsed(await openRun(), used);
  },
  sample: () => sampleUsers(Date.now()),
  look: async (run, values, earlier) =>
    await lookAtUsers(
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
