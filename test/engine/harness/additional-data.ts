import { ExternalSecretsProxy, type ExecutionLifecycleHooks } from 'n8n-core';
import type { IDataObject, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import type { HarnessCredentialsHelper } from './credentials';

/** What differs from run to run in the surroundings n8n gives to nodes. */
export interface Surroundings {
  credentialsHelper: HarnessCredentialsHelper;
  hooks?: ExecutionLifecycleHooks;
  executionId?: string;
  /** Receives what nodes send to the browser (`sendMessageToUI`, manual runs only). */
  sendDataToUI?: (type: string, data: IDataObject | IDataObject[]) => void;
  /** Runs sub-workflows; without it a node that starts one fails. */
  executeWorkflow?: IWorkflowExecuteAdditionalData['executeWorkflow'];
}

function absent(what: string) {
  return (): Promise<never> => Promise.reject(new Error(`The in-process engine has no ${what}.`));
}

/** n8n's surroundings of an execution: URLs that are never called, and only what `given` supplies. */
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
