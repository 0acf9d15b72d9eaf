import * as n8n from 'n8n-workflow';
import type {
  ICredentialDataDecryptedObject,
  IExecuteFunctions,
  INode,
  IWorkflowDataProxyAdditionalKeys,
  IWorkflowSettings,
} from 'n8n-workflow';

/*
 * All differences between the supported n8n versions: 1.123 (n8n-core 1.122, n8n-workflow 1.120), 2, and 3.
 * All other functions of n8n that the package calls exist in 1.123.0; a test lists them.
 *
 * | what                                          | since n8n-workflow | before                          |
 * | --------------------------------------------- | ------------------ | ------------------------------- |
 * | assertUrlAllowed, and an object given to      | 2.22.3             | the same rule, here             |
 * | getCredentialAllowedDomains                   |                    |                                 |
 * | its credentialOwnedSurface, for "None"        | 2.38.0             | n8n is not asked about "None"   |
 * | isToolExecution                               | 2.2.0              | the node's type is checked      |
 * | getWorkflowSettings                           | 1.120.8, 2.5.0     | the settings of `workflow`      |
 * | results of a parked wait replace the items    | n8n 2.0.0          | not parked, with a hint         |
 * | its failure stops the workflow                | n8n 2.27.3         | not parked with On Error: Stop  |
 * | more than error and message in an error item  | n8n-core 2.35.2    | not used: see `toErrorItem`     |
 * | customData of the context                     | 2.20.0 or before   | what expressions get            |
 */

/** Functions can be missing in an older n8n, despite the types. */
const newer: Partial<typeof n8n> = n8n;

/**
 * n8n adds Allowed Domains to every credential type. "None" blocks the HTTP Request node, where anyone can
 * enter a URL; here the URL comes from the credential itself, so "None" is allowed.
 */
export function assertAddressAllowed(
  node: INode,
  credentialData: ICredentialDataDecryptedObject,
  url: string,
): void {
  // Before 2.38, n8n itself would reject "None"; since then, it allows it.
  if (credentialData.allowedHttpRequestDomains === 'none') return;
  const { assertUrlAllowed, getCredentialAllowedDomains } = newer;
  if (assertUrlAllowed === undefined || getCredentialAllowedDomains === undefined) {
    assertInAllowedDomains(node, credentialData, url);
    return;
  }
  const allowedDomains = getCredentialAllowedDomains({ node, credentialData });
  assertUrlAllowed({ url, node, ...(allowedDomains === undefined ? {} : { allowedDomains }) });
}

export function assertInAllowedDomains(
  node: INode,
  { allowedHttpRequestDomains, allowedDomains }: ICredentialDataDecryptedObject,
  url: string,
): void {
  if (allowedHttpRequestDomains !== 'domains') return;
  const domains = (typeof allowedDomains === 'string' ? allowedDomains : '')
    .split(',')
    .map((domain) => stripTrailingDot(domain.trim().toLowerCase()))
    .filter((domain) => domain !== '');
  if (domains.length === 0) {
    throw new n8n.NodeOperationError(node, 'The credential allows no domains', {
      description: 'Open the credential and enter its Allowed Domains, or set them to All.',
    });
  }
  const host = stripTrailingDot(new URL(url).hostname.toLowerCase());
  const isAllowed = domains.some((domain) =>
    domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain,
  );
  if (isAllowed) return;
  throw new n8n.NodeOperationError(
    node,
    `Domain not allowed: this credential can't be used with ${host}, only with ${domains.join(', ')}`,
    { description: 'Open the credential and correct its Allowed Domains or its Base URL.' },
  );
}

function stripTrailingDot(host: string): string {
  return host.replace(/\.$/, '');
}

/** n8n does not report tools that it runs like other nodes (AI Agent 3), but all tools' types end with Tool. */
export function isTool(context: IExecuteFunctions): boolean {
  const partial: Partial<Pick<IExecuteFunctions, 'isToolExecution'>> = context;
  return partial.isToolExecution?.() === true || context.getNode().type.endsWith('Tool');
}

/** Undefined for AI Agent 3, whose tools n8n runs. */
export function getCaller(context: IExecuteFunctions): INode | undefined {
  const partial: IExecuteFunctions & { readonly parentNode?: INode } = context;
  return partial.parentNode;
}

export function getWorkflowSettings(context: IExecuteFunctions): IWorkflowSettings {
  const partial: Partial<Pick<IExecuteFunctions, 'getWorkflowSettings'>> & {
    readonly workflow?: { readonly settings?: IWorkflowSettings };
  } = context;
  return partial.getWorkflowSettings?.() ?? partial.workflow?.settings ?? {};
}

/**
 * In Unix milliseconds. n8n computes this anew when an execution continues after a wait, so it can be too late
 * there. The field of the context is undocumented; without it, the time counts from now.
 */
export function getExecutionDeadline(context: IExecuteFunctions): number | undefined {
  const { additionalData }: { readonly additionalData?: { executionTimeoutTimestamp?: number } } =
    context as object;
  const { executionTimeout = 0 } = getWorkflowSettings(context);
  const ofWorkflow = executionTimeout > 0 ? Date.now() + executionTimeout * 1000 : undefined;
  return additionalData?.executionTimeoutTimestamp ?? ofWorkflow;
}

/**
 * Why a suspended wait would fail. A node cannot query n8n's server, so functions that were added in the same
 * versions serve as an indicator.
 *
 * @param stops Whether a failure stops the workflow.
 */
export function findSuspendObstacle(stops: boolean): string | undefined {
  const { calculateWorkflowChecksum, isNodeClassInstance } = newer;
  if (calculateWorkflowChecksum === undefined) {
    return 'after a saved wait, n8n 1 continues with the unchanged items';
  }
  if (stops && isNodeClassInstance === undefined) {
    return 'before 2.27.3, n8n continues after a saved wait that failed; set On Error to a Continue setting to avoid this';
  }
  return undefined;
}

/** n8n stores up to 10 names. */
export function addToExecutionData(
  context: IExecuteFunctions,
  numbers: Readonly<Record<string, number>>,
): void {
  const partial: Partial<Pick<IExecuteFunctions, 'customData'>> = context;
  const getProxy = (): IWorkflowDataProxyAdditionalKeys => context.getWorkflowDataProxy(0);
  const customData = partial.customData ?? getProxy().$execution?.customData;
  if (customData === undefined) return;
  for (const [name, number] of Object.entries(numbers)) {
    const before = Number(customData.get(name));
    customData.set(name, String((Number.isFinite(before) ? before : 0) + number));
  }
}
