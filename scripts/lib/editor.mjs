import { ensureChromium } from './chromium.mjs';

/**
 * Opens a headless browser window that is signed in to an n8n's editor.
 *
 * @param {string} url n8n's address
 * @param {import('./n8n-rest.mjs').Owner} owner an existing account
 * @param {{width: number, height: number, scale?: number}} size in CSS pixels; `scale`: device
 *   pixels per CSS pixel
 * @returns {Promise<{page: import('playwright-core').Page, close: () => Promise<void>}>}
 * @throws {import('./setup-error.mjs').SetupError} if there is no Chromium for this machine
 */
export async function openEditor(url, owner, { width, height, scale = 1 }) {
  const { executablePath, env } = await ensureChromium();
  // Import it late: it is missing until the project's dependencies are installed.
  const { chromium, selectors } = await import('playwright-core');
  selectors.setTestIdAttribute('data-test-id');
  // Containers run as root, where Chromium's own sandbox does not work. This browser visits only
  // loopback.
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox'],
    env: { ...process.env, ...env },
  });
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  // On a machine that is busy with other tests, n8n needs long to serve the editor.
  page.setDefaultTimeout(120_000);
  await page.goto(`${url}/signin`);
  await page.locator('input[name="emailOrLdapLoginId"]').fill(owner.email);
  await page.locator('input[name="password"]').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((address) => !address.pathname.startsWith('/signin'));
  return { page, close: () => browser.close() };
}
