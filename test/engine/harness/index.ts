/**
 * Runs real workflows in process with n8n's own engine (n8n-core's WorkflowExecute): real
 * expressions, item linking, error outputs, retries and cancellation; no server, no database.
 */
export { testCredential } from './credential-test';
export { listSearch, loadOptions } from './load-methods';
export { PolledWorkflow } from './polling';
export { runWorkflow, startWorkflow } from './run-workflow';
export type { RunningWorkflow, WorkflowOptions } from './run-workflow';
export { defineNode } from './test-nodes';
export { node, source, sourceItems } from './workflow-description';
export type { CredentialsByType } from './credentials';
export type { NodeOptions, NodeSpec } from './workflow-description';
export { WorkflowRun } from './workflow-run';
