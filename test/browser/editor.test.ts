import type { Locator, Page } from 'playwright-core';
import { startRealHost, type RealHost } from '../host/harness';
import { nodeOf, saveNew, to } from '../host/workflows';
import { Canvas } from './canvas';

/** n8n's editor as a user sees it: a node's operations, and the result of a credential test. */

let host: RealHost;
let page: Page;
let canvas: Canvas;
let close: () => Promise<void>;

beforeAll(async () => {
  const { openEditor } = await import('../../scripts/lib/editor.mjs');
  host = await startRealHost();
  ({ page, close } = await openEditor(host.n8nUrl, host.owner, { width: 1280, height: 900 }));
  canvas = new Canvas(page);
});

afterAll(async () => {
  await close();
  await host.stop();
});

test('shows every operation with an untruncated description when the operation list is opened', async () => {
  await page.goto(`${host.n8nUrl}/workflow/${host.example.workflowId}`);
  await (await canvas.node('Bulk Enrich')).dblclick();
  await page.getByTestId('parameter-input-operation').click();
  // The page also contains the hidden lists of other parameters.
  const choices = page.locator('[data-test-id="parameter-input-item"]:visible');
  await choices.first().waitFor();

  const names = await choices.allInnerTexts();
  expect(names.map((text) => text.split('\n')[0])).toEqual([
    'Enrich Companies',
    'Enrich Partnerships',
    'Estimate Cost',
    'Normalize Domains',
    // n8n adds this operation to every node whose credential can be used for requests.
    'Custom API Call',
  ]);

  const descriptions = choices.locator('.option-description');
  const shown = await descriptions.evaluateAll((all) =>
    all.map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight),
  );
  expect(shown).toEqual([0, 0, 0, 0]);
});

test('lists the expected fields in the next node before a run, without sending a request', async () => {
  const { id } = await saveNew(host, {
    name: 'Fields before a run',
    nodes: [
      nodeOf('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
      nodeOf('Bulk Enrich', 'n8n-nodes-company-intelligence.bulkEnrich', 1, {}),
      nodeOf('HubSpot', 'n8n-nodes-base.hubspot', 2.1, { resource: 'company' }),
    ],
    connections: {
      Start: { main: [[to('Bulk Enrich')]] },
      'Bulk Enrich': { main: [[to('HubSpot')]] },
    },
  });
  const requests = async () => (await host.report()).byKey.user?.requests ?? 0;
  const before = await requests();
  await page.goto(`${host.n8nUrl}/workflow/${id}`);
  await (await canvas.node('HubSpot')).dblclick();

  await canvas.input.getByText('Usually outputs the following fields').waitFor();
  for (const field of [
    'enriched_status',
    'enriched_company_name',
    'enriched_industry',
    'enriched_technology_names',
  ]) {
    await canvas.field(canvas.input, field).waitFor();
  }
  expect(await requests()).toBe(before);
});

test('accepts a user key in the credential test, and explains what is wrong with other keys', async () => {
  const dialog = await openCredential('companyIntelligenceUserApi');
  await expectPassed(dialog);

  await expectProblem(dialog, 'ci_user_wrong', 'rejected the API key');
  await expectProblem(dialog, host.keys.organization, 'This is an organization key');
  await fillKey(dialog, host.keys.user);
  await expectPassed(dialog);
  await expectPassed(await openCredential('companyIntelligenceOrganizationApi'));
});

/** Opens the form of the example's credential of a type. n8n tests the credential immediately. */
async function openCredential(type: string): Promise<Locator> {
  const all = (await host.rest.request('GET', '/rest/credentials')) as Array<{
    id: string;
    type: string;
  }>;
  const id = all.find((credential) => credential.type === type)?.id ?? '';
  await page.goto(`${host.n8nUrl}/home/credentials/${id}`);
  return page.getByTestId('editCredential-modal');
}

async function expectPassed(dialog: Locator): Promise<void> {
  const passed = dialog.getByText('Connection tested successfully');
  await passed.waitFor();
  expect(await passed.isVisible()).toBe(true);
}

/**
 * If a change coincides with the end of an earlier save, the form loses the change and its Save button.
 * The key is then typed again.
 */
async function fillKey(dialog: Locator, key: string): Promise<void> {
  const input = dialog.getByTestId('parameter-input-apiKey').locator('input');
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const tested = page
      .waitForResponse(/\/rest\/credentials\/test$/, { timeout: 5_000 })
      .catch(() => undefined);
    await input.fill(key);
    const save = dialog.getByTestId('credential-save-button');
    await save.click({ timeout: 3_000 }).catch(() => undefined);
    if ((await tested) !== undefined) return;
  }
  throw new Error('The form does not save the key.');
}

async function expectProblem(dialog: Locator, key: string, text: string): Promise<void> {
  await fillKey(dialog, key);
  await dialog.getByText('Couldn’t connect with these settings').waitFor();
  // Details that were opened once stay open.
  const closed = dialog.getByText('More details');
  if (await closed.isVisible()) await closed.click();
  await dialog.getByText(text).waitFor();
}
