import type { NodeExecutionHint } from 'n8n-workflow';

/** A sentence for above a node's output. */
export function hint(
  message: string,
  type: NonNullable<NodeExecutionHint['type']> = 'info',
): NodeExecutionHint {
  return { type, location: 'outputPane', message };
}
