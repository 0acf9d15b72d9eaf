import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { INodePropertyOptions } from 'n8n-workflow';
import type { Page } from 'playwright-core';
import { BulkEnrich } from '../../nodes/BulkEnrich/BulkEnrich.node';
import { startRealHost, type RealHost } from '../host/harness';
import { Canvas } from './canvas';

/**
 * The README's path to a first workflow, walked with mouse and keyboard by somebody who writes no
 * expressions: messy leads from a file, enriched, in a spreadsheet. How long that takes is printed.
 */

type Row = Record<string, string>;

/** Columns that every company has which the service knows. */
const COLUMNS = [
  'enriched_domain',
  'enriched_status',
  'enriched_company_name',
  'enriched_industry',
  'enriched_employee_range',
  'enriched_country',
  'enriched_technology_count',
  'enriched_technology_names',
];

/** Leads whose company the service knows; `npm run demo` prints it too. */
const TRACKED = 195;

/** The column of the leads that holds what people wrote as their company. */
const WEBSITE = 'company';

let host: RealHost;
let page: Page;
let canvas: Canvas;
let leads: Row[];
let close: () => Promise<void>;

beforeAll(async () => {
  const { openEditor } = await import('../../scripts/lib/editor.mjs');
  host = await startRealHost();
  // A beginner has none.
  await deleteAllCredentials();
  leads = readCsv(readFileSync(host.example.inputPath));
  ({ page, close } = await openEditor(host.n8nUrl, host.owner, { width: 1440, height: 1200 }));
  page.setDefaultTimeout(60_000);
  canvas = new Canvas(page);
});

afterAll(async () => {
  await close();
  await host.stop();
});

test('adding, dragging and running lead from an empty canvas to a spreadsheet', async () => {
  const begun = performance.now();
  await canvas.openEmpty(host.n8nUrl);
  await addLeads();
  await canvas.add('enrich leads', 'Bulk Enrich', actionOf('enrichCompanies'));
  await addCredential();
  await canvas.drag(canvas.field(canvas.input, WEBSITE), canvas.parameter('domain'));
  await canvas.parameter('domain').getByText(`$json.${WEBSITE}`).waitFor();
  await canvas.chooseOption('Output', 'output', 'Input Fields and Columns');
  await canvas.execute();
  for (const column of COLUMNS) await canvas.field(canvas.output, column).waitFor();
  await canvas.close();
  await canvas.add('csv', 'Convert to File', 'Convert to CSV');
  await canvas.execute();
  const downloading = page.waitForEvent('download');
  await canvas.output.getByTestId('ndv-download-binary-data').click();
  const file = readFileSync(await (await downloading).path());
  const seconds = Math.round((performance.now() - begun) / 1000);
  // Without what jest puts around the console's lines: `npm test` repeats this one.
  process.stdout.write(`README walk: ${seconds} s from an empty canvas to a CSV file\n`);

  expectSpreadsheet(file);
});

test('a field of the result can be dragged on, though nothing is known of the first lead', async () => {
  expect(leads[0]?.[WEBSITE]).toContain('KEIN-EINTRAG');
  await canvas.close();
  await canvas.select(actionOf('enrichCompanies'));
  await canvas.add('edit fields', 'Edit Fields (Set)');
  await canvas.drag(
    canvas.field(canvas.input, 'enriched_company_name'),
    page.getByTestId('assignment-collection-drop-area'),
  );
  await page.getByTestId('assignment-value').getByText('$json.enriched_company_name').waitFor();
  await canvas.execute();
  await canvas.output.getByTestId('radio-button-table').click();
  const third = canvas.output.locator('tbody tr').nth(2);
  await third.getByText('Valley Finch').waitFor();

  expect(leads[2]?.[WEBSITE]).toBe('valleyfinch.com.au/careers');
  const header = canvas.output.locator('thead');
  expect(await header.innerText()).toContain('enriched_company_name');
});

/** The first two steps: a trigger, and nodes that give rows. */
async function addLeads(): Promise<void> {
  await canvas.addManualTrigger();
  await canvas.add('read file', 'Read/Write Files from Disk', 'Read File(s) From Disk');
  await canvas.parameter('fileSelector').locator('input').fill(host.example.inputPath);
  await canvas.execute();
  await canvas.close();
  await canvas.add('extract', 'Extract from File', 'Extract from CSV');
  await canvas.execute();
  await canvas.close();
}

/** Makes a credential from within the open node; n8n closes the form when its test has succeeded. */
async function addCredential(): Promise<void> {
  await page.getByTestId('node-credentials-empty-state').click();
  const form = page.getByTestId('editCredential-modal');
  await form.getByTestId('parameter-input-baseUrl').locator('input').fill(host.sandboxUrl);
  await form.getByTestId('parameter-input-apiKey').locator('input').fill(host.keys.user);
  await form.getByTestId('credential-save-button').click();
  await form.waitFor({ state: 'hidden' });
}

async function deleteAllCredentials(): Promise<void> {
  const all = (await host.rest.request('GET', '/rest/credentials')) as Array<{ id: string }>;
  for (const { id } of all) await host.rest.request('DELETE', `/rest/credentials/${id}`);
}

/** What the panel and n8n call a new node that does this. */
function actionOf(operation: string): string {
  const { properties } = new BulkEnrich().description;
  const operations = properties.find(({ name }) => name === 'operation')?.options ?? [];
  const found = (operations as INodePropertyOptions[]).find(({ value }) => value === operation);
  return found?.action ?? '';
}

/** One header, one line for each lead in the same order, and a plain value in each cell. */
function expectSpreadsheet(file: Buffer): void {
  const [header = [], ...lines] = parse(file, { bom: true });
  expect(header).toEqual(expect.arrayContaining(COLUMNS));
  expect(new Set(header).size).toBe(header.length);
  expect(lines.map((cells) => cells.length)).toEqual(leads.map(() => header.length));

  const rows = readCsv(file);
  expect(rows.map((row) => pick(row, Object.keys(leads[0] ?? {})))).toEqual(leads);
  expect(rows[0]).toMatchObject({ enriched_status: 'not_tracked' });
  const tracked = rows.filter((row) => row['enriched_status'] === 'tracked');
  expect(tracked).toHaveLength(TRACKED);
  for (const row of tracked) expect(row['enriched_company_name']).not.toBe('');
  for (const cell of lines.flat()) expect(cell).not.toMatch(/\[object |^[[{]\s*["{[]/);
}

function pick(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, row[name] ?? '']));
}

function readCsv(file: Buffer): Row[] {
  return parse(file, { columns: true, bom: true });
}
