import {
  choice,
  multipleChoice,
  parameter,
  shownIf,
  type Parameter,
} from '../../src/n8n/parameters/declare';
import type { TriggerDefinition } from '../../src/n8n/triggers/poll';
import { sampleAccountChanges, type AccountEvent } from '../../src/watch/account';
import { fetchAccountsDiff } from '../../src/watch/account-changes';
import { parseAccounts, type Accounts } from '../../src/watch/account-list';
import { listId } from '../shared/list';
import { costNotice, createTriggerOptions } from '../shared/triggerOptions';

const accountsFrom = choice({
  displayName: 'Accounts',
  name: 'accounts',
  type: 'options',
  options: [
    { name: 'Domains', value: 'domains', description: 'Entered here or from an expression' },
    {
      name: 'Saved List',
      value: 'list',
      description: 'The members of a saved list; needs a user key',
    },
  ],
  default: 'domains',
  description: 'Companies to watch, up to 50,000',
});

const domains = parameter(
  {
    displayName: 'Domains',
    name: 'domains',
    type: 'string',
    typeOptions: { rows: 5 },
    required: true,
    default: '',
    placeholder: 'e.g. example.com, example.org',
    description:
      'Domains, URLs or email addresses, separated by spaces, commas or line breaks. Entries without a domain are skipped. The first poll after you add one only records its current state.',
  },
  parseAccounts,
);

const accounts: Parameter<Accounts> = {
  properties: [
    ...accountsFrom.properties,
    ...shownIf({ accounts: ['domains'] }, domains).properties,
    ...shownIf({ accounts: ['list'] }, listId).properties,
  ],
  read: (place) =>
    accountsFrom.read(place) === 'domains'
      ? { from: 'domains', ...domains.read(place) }
      : { from: 'list', listId: listId.read(place) },
};

const events = multipleChoice<AccountEvent>({
  displayName: 'Events',
  name: 'events',
  type: 'multiOptions',
  options: [
    {
      name: 'Partnership Gained',
      value: 'partnershipGained',
      description: 'The company has a new partner',
    },
    {
      name: 'Partnership Lost',
      value: 'partnershipLost',
      description: 'A partner of the company was removed',
    },
    {
      name: 'Technology Adopted',
      value: 'technologyAdopted',
      description: 'A new technology was detected',
    },
    {
      name: 'Technology Dropped',
      value: 'technologyDropped',
      description: 'A technology of the company was removed',
    },
  ],
  default: ['technologyAdopted', 'technologyDropped'],
  description: 'Changes that start the workflow. Data for other changes is not read.',
});

const parameters = {
  notice: costNotice(
    'A poll sends 1 request per 100 accounts (500 for 50,000). For a saved list, it also reads the members (501 more). Cost: up to 1 credit per company per 30 days. With partnership events, each partner returned counts as a company too.',
    60,
  ),
  accounts,
  events,
  options: createTriggerOptions(
    60,
    'The service can take up to an hour to show what it detected',
    {},
  ),
};

export const trigger: TriggerDefinition<AccountEvent, typeof parameters> = {
  parameters,
  // Accounts can be added or removed at any time, because the state is stored per account.
  watched: ({ accounts: source }) => (source.from === 'list' ? source : source.from),
  about: () => ({}),
  sample: sampleAccountChanges,
  fetchDiff: fetchAccountsDiff,
};
