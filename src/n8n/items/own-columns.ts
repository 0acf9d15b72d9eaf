import { listBulkCompanyFields, listEnrichmentFields } from '../../service/companies';
import { listFields, listCompanyColumns } from '../../service/endpoint';
import { api } from '../../service/endpoints';
import { getPossibleColumns } from '../../service/flat-company';

/*
 * Columns that operations can write next to the fields of a row. If the company of a row has changed,
 * values from an earlier run with other options, or from another operation with the same prefix, are
 * cleared. The user's own columns are not.
 */

/** Columns of Normalize Domains. */
export const NORMALIZED_COLUMNS = [
  'domain',
  'status',
  'host',
  'free_mail',
  'duplicate_of_item',
  'reason',
  'message',
];

/** Columns of rows whose company can be looked up by name. */
export const NAME_COLUMNS = ['matched_by', 'candidates'];

let enrichmentColumns: ReadonlySet<string> | undefined;

/** Whether Bulk Enrich or Company Lookup can write a column; Technology Columns are `has_…`. */
export function isEnrichmentColumn(column: string): boolean {
  enrichmentColumns ??= new Set([
    ...getPossibleColumns([
      ...listBulkCompanyFields(['technologies', 'partnerships', 'firmographics']),
      ...listCompanyColumns(listFields(api.company)),
      ...listEnrichmentFields(),
    ]),
    ...NORMALIZED_COLUMNS,
    ...NAME_COLUMNS,
    'last_seen_at',
  ]);
  return enrichmentColumns.has(column) || column.startsWith('has_');
}
