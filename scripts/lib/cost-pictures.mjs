import { exampleName } from './example-workflow.mjs';

/**
 * A picture in docs/guides/costs.md. It shows one node of a temporary workflow, opened after a run.
 *
 * @typedef {object} CostPicture
 * @property {string} file
 * @property {string} node the node's type, without the package
 * @property {Record<string, unknown>} parameters
 * @property {boolean} [leads] whether its input is the leads of the example; otherwise one empty item
 * @property {string} shows text that the output panel contains when the node is done
 * @property {string} [output] the output to show; defaults to the first
 * @property {boolean} [fails] whether the picture shows the node's error
 */

const domain = '={{ $json.company }}';
const byKey = (/** @type {string} */ value) => ({ __rl: true, mode: 'id', value });

/** @type {CostPicture[]} */
export const costPictures = [
  {
    file: 'estimate-cost.png',
    node: 'bulkEnrich',
    leads: true,
    parameters: { operation: 'estimateCost', domain, include: ['technologies'] },
    shows: 'credits_at_most',
  },
  {
    file: 'count-only.png',
    node: 'techUsers',
    parameters: {
      operation: 'getByTechnology',
      techKey: byKey('hubspot'),
      returnAll: true,
      countOnly: true,
    },
    shows: 'credits_at_most',
  },
  {
    file: 'only-first-companies.png',
    node: 'bulkEnrich',
    leads: true,
    parameters: {
      operation: 'enrichCompanies',
      domain,
      include: ['firmographics'],
      options: { onlyFirstCompanies: 25 },
    },
    shows: 'At this rate',
  },
  {
    file: 'cost-of-a-run.png',
    node: 'techUsers',
    parameters: { operation: 'getByTechnology', techKey: byKey('hubspot'), limit: 50 },
    shows: 'Return All would cost',
  },
  {
    file: 'max-credits.png',
    node: 'bulkEnrich',
    leads: true,
    parameters: {
      operation: 'enrichPartnerships',
      domain,
      options: { maxCredits: 20 },
    },
    shows: 'Spent before this error',
    fails: true,
  },
  {
    file: 'run-report.png',
    node: 'bulkEnrich',
    leads: true,
    parameters: {
      operation: 'enrichCompanies',
      domain,
      include: ['firmographics'],
      options: { runReport: true },
    },
    output: 'Run Report',
    shows: 'duplicate_rows',
  },
  {
    file: 'only-if-older.png',
    node: 'refreshAndWait',
    leads: true,
    parameters: {
      operation: 'refreshAndWait',
      domain,
      options: { onlyIfOlderThanDays: 30, lastSeenAt: '={{ $now.minus({ days: 3 }).toISO() }}' },
    },
    shows: 'recent enough',
  },
];

/**
 * Takes the pictures of temporary workflows in the editor of a running demo.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} url of the editor
 * @param {import('./n8n-rest.mjs').N8nRest} rest
 * @param {string} example id of the example with the leads
 * @param {(page: import('playwright-core').Page, file: string) => Promise<void>} save
 */
export async function takeCostPictures(page, url, rest, example, save) {
  const whole = await rest.request('GET', `/rest/workflows/${example}`);
  for (const picture of costPictures) {
    await withWorkflow(rest, workflowOf(picture, whole), (id) => take(picture, id));
  }

  /**
   * @param {CostPicture} picture
   * @param {string} id id of its workflow
   */
  async function take(picture, id) {
    await page.goto(`${url}/workflow/${id}`);
    await page.getByTestId('execute-workflow-button').click();
    const node = page.locator(`[data-test-id="canvas-node"][data-node-name="${SHOWN}"]`);
    if (picture.fails) {
      // The notification about the error does not disappear automatically.
      await page.locator('.el-notification__closeBtn').first().click();
    } else {
      await node.getByTestId('canvas-node-status-success').waitFor();
      await page.locator('.el-notification').last().waitFor({ state: 'detached' });
    }
    await node.dblclick();
    const panel = page.getByTestId('output-panel');
    if (picture.output) await panel.getByText(picture.output).first().click();
    const json = panel.getByTestId('radio-button-json');
    if (await json.isVisible()) await json.click();
    await panel.getByText(picture.shows).first().waitFor();
    await save(page, picture.file);
  }
}

/**
 * Creates a temporary workflow in n8n and deletes it afterwards.
 *
 * @param {import('./n8n-rest.mjs').N8nRest} rest
 * @param {import('./n8n-rest.mjs').Workflow} workflow
 * @param {(id: string) => Promise<void>} use
 */
export async function withWorkflow(rest, workflow, use) {
  const { id } = await rest.saveWorkflow(workflow);
  await use(id);
  await rest.request('POST', `/rest/workflows/${id}/archive`);
  await rest.request('DELETE', `/rest/workflows/${id}`);
}

/**
 * Takes a picture of the credential with the field that limits the credits of every run.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} url of the editor
 * @param {string} credential id of the credential
 * @param {(page: import('playwright-core').Page, file: string) => Promise<void>} save
 */
export async function takeCreditsOfCredential(page, url, credential, save) {
  await page.goto(`${url}/home/credentials/${credential}`);
  const dialog = page.getByTestId('editCredential-modal');
  await dialog.getByText('Connection tested successfully').waitFor();
  await dialog.getByText('Max Credits per Run').first().scrollIntoViewIfNeeded();
  await save(page, 'max-credits-per-run.png');
}

/** Name of the node to open. */
const SHOWN = 'Cost Example';

/**
 * @param {CostPicture} picture
 * @param {import('./n8n-rest.mjs').Workflow} example
 * @returns {import('./n8n-rest.mjs').Workflow}
 */
function workflowOf({ file, node, leads, parameters }, example) {
  const wanted = leads ? ['Start', 'Read Leads', 'CSV to Rows'] : ['Start'];
  const before = example.nodes.filter(({ name }) => wanted.includes(name));
  const credentials = example.nodes.find(({ name }) => name === 'Bulk Enrich')?.credentials;
  const shown = {
    id: 'shown',
    name: SHOWN,
    type: `n8n-nodes-company-intelligence.${node}`,
    typeVersion: 1,
    position: [900, 0],
    parameters: { authentication: 'userKey', ...parameters },
    credentials,
  };
  const names = [...wanted, SHOWN];
  const connections = Object.fromEntries(
    wanted.map((name, index) => [
      name,
      { main: [[{ node: names[index + 1], type: 'main', index: 0 }]] },
    ]),
  );
  return {
    name: `${exampleName}: ${file}`,
    nodes: [...before, shown],
    connections,
    settings: { executionOrder: 'v1' },
  };
}
