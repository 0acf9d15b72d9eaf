/**
 * Runs real workflows in process with n8n's own engine (WorkflowExecute of n8n-core). Expressions,
 * item linking, error outputs, retries and cancellation are real; there is no server and no
 * database.
 */
export { node, source, type NodeOptions, type NodeSpec } from './build-workflow';
export type { CredentialsByType } from './credentials';
export { listSearch, testCredential } from './editor';
export { PolledWorkflow } from './polling';
export { runWorkflow, startWorkflow, type WorkflowOptions } from './run-workflow';
export { defineNode } from './test-nodes';
export type { WorkflowRun } from './workflow-run';
