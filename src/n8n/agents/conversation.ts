import { takingTurns } from '../../taking-turns';

/*
 * The only owner of what the tools of one agent run have spent: an agent calls them in executions of
 * nodes that know nothing of each other, but n8n's execution is the same for all.
 */

/** What the tools of one execution have come to. */
interface Conversation {
  spent: number;
  /** Carries out calls that wait for each other. */
  readonly inTurn: ReturnType<typeof takingTurns>;
}

/** Executions that are remembered, the oldest first. */
const conversations = new Map<string, Conversation>();
const MOST_CONVERSATIONS = 1000;

function conversationOf(executionId: string): Conversation {
  const known = conversations.get(executionId) ?? { spent: 0, inTurn: takingTurns() };
  // The last one that was used is the last to be forgotten.
  conversations.delete(executionId);
  conversations.set(executionId, known);
  for (const [oldest] of conversations) {
    if (conversations.size <= MOST_CONVERSATIONS) break;
    conversations.delete(oldest);
  }
  return known;
}

/** What a call gave, and what it has spent at most. */
export interface Spent<T> {
  readonly value: T;
  readonly credits: number;
}

/**
 * Makes a call that counts for its conversation. With a limit, calls wait for each other, because only
 * what one has spent tells what is left for the next.
 *
 * @param limit credits of the conversation; 0 for no limit.
 * @param call gets the credits that are left.
 */
export async function inConversation<T>(
  executionId: string,
  limit: number,
  call: (left: number) => Promise<Spent<T>>,
): Promise<T> {
  const conversation = conversationOf(executionId);
  const act = async (): Promise<T> => {
    const left = limit === 0 ? Infinity : Math.max(0, limit - conversation.spent);
    const { value, credits } = await call(left);
    conversation.spent += credits;
    return value;
  };
  return limit === 0 ? await act() : await conversation.inTurn(act);
}
