import * as n8n from 'n8n-workflow';
import type {
  ICredentialDataDecryptedObject,
  IExecuteFunctions,
  INode,
  IWorkflowBase,
  IWorkflowDataProxyAdditionalKeys,
  IWorkflowSettings,
} from 'n8n-workflow';

/*
 * The one place that knows how the n8n versions differ on which this package runs, 1.123 (n8n-core
 * 1.122, n8n-workflow 1.120) and all of 2. What is newer than the oldest of them is asked for before
 * it is called. All else that the package imports from n8n-workflow, and calls on the execution
 * context, is there in 1.123.0; a test says what that is.
 *
 * | what                                          | since n8n-workflow | before                          |
 * | --------------------------------------------- | ------------------ | ------------------------------- |
 * | assertUrlAllowed, and an object given to      | 2.22.3             | the same rule, here             |
 * | getCredentialAllowedDomains                   |                    |                                 |
 * | its credentialOwnedSurface, for "None"        | 2.38.0             | n8n is not asked about "None"   |
 * | isToolExecution                               | 2.2.0              | the node's type tells           |
 * | getWorkflowSettings                           | 1.120.8, 2.5.0     | the settings of `workflow`      |
 * | results of a parked wait replace the items    | n8n 2.0.0          | not parked, with a hint         |
 * | its failure stops the workflow                | n8n 2.27.3         | not parked with On Error: Stop  |
 * | more than error and message in an error item  | n8n-core 2.35.2    | not used: see `errorItem`       |
 * | customData of the context                     | 2.20.0 or before   | what expressions get            |
 */

/** What may be missing in an older n8n, whatever its types promise. */
const newer: Partial<typeof n8n> = n8n;

/**
 * Refuses an address that the credential's Allowed Domains leave out. These fields are n8n's own; it
 * adds them to every credential type. "None" keeps a credential out of the HTTP Request node, where
 * anybody may type an address; here the address is the credential's own, so it is no reason to refuse.
 *
 * @throws {NodeOperationError} when the address is not allowed, or no domain is.
 */
export function assertAddressAllowed(
  node: INode,
  credentialData: ICredentialDataDecryptedObject,
  url: string,
): void {
  // Before 2.38 n8n itself would refuse; since then it agrees.
  if (credentialData.allowedHttpRequestDomains === 'none') return;
  const { assertUrlAllowed, getCredentialAllowedDomains } = newer;
  if (assertUrlAllowed === undefined || getCredentialAllowedDomains === undefined) {
    assertInDomains(node, credentialData, url);
    return;
  }
  const allowedDomains = getCredentialAllowedDomains({ node, credentialData });
  assertUrlAllowed({ url, node, ...(allowedDomains === undefined ? {} : { allowedDomains }) });
}

/** The rule of `assertUrlAllowed`; older functions of n8n take other arguments from version to version. */
export function assertInDomains(
  node: INode,
  { allowedHttpRequestDomains, allowedDomains }: ICredentialDataDecryptedObject,
  url: string,
): void {
  if (allowedHttpRequestDomains !== 'domains') return;
  const domains = (typeof allowedDomains === 'string' ? allowedDomains : '')
    .split(',')
    .map((domain) => withoutLastDot(domain.trim().toLowerCase()))
    .filter((domain) => domain !== '');
  if (domains.length === 0) {
    throw new n8n.NodeOperationError(node, 'The credential allows no domain at all', {
      description: 'Open the credential and fill in its Allowed Domains, or set them to All.',
    });
  }
  const host = withoutLastDot(new URL(url).hostname.toLowerCase());
  const isAllowed = domains.some((domain) =>
    domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain,
  );
  if (isAllowed) return;
  throw new n8n.NodeOperationError(
    node,
    `Domain not allowed: this credential may not be used with ${host}, only with ${domains.join(', ')}`,
    { description: 'Open the credential and correct its Allowed Domains or its Base URL.' },
  );
}

function withoutLastDot(host: string): string {
  return host.replace(/\.$/, '');
}

/**
 * Whether an agent runs the node as its tool. n8n says so only since 2.2, and not for tools that it
 * runs like other nodes (AI Agent 3); but all of them have a type of their own, which ends in Tool.
 */
export function isTool(context: IExecuteFunctions): boolean {
  const asked: Partial<Pick<IExecuteFunctions, 'isToolExecution'>> = context;
  return asked.isToolExecution?.() === true || context.getNode().type.endsWith('Tool');
}

/** The node that calls this one as its tool; unknown for AI Agent 3, which lets n8n run its tools. */
export function callerOf(context: IExecuteFunctions): INode | undefined {
  const asked: IExecuteFunctions & { readonly parentNode?: INode } = context;
  return asked.parentNode;
}

/** The settings of the workflow that runs; n8n's contexts have always held it, without saying so. */
export function workflowSettingsOf(context: IExecuteFunctions): IWorkflowSettings {
  const asked: Partial<Pick<IExecuteFunctions, 'getWorkflowSettings'>> & {
    readonly workflow?: { readonly settings?: IWorkflowSettings };
  } = context;
  return asked.getWorkflowSettings?.() ?? asked.workflow?.settings ?? {};
}

/**
 * Why a parked wait would go wrong on this n8n. What decides is in n8n's server, which a node cannot
 * ask, so functions that came with the same versions tell.
 *
 * @param stops whether a failure is to stop the workflow.
 * @returns undefined when it can be parked.
 */
export function whyNotParked(stops: boolean): string | undefined {
  const { calculateWorkflowChecksum, isNodeClassInstance } = newer;
  if (calculateWorkflowChecksum === undefined) {
    return 'n8n 1 goes on with the untouched items after a saved wait';
  }
  if (stops && isNodeClassInstance === undefined) {
    return 'before 2.27.3 n8n goes on after a saved wait that failed; another setting of On Error than Stop helps';
  }
  return undefined;
}

/**
 * Adds numbers to what n8n keeps of the execution (`customData`) under these names; n8n keeps ten
 * names at most.
 */
export function addUp(context: IExecuteFunctions, numbers: Readonly<Record<string, number>>): void {
  const asked: Partial<Pick<IExecuteFunctions, 'customData'>> = context;
  const proxy = (): IWorkflowDataProxyAdditionalKeys => context.getWorkflowDataProxy(0);
  const customData = asked.customData ?? proxy().$execution?.customData;
  if (customData === undefined) return;
  for (const [name, number] of Object.entries(numbers)) {
    const before = Number(customData.get(name));
    // Undefined where nothing was kept yet.
    customData.set(name, String((Number.isFinite(before) ? before : 0) + number));
  }
}

/**
 * A workflow that a node runs beside its own, and that nobody sees in a list.
 *
 * @param workflowId of the node's workflow: it counts as a part of that.
 * @param purpose in its name, behind the node's.
 */
export function inlineWorkflow(
  own: INode,
  workflowId: string,
  purpose: string,
  content: Pick<IWorkflowBase, 'nodes' | 'connections' | 'settings'>,
): IWorkflowBase {
  const now = new Date();
  return {
    id: workflowId,
    name: `${own.name}: ${purpose}`,
    active: false,
    activeVersionId: null,
    isArchived: false,
    createdAt: now,
    updatedAt: now,
    ...content,
  };
}
