import type { Locator } from 'playwright-core';
import { nodeOf, saveNew, to } from '../host/workflows';
import { useEditor } from './canvas';

/** n8n's editor as a user sees it: a node's operations, and the result of a credential test. */

const { host, canvas } = useEditor({ width: 1280, height: 900 });

test('shows every operation with an untruncated description when the operation list is opened', async () => {
  await canvas.page.goto(`${host.n8nUrl}/workflow/${host.example.workflowId}`);
  await (await canvas.node('Bulk Enrich')).dblclick();
  await canvas.page.getByTestId('parameter-input-operation').click();
  // The page also contains the hidden lists of other parameters.
  const choices = canvas.page.locator('[data-test-id="parameter-input-item"]:visible');
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
  await canvas.page.goto(`${host.n8nUrl}/workflow/${id}`);
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

test('shows in the credential test that a key is accepted, or what is wrong with it', async () => {
  for (const type of ['companyIntelligenceUserApi', 'companyIntelligenceOrganizationApi']) {
    await (await openCredential(type)).getByText('Connection tested successfully').waitFor();
  }
  await host.changeCredential({ apiKey: host.keys.organization });
  const dialog = await openCredential('companyIntelligenceUserApi');
  await dialog.getByText('Couldn’t connect with these settings').waitFor();
  await dialog.getByText('More details').click();
  const problem = dialog.getByText('This is an organization key');
  await problem.waitFor();

  expect(await problem.isVisible()).toBe(true);
});

/** Opens the form of the example's credential of a type. n8n tests the credential immediately. */
async function openCredential(type: string): Promise<Locator> {
  const all = (await host.rest.request('GET', '/rest/credentials')) as Array<{
    id: string;
    type: string;
  }>;
  const id = all.find((credential) => credential.type === type)?.id ?? '';
  await canvas.page.goto(`${host.n8nUrl}/home/credentials/${id}`);
  return canvas.page.getByTestId('editCredential-modal');
}
