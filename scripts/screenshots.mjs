#!/usr/bin/env node
/**
 * Takes the pictures for the README and the guides in the editor of a running demo:
 *
 *     npm run demo                         in one terminal
 *     node scripts/screenshots.mjs [url]   in another (default http://localhost:5678)
 *
 * A word after the url limits the pictures. `costs`: only those of the guide about costs. `fields`:
 * only the one that shows fields before a run. `examples`: only those of examples that have changed
 * since their picture was taken.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeCostPictures, takeCreditsOfCredential, withWorkflow } from './lib/cost-pictures.mjs';
import { openEditor } from './lib/editor.mjs';
import { demoOwner, exampleName } from './lib/example-workflow.mjs';
import { exampleFiles, examplesNow, picturedPath } from './lib/example-pictures.mjs';
import { takeFirstLead } from './lib/first-lead.mjs';
import { N8nRest } from './lib/n8n-rest.mjs';
import { projectRoot } from './lib/paths.mjs';
import { reportFailure } from './lib/setup-error.mjs';

const folder = join(projectRoot, 'docs', 'images');

/** Animations of the editor end within this time. Nothing in the page shows when they end. */
const SETTLE_MS = 1200;

/** Buttons that n8n shows at the bottom center of the canvas. */
const BUTTONS = ['execute-workflow-button', 'workflow-chat-button'].map(
  (id) => `[data-test-id="${id}"]`,
);

const [url = 'http://localhost:5678', only] = process.argv.slice(2);
try {
  mkdirSync(folder, { recursive: true });
  const rest = new N8nRest(url);
  await rest.signIn(demoOwner);
  const workflow = await find(rest, '/rest/workflows', exampleName);
  const credential = await find(rest, '/rest/credentials', 'Company Intelligence (user key)');
  const editor = await openEditor(url, demoOwner, { width: 1440, height: 810, scale: 1.5 });
  try {
    if (only === undefined || only === 'fields') {
      await takeFieldsBeforeRun(editor.page, rest, workflow);
    }
    if (only === undefined || only === 'examples') {
      await takePicturesOfExamples(editor.page, rest);
    }
    if (only === undefined) {
      console.log(join('docs', 'images', await takeFirstLead(editor.page, url, folder)));
      await takePictures(editor.page, workflow, credential);
      await takeFirstWorkflow(editor.page, rest, workflow);
      await drawNetwork(editor.page, rest);
    }
    if (only === undefined || only === 'costs') {
      await takeCostPictures(editor.page, url, rest, workflow, save);
      await takeCreditsOfCredential(editor.page, url, credential, save);
    }
  } finally {
    await editor.close();
  }
} catch (error) {
  reportFailure(error);
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} workflow id of the example
 * @param {string} credential id of the user key's credential
 */
async function takePictures(page, workflow, credential) {
  await page.goto(`${url}/workflow/${workflow}`);
  await page.getByTestId('execute-workflow-button').click();
  const last = page.locator('[data-test-id="canvas-node"][data-node-name="Write Enriched Leads"]');
  await last.getByTestId('canvas-node-status-success').waitFor();
  // The success message disappears automatically.
  await page.locator('.el-notification').last().waitFor({ state: 'detached' });
  await page.getByTestId('zoom-to-fit').click();
  // Otherwise the pointer would leave a tooltip in the picture.
  await page.mouse.move(720, 120);
  await save(page, 'workflow.png');

  await page.goto(`${url}/home/credentials/${credential}`);
  const dialog = page.getByTestId('editCredential-modal');
  await dialog.getByText('Connection tested successfully').waitFor();
  await save(page, 'credential.png');
}

/**
 * Takes a picture of Bulk Enrich as in the README's first workflow. The node in the example has a
 * different option.
 *
 * @param {import('playwright-core').Page} page
 * @param {N8nRest} rest
 * @param {string} example id of the example
 */
async function takeFirstWorkflow(page, rest, example) {
  const { nodes, connections, settings } = await rest.request('GET', `/rest/workflows/${example}`);
  const last = nodes.findIndex((/** @type {{name: string}} */ { name }) => name === 'Bulk Enrich');
  const before = nodes.slice(0, last);
  const options = { output: 'columns' };
  const enrich = { ...nodes[last], parameters: { ...nodes[last].parameters, options } };
  const first = {
    name: 'Your First Workflow',
    nodes: [...before, enrich],
    connections: Object.fromEntries(
      before.map((/** @type {{name: string}} */ { name }) => [name, connections[name] ?? {}]),
    ),
    settings,
  };
  await withWorkflow(rest, first, async (id) => {
    await page.goto(`${url}/workflow/${id}`);
    await page.getByTestId('execute-workflow-button').click();
    const node = page.locator(`[data-test-id="canvas-node"][data-node-name="${enrich.name}"]`);
    await node.getByTestId('canvas-node-status-success').waitFor();
    await page.locator('.el-notification').last().waitFor({ state: 'detached' });
    await node.dblclick();
    const panel = page.getByTestId('output-panel');
    await panel.getByText('300 items').waitFor();
    await panel.getByTestId('radio-button-json').click();
    // Scroll down, because the first leads of the file have no result to show.
    await scrollTo(page, panel, 'L0003');
    // Over the data, the pointer would make a button appear.
    await page.mouse.move(720, 10);
    await save(page, 'bulk-enrich.png');
  });
}

