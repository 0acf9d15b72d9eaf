import { join } from 'node:path';
import sharp from 'sharp';

/** Domain of a company in the local service. */
const DOMAIN = 'valleyfinch.com.au';

/** Width of the picture in pixels, the maximum that the README shows. */
const WIDTH = 960;

/**
 * Takes the README's animated picture of the first lead, from an empty canvas to the row of a
 * company.
 *
 * @param {import('playwright-core').Page} page signed in to the editor of a running demo
 * @param {string} url of the editor
 * @param {string} folder folder for the picture
 * @returns {Promise<string>} the name of the file
 */
export async function takeFirstLead(page, url, folder) {
  /** @type {{picture: Buffer, ms: number}[]} */
  const frames = [];
  const look = async (/** @type {number} */ ms) => {
    // Panels slide in, and nothing in the page shows when the animation ends.
    await page.waitForTimeout(700);
    frames.push({ picture: await page.screenshot(), ms });
  };
  const found = (/** @type {string} */ text) =>
    page.getByTestId('node-creator-item-name').getByText(text, { exact: true });

  await page.goto(`${url}/workflow/new`);
  await page.getByTestId('canvas-plus-button').waitFor();
  await look(1500);
  await page.getByTestId('canvas-plus-button').click();
  await page.getByTestId('node-creator-search-bar').fill('company lookup');
  await found('Company Lookup').hover();
  await look(2000);
  await found('Company Lookup').click();
  await found('Get company').hover();
  await look(2000);
  await found('Get company').click();
  const domain = page.getByTestId('parameter-input-identifier').locator('input');
  await domain.waitFor();
  await look(2000);
  await domain.fill(DOMAIN);
  await look(1500);
  await page.getByTestId('node-execute-button').click();
  const output = page.getByTestId('output-panel');
  await output.getByTestId('radio-button-json').click();
  await output.getByText('company_name').waitFor();
  await look(5000);

  const name = 'first-lead.webp';
  const pictures = await Promise.all(
    frames.map(({ picture }) => sharp(picture).resize(WIDTH).png().toBuffer()),
  );
  await sharp(pictures, { join: { animated: true } })
    .webp({ quality: 80, effort: 6, delay: frames.map(({ ms }) => ms), loop: 0 })
    .toFile(join(folder, name));
  return name;
}
