import { CredentialTestContext, LoadOptionsContext } from 'n8n-core';
import type {
  ICredentialDataDecryptedObject,
  ICredentialType,
  INodeCredentialTestResult,
  INodeListSearchResult,
  INodeParameters,
} from 'n8n-workflow';
import { buildWorkflow, createAdditionalData, node } from './build-workflow';
import { withDefaults, type CredentialsByType } from './credentials';
import { recordLogs } from './logging';
import { loadTestedBy } from './node-types';

/**
 * Tests a credential as its Test button does. n8n's server (CredentialsTester) calls the function
 * that a node declares for the type in `testedBy`.
 *
 * @param data the user's input; the type's defaults are added
 */
export async function testCredential(
  type: ICredentialType,
  data: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
  recordLogs();
  const { name } = type;
  const given = { id: name, name, type: name, data: withDefaults(type, data) };
  return await (await loadTestedBy(name)).call(new CredentialTestContext(), given);
}

/** The node whose dropdown is opened, with the user's input so far. */
interface OpenNode {
  type: string;
  parameters?: INodeParameters;
  credentials?: CredentialsByType;
}

/**
 * Searches in a resource locator: runs the node's `methods.listSearch` method of that name.
 *
 * @param filter the text that the user typed, if any
 */
export async function listSearch(
  { type, parameters, credentials }: OpenNode,
  method: string,
  filter?: string,
): Promise<INodeListSearchResult> {
  const { workflow, startNode, nodeTypes, credentialsHelper } = await buildWorkflow({
    nodes: [node(type, { parameters })],
    credentials,
  });
  const { methods } = nodeTypes.getByNameAndVersion(type);
  const found = methods?.listSearch?.[method];
  if (found === undefined) throw new Error(`There is no listSearch method "${method}".`);
  // The editor sends the values that it shows, including defaults. Workflow has filled these in.
  const currentNodeParameters = startNode.parameters;
  const additionalData = createAdditionalData({ credentialsHelper, currentNodeParameters });
  return await found.call(new LoadOptionsContext(workflow, startNode, additionalData, ''), filter);
}
