/** What one node execution has sent, got and spent so far. */
export interface Figures extends Readonly<Tally> {
  /** Those sent again included. */
  readonly requests: number;
  /** As if nothing were free. */
  readonly creditsAtMost: number;
  /** Requests that may have been charged although no answer came. */
  readonly unanswered: number;
}

/** What only those know who read the answers. */
export interface Tally {
  /** Rows of lists that came. */
  rows: number;
  /** Rows of lists that were left out because of a limit, as far as the service says how many there are. */
  left: number;
  /** Companies that were asked for one by one, or in batches. */
  asked: number;
  /** Those of them that the service knows. */
  found: number;
  /** Companies that came and that this n8n had read before, so that they were free. */
  readBefore: number;
}

/** The tally of an execution that begins. */
export function newTally(): Tally {
  return { rows: 0, left: 0, asked: 0, found: 0, readBefore: 0 };
}

/** Those of an execution that has sent nothing. */
export const NO_FIGURES: Figures = {
  ...newTally(),
  requests: 0,
  creditsAtMost: 0,
  unanswered: 0,
};
