import type { Headers } from '../retry-after';

/** One HTTP request, ready to be sent. */
export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** From connecting to the last byte of the answer; of a streamed one, between two bytes. */
  readonly timeoutMs: number;
  /** A fresh connection rules out that a stale one swallows the request. */
  readonly freshConnection: boolean;
  readonly signal: AbortSignal | undefined;
}

/** What came of it. An exchange never throws: every way it can end is one of these. */
export type Exchange =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Headers;
      readonly body: string;
    }
  | Unanswered;

/** Why there is no answer. */
export type Unanswered = NoAnswer | { readonly kind: 'too-large' } | { readonly kind: 'cancelled' };

export interface NoAnswer extends Trouble {
  readonly kind: 'no-answer';
  /** False when the connection was never made, so that nothing can have been processed. */
  readonly maybeProcessed: boolean;
}

/** What went wrong on the way, without a word of the libraries that noticed it. */
export interface Trouble {
  /** In words; n8n replaces messages that hold the names of system errors. */
  readonly reason: string;
  /** What helps against it, where that is known. */
  readonly cure?: string;
  /** An answer came that nobody can read, and would come again. */
  readonly isUnreadable?: boolean;
}

/** Whether it is certain that nothing of the request has left this machine. */
export function nothingSent(outcome: { readonly kind: string }): boolean {
  return 'maybeProcessed' in outcome && outcome.maybeProcessed === false;
}
