import { CredentialTestContext, LoadOptionsContext } from 'n8n-core';
import type {
  ICredentialDataDecryptedObject,
  ICredentialType,
  INodeCredentialTestResult,
  INodeListSearchResult,
  INodeParameters,
  INodePropertyOptions,
} from 'n8n-workflow';
import { createAdditionalData } from './additional-data';
import { buildWorkflow } from './build-workflow';
import { HarnessCredentialsHelper, type CredentialsByType } from './credentials';
import { recordLogs } from './logging';
import { loadCredentialTypes, loadTestedBy } from './node-types';
import { node } from './workflow-description';

/**
 * Tests a credential as its Test button does. n8n's server (CredentialsTester) calls the function
 * that a node declares for the type in `testedBy`.
 *
 * @param data the user's input; the type's defaults are added
 */
export async function testCredential(
  { name }: ICredentialType,
  data: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
  recordLogs();
  const test = await loadTestedBy(name);
  const helper = new HarnessCredentialsHelper(await loadCredentialTypes(), {});
  return await test.call(new CredentialTestContext(), {
    id: name,
    name,
    type: name,
    data: helper.withDefaults(name, data),
  });
}

/** The node whose dropdown is opened, with the user's input so far. */
export interface OpenNode {
  type: string;
  parameters?: INodeParameters;
  credentials?: CredentialsByType;
  /** Path of the dropdown's parameter in a collection: `parameters.groups.group[0].field`. */
  path?: string;
}

/** Opens a dropdown: runs the node's `methods.loadOptions` method of that name. */
export async function loadOptions(open: OpenNode, method: string): Promise<INodePropertyOptions[]> {
  const { nodeType, context } = await openNode(open);
  const found = nodeType.methods?.loadOptions?.[method];
  if (found === undefined) throw new Error(`There is no loadOptions method "${method}".`);
  return await found.call(context);
}

/**
 * Searches in a resource locator: runs the node's `methods.listSearch` method of that name.
 *
 * @param filter the text that the user typed, if any
 */
export async function listSearch(
  open: OpenNode,
  method: string,
  filter?: string,
): Promise<INodeListSearchResult> {
  const { nodeType, context } = await openNode(open);
  const found = nodeType.methods?.listSearch?.[method];
  if (found === undefined) throw new Error(`There is no listSearch method "${method}".`);
  return await found.call(context, filter);
}

async function openNode({ type, parameters, credentials, path = '' }: OpenNode) {
  const built = await buildWorkflow({
    nodes: [node(type, parameters && { parameters })],
    ...(credentials && { credentials }),
  });
  const opened = built.nodes[0];
  if (opened === undefined) throw new Error('The workflow was built without its node.');
  const additionalData = createAdditionalData(built);
  // The editor sends the values that it shows, including defaults. Workflow has filled these in.
  additionalData.currentNodeParameters = opened.parameters;
  return {
    nodeType: built.nodeTypes.getByNameAndVersion(opened.type, opened.typeVersion),
    context: new LoadOptionsContext(built.workflow, opened, additionalData, path),
  };
}
