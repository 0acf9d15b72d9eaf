import { readFileSync } from 'node:fs';

import type { Locator, Page } from 'playwright-core';

import { useRealHost } from '../host/harness';

const WHOLE = { exact: true };

const COUNT_CLICKS = `
  if (window.clicks === undefined) addEventListener('pointerdown', () => { window.clicks += 1; }, true);
  window.clicks = 0;
`;

/**
 * Actions of a user in n8n's editor with mouse and keyboard. Texts are the labels on the screen.
 */
class Canvas {
  /** Exists as soon as the editor is open. */
  page!: Page;

  get input(): Locator {
    return this.page.getByTestId('ndv-input-panel');
  }

  get output(): Locator {
    return this.page.getByTestId('output-panel');
  }

  async openEmpty(n8nUrl: string): Promise<void> {
    await this.page.addInitScript(COUNT_CLICKS);
    await this.page.goto(`${n8nUrl}/workflow/new`);
    await this.page.getByTestId('canvas-plus-button').waitFor();
  }

  async clicks(): Promise<number> {
    return Number(await this.page.evaluate('window.clicks'));
  }

  async addManualTrigger(): Promise<void> {
    await this.page.getByTestId('canvas-plus-button').click();
    await this.choose('Trigger manually');
    await this.page.getByTestId('canvas-node').waitFor();
  }

  async addTrigger(search: string, found: string): Promise<void> {
    await this.page.getByTestId('canvas-plus-button').click();
    await this.search(search, found);
  }

  private async search(search: string, ...found: readonly string[]): Promise<void> {
    await this.page.getByTestId('node-creator-search-bar').fill(search);
    for (const one of found) await this.choose(one);
    await this.page.getByTestId('node-execute-button').waitFor();
  }

  async add(search: string, ...found: readonly string[]): Promise<void> {
    await this.showAll();
    await this.page.getByTestId('node-creator-plus-button').click();
    await this.search(search, ...found);
  }

  async execute(): Promise<void> {
    await this.page.getByTestId('node-execute-button').click();
    await this.output.getByTestId('node-run-status-success').waitFor();
  }

  async close(): Promise<void> {
    await this.page.getByTestId('ndv-close-button').click();
  }

  parameter(name: string): Locator {
    return this.page.getByTestId(`parameter-input-${name}`);
  }

  async chooseValue(name: string, value: string): Promise<void> {
    await this.parameter(name).click();
    await this.page.getByRole('listbox').getByText(value, WHOLE).click();
  }

  async download(): Promise<Buffer> {
    const downloading = this.page.waitForEvent('download');
    await this.output.getByTestId('ndv-download-binary-data').click();
    return readFileSync(await (await downloading).path());
  }

  field(pane: Locator, name: string): Locator {
    return pane
      .getByTestId('run-data-schema-node-name')
      .and(this.page.locator(`[data-name="${name}"]`))
      .first();
  }

  async drag(from: Locator, to: Locator): Promise<void> {
    await from.hover();
    await this.page.mouse.down();
    // During the drag, n8n highlights the drop targets, which can move elements.
    for (const steps of [20, 1]) {
      const { x, y, width, height } = (await to.boundingBox())!;
      await this.page.mouse.move(x + width / 2, y + height / 2, { steps });
    }
    await this.page.mouse.up();
  }

  async node(name: string): Promise<Locator> {
    await this.showAll();
    return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
  }

  /**
   * Zooms to fit. n8n adds a new node in the visible area, even on top of another node if there is
   * no space.
   */
  private async showAll(): Promise<void> {
    await this.page.getByTestId('zoom-to-fit').click();
  }

  private async choose(text: string): Promise<void> {
    await this.page.getByTestId('node-creator-item-name').getByText(text, WHOLE).click();
  }
}

/** A real n8n with its editor in a browser window. */
export function useEditor(size: { readonly width: number; readonly height: number }) {
  const host = useRealHost();
  const canvas = new Canvas();
  let close: () => Promise<void>;
  beforeAll(async () => {
    const { openEditor } = await import('../../scripts/lib/editor.mjs');
    ({ page: canvas.page, close } = await openEditor(host.n8nUrl, host.owner, size));
  });
  afterAll(async () => {
    await close();
  });
  return { host, canvas };
}
