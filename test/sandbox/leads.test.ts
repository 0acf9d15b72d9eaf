/** Tests that the messy leads in the examples match the output of their generator. */
import { parse } from 'csv-parse/sync';
import { readFileSync } from 'node:fs';
import { LEADS_FILE, makeLeads } from '../../scripts/make-leads';

describe('examples/data/messy-leads.csv', () => {
  const committed = readFileSync(LEADS_FILE, 'utf8');
  const rows: Array<Record<string, string>> = parse(committed, { columns: true });

  test('matches the output of its generator', () => {
    expect(committed).toBe(makeLeads());
  });

  test('has 300 leads with unique IDs', () => {
    expect(rows).toHaveLength(300);
    expect(new Set(rows.map((row) => row.lead_id)).size).toBe(300);
    expect(Object.keys(rows[0] ?? {})).toEqual(['lead_id', 'company', 'full_name', 'source']);
  });
});
