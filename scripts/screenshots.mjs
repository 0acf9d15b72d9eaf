#!/usr/bin/env node
/**
 * Takes the pictures of all examples in the editor of a running demo:
 *
 *     npm run demo                         in one terminal
 *     node scripts/screenshots.mjs [url]   in another (default http://localhost:5678)
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEditor } from './lib/editor.mjs';
import { demoOwner } from './lib/example-workflow.mjs';
import { N8nRest } from './lib/n8n-rest.mjs';
import { projectRoot } from './lib/paths.mjs';
import { reportFailure } from './lib/setup-error.mjs';

/** Animations of the editor end within this time. Nothing in the page shows when they end. */
const SETTLE_MS = 1200;

/** The buttons at the bottom center of the canvas cover nodes of a large workflow. */
const WITHOUT_BUTTONS =
  '[class*="executionButtons"], [class*="executionButtons"] * { visibility: hidden !important }';

const workflows = join(projectRoot, 'examples', 'workflows');
const [url = 'http://localhost:5678'] = process.argv.slice(2);
try {
  const rest = new N8nRest(url);
  await rest.signIn(demoOwner);
  /** @type {import('./lib/n8n-rest.mjs').Named[]} */
  const all = await rest.request('GET', '/rest/workflows');
  const editor = await openEditor(url, demoOwner, { width: 1440, height: 810, scale: 1.5 });
  try {
    for (const file of readdirSync(workflows)) {
      const { name } = JSON.parse(readFileSync(join(workflows, file), 'utf8'));
      const id = all.find((workflow) => workflow.name === name)?.id;
      if (id === undefined) throw new Error(`${url} has no "${name}". Is the demo running there?`);
      await takePicture(editor.page, id, file.replace(/json$/, 'png'));
    }
  } finally {
    await editor.close();
  }
} catch (error) {
  reportFailure(error);
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} workflowId
 * @param {string} name of the picture
 */
async function takePicture(page, workflowId, name) {
  await page.goto(`${url}/workflow/${workflowId}`);
  await page.getByTestId('canvas-node').first().waitFor();
  await page.addStyleTag({ content: WITHOUT_BUTTONS });
  await page.getByTestId('zoom-to-fit').click();
  // Above the canvas, the pointer leaves no tooltip and no toolbar in the picture.
  await page.mouse.move(720, 10);
  await page.waitForTimeout(SETTLE_MS);
  const path = join('docs', 'images', 'examples', name);
  await page.screenshot({ path: join(projectRoot, path) });
  console.log(path);
}
