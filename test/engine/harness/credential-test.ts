import { CredentialTestContext, ExecuteContext, RoutingNode } from 'n8n-core';
import {
  createRunExecutionData,
  NodeConnectionTypes,
  type IAuthenticateRuleResponseCode,
  type IAuthenticateRuleResponseSuccessBody,
  type ICredentialDataDecryptedObject,
  type ICredentialTestFunction,
  type ICredentialTestRequest,
  type ICredentialType,
  type INodeCredentialTestResult,
  type INodeType,
} from 'n8n-workflow';
import { createAdditionalData } from './additional-data';
import { buildWorkflow } from './build-workflow';
import { recordLogs } from './logging';
import { loadCredentialTypes, loadTestedBy } from './node-types';
import { node } from './workflow-description';

/** A node that does nothing but send the credential's test request, as n8n makes one for the purpose. */
function requestingNode(typeName: string, test: ICredentialTestRequest): INodeType {
  return {
    description: {
      name: 'credentialTest',
      displayName: 'Credential Test',
      group: ['transform'],
      version: 1,
      description: 'Sends the test request of a credential type',
      defaults: { name: 'Credential Test' },
      inputs: [NodeConnectionTypes.Main],
      outputs: [NodeConnectionTypes.Main],
      credentials: [{ name: typeName, required: true }],
      properties: [
        {
          displayName: 'Request',
          name: 'request',
          type: 'string',
          default: '',
          routing: { request: test.request },
        },
      ],
    },
  };
}

/**
 * What the Test button of a credential does, as n8n's server decides it (CredentialsTester): the type's
 * own `test` comes first; without one, the function by which a node says it is tested (`testedBy`).
 *
 * @param data what the user filled in; the type's defaults are added
 */
export async function testCredential(
  type: string | ICredentialType,
  data: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
  recordLogs();
  const typeName = typeof type === 'string' ? type : type.name;
  const own = typeof type === 'string' ? [] : [type];
  const test = (await loadCredentialTypes([typeName], own)).get(typeName)?.test;
  return test === undefined
    ? await callTest(typeName, await loadTestedBy(typeName), data, own)
    : await sendTest(typeName, test, data, own);
}

async function callTest(
  typeName: string,
  test: ICredentialTestFunction,
  data: ICredentialDataDecryptedObject,
  own: ICredentialType[],
): Promise<INodeCredentialTestResult> {
  const { credentialsHelper } = await buildWorkflow({
    nodes: [],
    credentials: { [typeName]: data },
    credentialTypes: own,
  });
  return await test.call(new CredentialTestContext(), {
    id: typeName,
    name: typeName,
    type: typeName,
    data: credentialsHelper.withDefaults(typeName, data),
  });
}

/**
 * Sends the declared `test.request`, authenticated, and judges the answer by status code and by the
 * type's rules. The request is n8n's own work from here on; the wording of a failure comes close to
 * n8n's, which lives in its server.
 */
async function sendTest(
  typeName: string,
  test: ICredentialTestRequest,
  data: ICredentialDataDecryptedObject,
  own: ICredentialType[],
): Promise<INodeCredentialTestResult> {
  const nodeType = requestingNode(typeName, test);
  const credentials = { [typeName]: data };
  const built = await buildWorkflow({
    nodes: [node(nodeType)],
    credentials,
    credentialTypes: own,
  });
  const testNode = built.nodes[0];
  if (testNode === undefined) throw new Error('The workflow was built without its node.');
  const inputData = { main: [[{ json: {} }]] };
  const context = new ExecuteContext(
    built.workflow,
    testNode,
    createAdditionalData(built),
    'internal',
    createRunExecutionData(),
    0,
    inputData.main[0] ?? [],
    inputData,
    { node: testNode, data: inputData, source: null },
    [],
  );
  const decrypted = {
    id: typeName,
    name: typeName,
    type: typeName,
    data: built.credentialsHelper.withDefaults(typeName, data),
  };
  try {
    const answer = await new RoutingNode(context, nodeType, decrypted).runNode();
    return judgeBody(test, answer?.[0]?.[0]?.json ?? {});
  } catch (error) {
    return judgeFailure(test, error as RequestFailure);
  }
}

const passed: INodeCredentialTestResult = { status: 'OK', message: 'Connection successful!' };

type Rule = IAuthenticateRuleResponseCode | IAuthenticateRuleResponseSuccessBody;

/** A success answer fails the test only when a rule says so. */
function judgeBody(
  test: ICredentialTestRequest,
  body: Record<string, unknown>,
): INodeCredentialTestResult {
  for (const rule of (test.rules ?? []) as Rule[]) {
    if (
      rule.type === 'responseSuccessBody' &&
      body[rule.properties.key] === rule.properties.value
    ) {
      return { status: 'Error', message: rule.properties.message };
    }
  }
  return passed;
}

/** The parts of n8n's request error that tell what the service answered. */
interface RequestFailure {
  message: string;
  httpCode?: string | null;
  description?: string | null;
}

function judgeFailure(
  test: ICredentialTestRequest,
  failure: RequestFailure,
): INodeCredentialTestResult {
  const status = Number(failure.httpCode);
  for (const rule of (test.rules ?? []) as Rule[]) {
    if (rule.type === 'responseCode' && status === rule.properties.value) {
      return { status: 'Error', message: rule.properties.message };
    }
  }
  return { status: 'Error', message: failure.message };
}
