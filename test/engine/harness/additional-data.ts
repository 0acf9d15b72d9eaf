import { ExternalSecretsProxy, type ExecutionLifecycleHooks } from 'n8n-core';
import type { IDataObject, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import type { HarnessCredentialsHelper } from './credentials';

/** Parts of n8n's additional data that differ from run to run. */
export interface Surroundings {
  credentialsHelper: HarnessCredentialsHelper;
  hooks?: ExecutionLifecycleHooks;
  executionId?: string;
  /** Receives the data that nodes send to the browser (`sendMessageToUI`, manual runs only). */
  sendDataToUI?: (type: string, data: IDataObject | IDataObject[]) => void;
  /** Runs sub-workflows. Without this function, a node that starts a sub-workflow fails. */
  executeWorkflow?: IWorkflowExecuteAdditionalData['executeWorkflow'];
}

function absent(what: string) {
  return (): Promise<never> => Promise.reject(new Error(`The in-process engine has no ${what}.`));
}

/**
 * Creates n8n's additional data for an execution: the parts in `given`, and URLs that nothing
 * calls.
 */
export function createAdditionalData(given: Surroundings): IWorkflowExecuteAdditionalData {
  const base = 'http://n8n.invalid/';
  return {
    credentialsHelper: given.credentialsHelper,
    externalSecretsProxy: new ExternalSecretsProxy(),
    executeWorkflow: given.executeWorkflow ?? absent('sub-workflows'),
    getRunExecutionData: absent('stored executions'),
    getRuntimeCredential: () => Promise.resolve(undefined),
    startRunnerTask: absent('task runner'),
    logAiEvent: () => undefined,
    currentNodeExecutionIndex: 0,
    restApiUrl: `${base}rest`,
    instanceBaseUrl: base,
    formBaseUrl: `${base}form`,
    formWaitingBaseUrl: `${base}form-waiting`,
    formTestBaseUrl: `${base}form-test`,
    webhookBaseUrl: `${base}webhook`,
    webhookWaitingBaseUrl: `${base}webhook-waiting`,
    webhookTestBaseUrl: `${base}webhook-test`,
    mcpBaseUrl: `${base}mcp`,
    mcpTestBaseUrl: `${base}mcp-test`,
    variables: {},
    ...(given.hooks && { hooks: given.hooks }),
    ...(given.executionId !== undefined && { executionId: given.executionId }),
    ...(given.sendDataToUI && { sendDataToUI: given.sendDataToUI }),
  };
}
