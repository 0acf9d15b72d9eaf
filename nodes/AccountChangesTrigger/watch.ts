import type { IPollFunctions } from 'n8n-workflow';

import { InputError } from '../../src/input/inputs';
import {
  choice,
  parameter,
  several,
  shownFor,
  type Parameter,
} from '../../src/n8n/parameters/declare';
import { textOf } from '../../src/n8n/parameters/values';
import { readDataTable, type TableColumn } from '../../src/n8n/triggers/data-table';
import type { Watch } from '../../src/n8n/triggers/watching';
import type { AccountEvent, Rivals } from '../../src/watch/account';
import { lookAtAccounts, sampleAccountChanges } from '../../src/watch/account-changes';
import { accountsIn, type Accounts } from '../../src/watch/account-list';
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
    { name: 'Domains', value: 'domains', description: 'Typed in, or from an expression' },
    { name: 'Saved List', value: 'list', description: 'The members of a list; needs a user key' },
  ],
  default: 'domains',
  description: 'Which companies to watch; at most 50,000',
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
      'Domains, URLs or e-mail addresses, separated by spaces, commas or line breaks. Those added later are only remembered at their first poll.',
  },
  accountsIn,
);

const tableId = parameter(
  {
    displayName: 'Data Table ID',
    name: 'dataTableId',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. MrHp3tDpUDOyMqeM',
    description: 'The ID of the table, the last part of its address in n8n',
  },
  filled,
);

const column = parameter(
  {
    displayName: 'Column',
    name: 'column',
    type: 'string',
    required: true,
    default: 'domain',
    description: 'The column that holds the domain of each company',
  },
  filled,
);

function filled(value: unknown, name: string): string {
  const text = textOf(value);
  if (text !== undefined) return text;
  throw new InputError(`"${name}" is empty`, 'Fill it in; nothing was sent.');
}

/** Where the accounts come from; a table is read with each poll. */
type Source =
  Exclude<Accounts, { from: 'column' }> | ({ readonly from: 'dataTable' } & TableColumn);

const accounts: Parameter<Source> = {
  properties: [
    ...accountsFrom.properties,
    ...shownFor({ accounts: ['domains'] }, domains).properties,
    ...shownFor({ accounts: ['list'] }, listId).properties,
    ...shownFor({ accounts: ['dataTable'] }, tableId).properties,
    ...shownFor({ accounts: ['dataTable'] }, column).properties,
  ],
  read: (place) => {
    const from = accountsFrom.read(place);
    if (from === 'domains') return { from, domains: domains.read(place) };
    if (from === 'list') return { from, listId: listId.read(place) };
    return { from, tableId: tableId.read(place), column: column.read(place) };
  },
};

const events = several<AccountEvent>({
  displayName: 'Events',
  name: 'events',
  type: 'multiOptions',
  options: [
    {
      name: 'Partnership Gained',
      value: 'partnershipGained',
      description: 'There is a partner that was not there before',
    },
    {
      name: 'Partnership Lost',
      value: 'partnershipLost',
      description: 'A partner is not there any more',
    },
    {
      name: 'Partnership Type Changed',
      value: 'partnershipTypeChanged',
      description: 'A partnership is of another type; only where the service says the type',
    },
    {
      name: 'Technology Adopted',
      value: 'technologyAdopted',
      description: 'A technology was detected that was not there before',
    },
    {
      name: 'Technology Dropped',
      value: 'technologyDropped',
      description: 'A technology is not detected any more',
    },
    {
      name: 'Technology Migrated',
      value: 'technologyMigrated',
      description: 'A rival took the place of a technology; one event instead of two',
    },
  ],
  default: ['technologyAdopted', 'technologyDropped', 'technologyMigrated'],
  description: 'Which changes start the workflow; for those not chosen nothing is read',
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
      "Keys of technologies that take each other's place, separated by commas; one group a line. When one of a group appears and another disappears between two polls, that is a migration.",
    displayOptions: { show: { events: ['technologyMigrated'] } },
  },
  (value, name): Rivals => {
    const groups = (textOf(value) ?? '')
      .split('\n')
      .map((line) => line.split(',').map((key) => key.trim().toLowerCase()))
      .map((keys) => [...new Set(keys.filter((key) => key !== ''))])
      .filter((keys) => keys.length > 0);
    if (groups.every((keys) => keys.length > 1)) return groups;
    throw new InputError(
      `"${name}" has a group of only one technology`,
      'Give at least two keys a line, separated by commas.',
    );
  },
);

const options = watchOptions(
  'technologies and partnerships',
  60,
  'What the service shows of companies follows what it detects with a delay of up to an hour',
  {},
);

const parameters = {
  notice: costNotice(
    'A poll sends 1 request per 100 accounts; for a list 1 more per 1,000 members. Credits: a company costs at most 1 in 30 days, however often it is polled. With partnership events each partner that is returned counts as a company too.',
    60,
  ),
  accounts,
  events,
  rivals,
  options,
};

async function accountsOf(source: Source, context: IPollFunctions): Promise<Accounts> {
  if (source.from !== 'dataTable') return source;
  return { from: 'column', values: await readDataTable(context, source) };
}

/** Watches the technologies and partnerships of companies. */
export const watch: Watch<AccountEvent, typeof parameters> = {
  parameters,
  // Which accounts there are may change at any time; each is remembered by itself.
  scope: ({ accounts: source }) =>
    source.from === 'domains' ? { accounts: source.from } : { accounts: source },
  about: () => ({}),
  sample: () => sampleAccountChanges(),
  look: async (run, values, earlier, context) =>
    await lookAtAccounts(
      run,
      {
        accounts: await accountsOf(values.accounts, context),
        events: values.events,
        rivals: values.rivals,
        maxGonePercent: values.options.maxGonePercent,
      },
      earlier,
    ),
};
