/**
 * Runs real workflows in process with n8n's own engine (WorkflowExecute of n8n-core). Expressions,
 * item linking, error outputs, retries and cancellation are real; there is no server and no
 * database.
 */
export { listSearch, loadOptions, testCredential } from './editor';
export { PolledWorkflow } from './polling';
export { runWorkflow, startWorkflow } from './run-workflow';
export type { RunningWorkflow, WorkflowOptions } from './run-workflow';
export { defineNode } from './test-nodes';
export { node, source, sourceItems } from './workflow-description';
export type { CredentialsByType } from './credentials';
export type { NodeOptions, NodeSpec } from './workflow-description';
export { WorkflowRun } from './workflow-run';
