/** What can be counted of a run as it goes on. */
export interface Counts {
  /** Requests, those sent again included; of one that was shared with other runs, this run's part. */
  requests: number;
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

/** What one node execution has sent, got and spent so far. */
export interface Figures extends Readonly<Counts> {
  /** As if nothing were free. */
  readonly creditsAtMost: number;
  /** Requests that may have been charged although no answer came. */
  readonly unanswered: number;
}

/** Those of an execution that has sent nothing. */
export const NO_FIGURES: Figures = {
  requests: 0,
  rows: 0,
  left: 0,
  asked: 0,
  found: 0,
  readBefore: 0,
  creditsAtMost: 0,
  unanswered: 0,
};

/** A number of requests as it is told: the part of a shared one that was its own is never nothing. */
export function hundredths(requests: number): number {
  return requests === 0 ? 0 : Math.max(0.01, Math.round(requests * 100) / 100);
}
