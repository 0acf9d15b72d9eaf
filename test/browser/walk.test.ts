import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { outcomeOf, readCsv } from '../host/example';
import { Service } from '../host/service';
import { dataOf, send, untilRun } from '../host/workflows';
import { useEditor } from './canvas';

/**
 * Walks through the README's three recipes with mouse and keyboard, as a user who writes no
 * expressions. The recipes are: leads from a file to an enriched spreadsheet, leads of a form to a
 * CRM, and a list to a file. Each walk starts from an empty canvas. The test prints the seconds and
 * clicks of each walk.
 */

type Row = Record<string, string>;

/** Columns that contain a value for every company that the service tracks. */
const COLUMNS = [
  ...['domain', 'status', 'company_name', 'industry', 'employee_range', 'country'],
  ...['technology_count', 'technology_names'],
].map((name) => `enriched_${name}`);

const TRACKED = 195;

/** Leads of a form: two of tracked companies, and one for each reason why a company has no data. */
const FORM_LEADS = [
  ...['jo@valleyfinch.com.au', 'it@pineline.com', 'bob@gmail.com'],
  ...['nobody@unlisted-company-1.com', ''],
].map((email) => ({ email }));

const WEBSITE = 'company';

const ENRICH = 'Enrich companies';

const { host, canvas } = useEditor({ width: 1440, height: 1200 });
let leads: Row[];

beforeAll(async () => {
  // A new user has no credentials.
  const all = (await host.rest.request('GET', '/rest/credentials')) as Array<{ id: string }>;
  for (const { id } of all) await host.rest.request('DELETE', `/rest/credentials/${id}`);
  leads = readCsv(readFileSync(host.example.inputPath));
  canvas.page.setDefaultTimeout(60_000);
});

test('turns a file of leads into an enriched spreadsheet, built from an empty canvas', async () => {
  const begun = performance.now();
  await canvas.openEmpty(host.n8nUrl);
  await canvas.addManualTrigger();
  await canvas.add('read file', 'Read/Write Files from Disk', 'Read File(s) From Disk');
  await canvas.parameter('fileSelector').locator('input').fill(host.example.inputPath);
  await canvas.execute();
  await canvas.close();
  await canvas.add('extract', 'Extract from File', 'Extract from CSV');
  await canvas.execute();
  await canvas.close();
  await canvas.add('enrich leads', 'Bulk Enrich', ENRICH);
  await addCredential();
  await canvas.drag(canvas.field(canvas.input, WEBSITE), canvas.parameter('domain'));
  await canvas.parameter('domain').getByText(`$json.${WEBSITE}`).waitFor();
  await canvas.execute();
  for (const column of COLUMNS) await canvas.field(canvas.output, column).waitFor();
  await canvas.close();
  await canvas.add('csv', 'Convert to File', 'Convert to CSV');
  await canvas.execute();
  const file = await canvas.download();
  await printWalk(1, begun);

  expectSpreadsheet(file);
});

test('maps a result field by dragging it to the next node when the first lead is not tracked', async () => {
  expect(leads[0]?.['full_name']).toMatch(/^Prospect/);
  await canvas.close();
  // The next node is added behind it.
  await (await canvas.node(ENRICH)).click();
  await addEditFields();
  await canvas.page
    .getByTestId('assignment-value')
    .getByText('$json.enriched_company_name')
    .waitFor();
  await canvas.execute();
  await canvas.output.getByTestId('radio-button-table').click();
  const second = canvas.output.locator('tbody tr').nth(1);
  await second.getByText('Nova Bluff').waitFor();

  expect(leads[1]?.[WEBSITE]).toBe('novabluff.com.');
  const header = canvas.output.locator('thead');
  expect(await header.innerText()).toContain('enriched_company_name');
});

test('sends form leads to the true branch when their company is tracked, else to the false branch', async () => {
  const begun = performance.now();
  await canvas.openEmpty(host.n8nUrl);
  await canvas.addTrigger('webhook', 'Webhook');
  await canvas.chooseValue('httpMethod', 'POST');
  const path = await canvas.parameter('path').locator('input').inputValue();
  await canvas.page.getByTestId('node-execute-button').click();
  await canvas.page.getByTestId('trigger-listening').waitFor();
  await send(host, `webhook-test/${path}`, FORM_LEADS[0]);
  await canvas.output.getByTestId('node-run-status-success').waitFor();
  await canvas.close();
  await canvas.add('enrich leads', 'Bulk Enrich', ENRICH);
  await addCredential();
  await canvas.drag(canvas.field(canvas.input, 'email'), canvas.parameter('domain'));
  await canvas.page.getByTestId('tab-settings').click();
  await canvas.chooseValue('onError', 'Continue');
  await canvas.execute();
  await canvas.close();
  await canvas.add('if', 'If');
  await canvas.parameter('right').click();
  await canvas.page.keyboard.type('tracked');
  await canvas.page.keyboard.press('Tab');
  await untilSaved('tracked');
  await canvas.drag(canvas.field(canvas.input, 'enriched_status'), canvas.parameter('left'));
  await canvas.parameter('left').getByText('$json.enriched_status').waitFor();
  await canvas.page.getByTestId('node-execute-button').click();
  await canvas.output.getByText('True Branch (1 item)').waitFor();
  await canvas.close();
  // This node stands for a CRM.
  await addEditFields();
  await canvas.execute();
  await canvas.close();
  await untilSaved('tracked', 'enriched_company_name');
  await canvas.page.getByTestId('workflow-open-publish-modal-button').click();
  await canvas.page.getByTestId('workflow-publish-button').click();
  await canvas.page.getByTestId('workflow-publish-button').waitFor({ state: 'hidden' });
  await printWalk(2, begun);

  for (const lead of FORM_LEADS) await send(host, `webhook/${path}`, lead);
  expect(await untilSorted(FORM_LEADS.length)).toEqual([
    ['tracked', 'tracked'],
    ['invalid', 'invalid', 'not_tracked'],
  ]);
});

