/**
 * Runs real workflows in process with n8n's own engine (n8n-core's WorkflowExecute): real
 * expressions, item linking, error outputs, retries and cancellation; no server, no database.
 */
export type { LogEntry } from './logging';
export { testCredential } from './credential-test';
export { listSearch, loadOptions } from './load-methods';
export type { OpenNode } from './load-methods';
export { PolledWorkflow } from './polling';
export { runWorkflow, startWorkflow } from './run-workflow';
export type { RunningWorkflow, WorkflowOptions } from './run-workflow';
export { defineNode } from './test-nodes';
export { editFields, node, source, sourceItems } from './workflow-description';
export type { CredentialsByType, NodeOptions, NodeSpec, Wire } from './workflow-description';
export { WorkflowRun } from './workflow-run';
