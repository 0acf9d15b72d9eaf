import { exportMembers } from '../../src/api/lists/export';
import { csvFileOutput } from '../../src/n8n/files/csv-file-output';
import { choice, described, onOff, parameter } from '../../src/n8n/parameters/declare';
import { textOf } from '../../src/n8n/parameters/values';
import { perItem } from '../../src/n8n/rows/per-item';
import { listId } from '../shared/list';
import { maxCredits, requestOptions } from '../shared/options';
import { outputProperty } from '../shared/output';

/** `GET /v1/lists/{list_id}/export.csv` */
export const exportCsv = perItem({
  option: {
    name: 'Export CSV',
    value: 'exportCsv',
    description:
      'Export all members as a file or items. Costs at most 1 credit per member, once in 30 days.',
    action: 'Export list as CSV',
  },
  parameters: {
    listId,
    output: choice({
      ...outputProperty,
      options: [
        {
          name: 'CSV File',
          value: 'csv',
          description: 'One item with the file as the service made it, as binary data',
        },
        { name: 'Items', value: 'items', description: 'One item for each row' },
      ],
      default: 'csv',
      description:
        'In what form to return the rows. Choose a file for more than about 10,000 rows.',
    }),
    options: requestOptions({
      escapeFormulas: onOff({
        displayName: 'Escape Formulas',
        name: 'escapeFormulas',
        type: 'boolean',
        default: false,
        description:
          'Whether cells that a spreadsheet would run as a formula get an apostrophe before them; nothing else of the export is changed',
      }),
      fileName: parameter(
        {
          displayName: 'File Name',
          name: 'fileName',
          type: 'string',
          default: '',
          placeholder: 'e.g. target-accounts.csv',
          description: 'Empty for the name that the service gives the file',
          displayOptions: { show: { '/output': ['csv'] } },
        },
        textOf,
      ),
      maxCredits: described(
        maxCredits,
        () =>
          'The most credits this run may spend; 0 for no limit. The members are counted first, and each counts as 1 credit: companies read in the last 30 days are free but count too.',
      ),
    }),
  },
  ask: async ({ listId: list, output, options }, { context, run, inTurn }) =>
    // One at a time, because a file is read at the pace at which it is stored.
    await inTurn(async () => {
      const file = await exportMembers(run, list);
      return await csvFileOutput(context, file, {
        ...options,
        output,
        fallbackName: `list-${list}.csv`,
        asked: { list_id: list },
      });
    }),
});
