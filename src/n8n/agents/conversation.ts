import { createSequentialQueue } from '../../sequential';

/*
 * The only place that tracks what the tools of one agent run have spent. An agent calls its tools as
 * separate node runs, but all belong to the same n8n execution.
 */

/** State of the tools of one execution. */
interface Conversation {
  spent: number;
  /** Runs calls one at a time. */
  readonly inTurn: ReturnType<typeof createSequentialQueue>;
}

/** Known executions, least recently used first. */
const conversations = new Map<string, Conversation>();
const MAX_CONVERSATIONS = 1000;

function getConversation(executionId: string): Conversation {
  const known = conversations.get(executionId) ?? { spent: 0, inTurn: createSequentialQueue() };
  // Move it to the end, because the least recently used entry is evicted first.
  conversations.delete(executionId);
  conversations.set(executionId, known);
  for (const [oldest] of conversations) {
    if (conversations.size <= MAX_CONVERSATIONS) break;
    conversations.delete(oldest);
  }
  return known;
}

/** Result of a call, and the maximum credits it spent. */
export interface ToolCallResult<T> {
  readonly value: T;
  readonly credits: number;
}

/**
 * Runs a call and adds its credits to the conversation. With a limit, calls run one at a time, because
 * the cost of one determines what remains for the next.
 *
 * @param limit Maximum credits of the conversation; 0 means no limit.
 * @param call Receives the remaining credits.
 */
export async function runInConversation<T>(
  executionId: string,
  limit: number,
  call: (left: number) => Promise<ToolCallResult<T>>,
): Promise<T> {
  const conversation = getConversation(executionId);
  const act = async (): Promise<T> => {
    const left = limit === 0 ? Infinity : Math.max(0, limit - conversation.spent);
    const { value, credits } = await call(left);
    conversation.spent += credits;
    return value;
  };
  return limit === 0 ? await act() : await conversation.inTurn(act);
}
