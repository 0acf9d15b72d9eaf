import { parse } from 'csv-parse/sync';
import { readFileSync } from 'node:fs';
import { getWorld } from '../../sandbox/data/world';
import { LEADS_FILE, makeLeads } from '../../scripts/make-leads';

describe('examples/data/messy-leads.csv', () => {
  const committed = readFileSync(LEADS_FILE, 'utf8');
  const rows: Array<Record<string, string>> = parse(committed, { columns: true });

  test('is what its generator writes', () => {
    expect(committed).toBe(makeLeads());
  });

  test('has 300 leads with their own ids', () => {
    expect(rows).toHaveLength(300);
    expect(new Set(rows.map((row) => row.lead_id)).size).toBe(300);
    expect(Object.keys(rows[0] ?? {})).toEqual(['lead_id', 'company', 'full_name', 'source']);
  });

  test('60 to 65 % of the leads name a tracked company, many of them more than once', () => {
    const world = getWorld(3000, 1);
    const tracked = rows.flatMap((row) => {
      const host = (row.company ?? '')
        .trim()
        .toLowerCase()
        .replace(/^mailto:/, '')
        .replace(/^(?:https?:)?\/\//, '')
        .replace(/[/:?#].*$/, '')
        .replace(/^.*@/, '')
        .replace(/\.$/, '')
        .replace(/^(?:www|app|shop|blog)\./, '');
      return world.resolveDomain(host)?.id ?? [];
    });
    expect(tracked.length / rows.length).toBeGreaterThanOrEqual(0.6);
    expect(tracked.length / rows.length).toBeLessThanOrEqual(0.65);
    expect(new Set(tracked).size).toBe(150);
  });
});
