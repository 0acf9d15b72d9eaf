import type { IPollFunctions } from 'n8n-workflow';

import { InputError } from '../../src/input/inputs';
import {
  choice,
  parameter,
  multipleChoice,
  shownIf,
  type Parameter,
} from '../../src/n8n/parameters/declare';
import { parseOptionalText } from '../../src/n8n/parameters/values';
import { readDataTable, type TableColumn } from '../../src/n8n/triggers/data-table';
import type { Watch } from '../../src/n8n/triggers/poll';
import type { AccountEvent, RivalGroups } from '../../src/watch/account';
import { diffAccounts, sampleAccountChanges } from '../../src/watch/account-changes';
import { parseAccounts, type Accounts } from '../../src/watch/account-list';
import { listId } from '../shared/list';
import { costNotice, watchOptions } from '../shared/watch';

const accountsFrom = choice({
  displayName: 'Accounts',
  name: 'accounts',
  type: 'options',
  options: [
    {
      name: 'Data Table',
      value: 'dataTable',
      description: 'A column of an n8n data table in the same project',
    },
    { name: 'Domains', value: 'domains', description: 'Entered here or from an expression' },
    { name: 'Saved List', value: 'list', description: 'The members of a list; needs a user key' },
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
      'Domains, URLs or email addresses, separated by spaces, commas or line breaks. The first poll after you add one only records its current state.',
  },
  parseAccounts,
);

const tableId = parameter(
  {
    displayName: 'Data Table ID',
    name: 'dataTableId',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. MrHp3tDpUDOyMqeM',
    description: 'ID of the table: the last part of its URL in n8n',
  },
  assertFilled,
);

const column = parameter(
  {
    displayName: 'Column',
    name: 'column',
    type: 'string',
    required: true,
    default: 'domain',
    description: 'Column that holds the domain of each company',
  },
  assertFilled,
);

function assertFilled(value: unknown, name: string): string {
  const text = parseOptionalText(value);
  if (text !== undefined) return text;
  throw new InputError(`"${name}" is empty`, 'Enter a value. Nothing was sent.');
}

/** Where the accounts come from. A table is read again by each poll. */
type Source =
  Exclude<Accounts, { from: 'column' }> | ({ readonly from: 'dataTable' } & TableColumn);

const accounts: Parameter<Source> = {
  properties: [
    ...accountsFrom.properties,
    ...shownIf({ accounts: ['domains'] }, domains).properties,
    ...shownIf({ accounts: ['list'] }, listId).properties,
    ...shownIf({ accounts: ['dataTable'] }, tableId).properties,
    ...shownIf({ accounts: ['dataTable'] }, column).properties,
  ],
  read: (place) => {
    const from = accountsFrom.read(place);
    if (from === 'domains') return { from, domains: domains.read(place) };
    if (from === 'list') return { from, listId: listId.read(place) };
    return { from, tableId: tableId.read(place), column: column.read(place) };
  },
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
      description: 'The company no longer has a partner',
    },
    {
      name: 'Partnership Type Changed',
      value: 'partnershipTypeChanged',
      description: 'The type of a partnership changed; only if the service reports the type',
    },
    {
      name: 'Technology Adopted',
      value: 'technologyAdopted',
      description: 'A new technology was detected',
    },
    {
      name: 'Technology Dropped',
      value: 'technologyDropped',
      description: 'A technology is no longer detected',
    },
    {
      name: 'Technology Migrated',
      value: 'technologyMigrated',
      description:
        'One of the Rivals replaced another: one event instead of an adopted and a dropped one',
    },
  ],
  default: ['technologyAdopted', 'technologyDropped', 'technologyMigrated'],
  description: 'Changes that start the workflow. Data for other changes is not read.',
});

const rivals = parameter(
  {
    displayName: 'Rivals',
    name: 'rivals',
    type: 'string',
    typeOptions: { rows: 3 },
    default: '',
    placeholder: 'e.g. hubspot, salesforce, pipedrive',
    description:
      'Keys of technologies that replace each other, separated by commas, one group per line. If one of a group appears and another disappears between two polls, that is a migration.',
    displayOptions: { show: { events: ['technologyMigrated'] } },
  },
  (value, name): RivalGroups => {
    const groups = (parseOptionalText(value) ?? '')
      .split('\n')
      .map((line) => line.split(',').map((key) => key.trim().toLowerCase()))
      .map((keys) => [...new Set(keys.filter((key) => key !== ''))])
      .filter((keys) => keys.length > 0);
    if (groups.every((keys) => keys.length > 1)) return groups;
    throw new InputError(
      `"${name}" needs at least two technologies per line`,
      'Separate the keys by commas.',
    );
  },
);

const options = watchOptions(
  'technologies and partnerships',
  60,
  'The service can take up to an hour to show what it detected',
  {},
);

const parameters = {
  notice: costNotice(
    'A poll sends 1 request per 100 accounts, and for a list 1 more per 1,000 members. Cost: up to 1 credit per company per 30 days. With partnership events, each partner returned counts as a company too.',
    60,
  ),
  accounts,
  events,
  rivals,
  options,
};

async function readAccounts(source: Source, context: IPollFunctions): Promise<Accounts> {
  if (source.from !== 'dataTable') return source;
  return { from: 'column', values: await readDataTable(context, source) };
}

/** Watches the technologies and partnerships of companies. */
export const watch: Watch<AccountEvent, typeof parameters> = {
  parameters,
  // Accounts can be added or removed at any time, because the state is stored per account.
  scope: ({ accounts: source }) =>
    source.from === 'domains' ? { accounts: source.from } : { accounts: source },
  about: () => ({}),
  sample: () => sampleAccountChanges(),
  fetchDiff: async (run, values, earlier, context) =>
    await diffAccounts(
      run,
      {
        accounts: await readAccounts(values.accounts, context),
        events: values.events,
        rivals: values.rivals,
        maxGonePercent: values.options.maxGonePercent,
      },
      earlier,
    ),
};