test('exports a list to CSV with Convert to File and with Format set to CSV File', async () => {
  const service = new Service(host);
  const list = await service.members(await service.createList());
  const members = list.map(({ primary_domain: domain }) => domain);
  const begun = performance.now();
  await canvas.openEmpty(host.n8nUrl);
  await canvas.addTrigger('schedule', 'Schedule Trigger');
  await canvas.close();
  await canvas.add('list members', 'List Members', 'Get many list members');
  await addCredential();
  await canvas.page.getByTestId('rlc-input').click();
  await canvas.page.getByTestId('rlc-item').getByText('Companies to call').click();
  await canvas.parameter('returnAll').click();
  await canvas.execute();
  await canvas.close();
  await canvas.add('csv', 'Convert to File', 'Convert to CSV');
  await canvas.execute();
  const converted = readCsv(await canvas.download());
  await printWalk(3, begun);
  await canvas.close();
  await (await canvas.node('Get many list members')).dblclick();
  await canvas.chooseValue('output', 'CSV File');
  await canvas.execute();
  const file = readCsv(await canvas.download());

  expect(members.length).toBeGreaterThan(5);
  for (const rows of [converted, file]) {
    expect(rows.map((row) => row['domain'])).toEqual(members);
    for (const row of rows) expect(row['company_name']).not.toBe('');
  }
});

async function addEditFields(): Promise<void> {
  await canvas.add('edit fields', 'Edit Fields (Set)');
  const dropArea = canvas.page.getByTestId('assignment-collection-drop-area');
  await canvas.drag(canvas.field(canvas.input, 'enriched_company_name'), dropArea);
}

async function printWalk(use: number, begun: number): Promise<void> {
  const seconds = Math.round((performance.now() - begun) / 1000);
  const clicks = await canvas.clicks();
  // Write to stdout without jest's decoration of console lines, because `npm test` repeats these
  // lines.
  process.stdout.write(`README walk ${use}: ${seconds} s, ${clicks} clicks from an empty canvas\n`);
}

/** n8n saves a moment after a change, and publishes the saved version. */
async function untilSaved(...texts: string[]): Promise<void> {
  for (;;) {
    const saved = JSON.stringify(await host.rest.request('GET', `/rest/workflows/${workflowId()}`));
    if (texts.every((text) => saved.includes(text))) return;
    await sleep(200);
  }
}

function workflowId(): string {
  return new URL(canvas.page.url()).pathname.split('/')[2] ?? '';
}

async function untilSorted(count: number): Promise<string[][]> {
  const finished = await untilRun(host, workflowId(), count);
  const data = await Promise.all(finished.map(async ({ id }) => await dataOf(host, id)));
  return [0, 1].map((output) =>
    data
      .flatMap((one) => outcomeOf(one).outputs('If', output))
      .map(({ enriched_status }) => enriched_status as string)
      .sort(),
  );
}

/** Does nothing if there is one already. n8n closes the form when its test has succeeded. */
async function addCredential(): Promise<void> {
  const saved = (await host.rest.request('GET', '/rest/credentials')) as unknown[];
  if (saved.length > 0) return;
  await canvas.page.getByTestId('node-credentials-empty-state').click();
  const form = canvas.page.getByTestId('editCredential-modal');
  await form.getByTestId('parameter-input-baseUrl').locator('input').fill(host.sandboxUrl);
  await form.getByTestId('parameter-input-apiKey').locator('input').fill(host.keys.user);
  await form.getByTestId('credential-save-button').click();
  await form.waitFor({ state: 'hidden' });
}

function expectSpreadsheet(file: Buffer): void {
  const [header = [], ...lines] = parse(file, { bom: true });
  expect(header).toEqual(expect.arrayContaining(COLUMNS));
  expect(new Set(header).size).toBe(header.length);
  expect(lines.map((cells) => cells.length)).toEqual(leads.map(() => header.length));

  const rows = readCsv(file);
  expect(rows).toMatchObject(leads);
  expect(rows[0]).toMatchObject({ enriched_status: 'not_tracked' });
  const tracked = rows.filter((row) => row['enriched_status'] === 'tracked');
  expect(tracked).toHaveLength(TRACKED);
  for (const row of tracked) expect(row['enriched_company_name']).not.toBe('');
  for (const cell of lines.flat()) expect(cell).not.toMatch(/\[object |^[[{]\s*["{[]/);
}