/**
 * Takes a picture of HubSpot after Bulk Enrich before either has run. The fields to map already
 * appear.
 *
 * @param {import('playwright-core').Page} page
 * @param {N8nRest} rest
 * @param {string} example id of the example
 */
async function takeFieldsBeforeRun(page, rest, example) {
  const { nodes } = await rest.request('GET', `/rest/workflows/${example}`);
  const used = nodes.filter((/** @type {{name: string}} */ { name }) =>
    ['Start', 'Bulk Enrich'].includes(name),
  );
  const crm = {
    id: 'crm',
    name: 'HubSpot',
    type: 'n8n-nodes-base.hubspot',
    typeVersion: 2.1,
    position: [1200, 0],
    parameters: { resource: 'company', operation: 'create' },
  };
  const to = (/** @type {string} */ node) => ({ main: [[{ node, type: 'main', index: 0 }]] });
  const fields = {
    name: 'Fields Before a Run',
    nodes: [...used, crm],
    connections: { Start: to('Bulk Enrich'), 'Bulk Enrich': to('HubSpot') },
    settings: { executionOrder: 'v1' },
  };
  await withWorkflow(rest, fields, async (id) => {
    await page.goto(`${url}/workflow/${id}`);
    await page.locator('[data-test-id="canvas-node"][data-node-name="HubSpot"]').dblclick();
    await page.getByText('Usually outputs the following fields').waitFor();
    await page.mouse.move(720, 10);
    await save(page, 'fields-before-run.png');
  });
}

/**
 * Scrolls n8n's JSON view until a text is at its top. The page contains only the visible part of
 * the data.
 *
 * @param {import('playwright-core').Page} page
 * @param {import('playwright-core').Locator} panel
 * @param {string} text
 */
async function scrollTo(page, panel, text) {
  const found = panel.getByText(text).first();
  await panel.locator('.json-data').hover();
  for (let turns = 0; !(await found.isVisible()); turns += 1) {
    if (turns > 100) throw new Error(`The JSON view has no "${text}".`);
    await page.mouse.wheel(0, 200);
    await page.waitForTimeout(50);
  }
  await found.evaluate((element) => element.scrollIntoView());
  // Otherwise the edge would cut the line.
  await page.mouse.wheel(0, -16);
}

/**
 * Takes a picture of every example's canvas, and records which version of the example it shows.
 *
 * @param {import('playwright-core').Page} page
 * @param {N8nRest} rest
 */
async function takePicturesOfExamples(page, rest) {
  mkdirSync(join(folder, 'examples'), { recursive: true });
  const now = examplesNow();
  const before = JSON.parse(readFileSync(picturedPath, 'utf8'));
  const taken = exampleFiles().filter(
    ({ file }) => only === undefined || now[file] !== before[file],
  );
  for (const { file, name } of taken) {
    await page.goto(`${url}/workflow/${await find(rest, '/rest/workflows', name)}`);
    await page.getByTestId('canvas-node').first().waitFor();
    // These buttons cover nodes of a large workflow.
    await page.addStyleTag({ content: `${BUTTONS.join()} { visibility: hidden }` });
    await page.getByTestId('zoom-to-fit').click();
    await page.mouse.move(720, 120);
    await save(page, join('examples', file.replace(/json$/, 'png')));
  }
  writeFileSync(picturedPath, `${JSON.stringify(now, undefined, 2)}\n`);
}

/**
 * Runs the example that draws a network, and saves the picture as n8n shows it.
 *
 * @param {import('playwright-core').Page} page
 * @param {N8nRest} rest
 */
async function drawNetwork(page, rest) {
  const id = await find(rest, '/rest/workflows', 'Draw a Partner Network');
  const { data } = await rest.run(id, { triggerName: 'Start' });
  const [item] = data.resultData.runData['Partner Graph'][0].data.main[0];
  const picture = encodeURIComponent(item.binary.data.id);
  const answer = await page.request.get(`${url}/rest/binary-data?id=${picture}&action=view`);
  if (!answer.ok()) throw new Error(`n8n doesn't show the picture: ${await answer.text()}`);
  writeFileSync(join(folder, 'partner-graph.png'), await answer.body());
  console.log(join('docs', 'images', 'partner-graph.png'));
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} name
 */
async function save(page, name) {
  await page.waitForTimeout(SETTLE_MS);
  await page.screenshot({ path: join(folder, name) });
  console.log(join('docs', 'images', name));
}

/**
 * @param {N8nRest} rest
 * @param {string} path REST path of a list
 * @param {string} name
 * @returns {Promise<string>} the id of the entry with that name
 */
async function find(rest, path, name) {
  /** @type {import('./lib/n8n-rest.mjs').Named[]} */
  const all = await rest.request('GET', path);
  const found = all.find((entry) => entry.name === name);
  if (!found) throw new Error(`${url} has no "${name}". Is the demo running there?`);
  return found.id;
}
