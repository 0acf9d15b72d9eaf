import { copyFileSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.mjs';

/** The account of the demo's editor. It exists in the demo's own n8n, which listens on loopback only. */
export const demoOwner = {
  email: 'demo@example.com',
  password: 'Company-Demo-1',
  firstName: 'Demo',
  lastName: 'User',
};

/** Name, in n8n, of the example that the demo runs. */
export const exampleName = 'Enrich Messy Leads';

const workflowsFolder = join(projectRoot, 'examples', 'workflows');
const dataFolder = join(projectRoot, 'examples', 'data');

/** The folder in the example's paths, which is the right one for n8n's own Docker image. */
const EXAMPLE_FOLDER = '/home/node/.n8n-files';

/**
 * The example that the demo runs, imported into n8n with the other examples.
 *
 * @typedef {object} ImportedExample
 * @property {string} workflowId
 * @property {string} inputPath the messy leads
 * @property {string} outputPath the enriched leads, after the workflow has run
 * @property {() => Promise<import('./n8n-rest.mjs').Execution>} run removes the previous output and
 *   runs the workflow once
 */

/**
 * Puts the credentials and the example workflows into an n8n and their data into its files folder.
 * Replaces existing ones with the same name.
 *
 * @param {import('./n8n-rest.mjs').N8nRest} rest signed in
 * @param {import('./sandbox.mjs').Access & {filesFolder: string}} options
 * @returns {Promise<ImportedExample>}
 */
export async function importExample(rest, { baseUrl, keys, filesFolder }) {
  const limits = { requestsPerMinute: 600, redisUrl: '', allowedHttpRequestDomains: 'all' };
  const data = { baseUrl, ...limits };
  const user = await rest.saveCredential({
    name: 'Company Intelligence (user key)',
    type: 'companyIntelligenceUserApi',
    data: { ...data, apiKey: keys.user },
  });
  await rest.saveCredential({
    name: 'Company Intelligence (organization key)',
    type: 'companyIntelligenceOrganizationApi',
    data: { ...data, apiKey: keys.organization },
  });

  mkdirSync(filesFolder, { recursive: true });
  const folder = realpathSync(filesFolder);
  const inputPath = join(folder, 'messy-leads.csv');
  const outputPath = join(folder, 'enriched-leads.csv');
  for (const file of readdirSync(dataFolder))
    copyFileSync(join(dataFolder, file), join(folder, file));

  /** @type {Map<string, string>} */
  const ids = new Map();
  for (const file of readdirSync(workflowsFolder)) {
    /** @type {import('./n8n-rest.mjs').Workflow} */
    const workflow = JSON.parse(readFileSync(join(workflowsFolder, file), 'utf8'));
    for (const node of workflow.nodes) {
      for (const name of ['fileSelector', 'fileName']) {
        const path = node.parameters[name];
        if (path) node.parameters[name] = path.replace(EXAMPLE_FOLDER, folder);
      }
      const credential = node.credentials?.companyIntelligenceUserApi;
      if (credential) Object.assign(credential, { id: user.id, name: user.name });
    }
    const { id, name } = await rest.saveWorkflow(workflow);
    ids.set(name, id);
  }
  const workflowId = ids.get(exampleName) ?? '';

  return {
    workflowId,
    inputPath,
    outputPath,
    run() {
      rmSync(outputPath, { force: true });
      return rest.run(workflowId, { triggerName: 'Start' });
    },
  };
}
