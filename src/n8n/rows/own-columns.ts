import { bulkCompanyFields } from '../../service/companies';
import { api } from '../../service/endpoints';
import { ENRICHMENT_FIELDS } from '../../service/enrichment';
import { possibleColumns } from '../../service/flat-company';

/*
 * Columns of operations whose results stand beside the fields of their rows. What an earlier run wrote
 * with other options, or another operation with the same prefix, is emptied where the company is
 * another one; a user's own columns are not.
 */

/** Columns of Normalize Domains. */
export const NORMALIZED_COLUMNS = [
  'domain',
  'status',
  'host',
  'free_mail',
  'duplicate_of',
  'reason',
  'message',
];

/** Columns of rows whose company may be looked up by its name. */
export const NAME_COLUMNS = ['matched_by', 'candidates'];

const OF_ENRICHMENT = new Set([
  ...possibleColumns([
    ...bulkCompanyFields(['technologies', 'partnerships', 'firmographics']),
    ...api.company.fields,
    ...ENRICHMENT_FIELDS,
  ]),
  ...NORMALIZED_COLUMNS,
  ...NAME_COLUMNS,
  'identifier',
]);

/** Whether a column may be of Bulk Enrich or Company Lookup; Technology Columns are `has_…`. */
export function isOfEnrichment(column: string): boolean {
  return OF_ENRICHMENT.has(column) || column.startsWith('has_');
}
