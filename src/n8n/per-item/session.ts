import type { IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Run } from '../../run/run';

/** What comes out for an input item; pairing is added to it. */
export interface Output {
  readonly json: IDataObject;
  readonly binary?: IBinaryKeyData;
}

/** A failure that came after part of the result: that part comes out, and then the error item. */
export class FailedMidway extends Error {
  /** @param part what goes with the error item (its file), or comes out before it. */
  constructor(
    readonly failure: Error,
    readonly part: { readonly binary?: IBinaryKeyData | undefined; readonly outputs?: Output[] },
  ) {
    super(failure.message);
  }
}

/** What an operation needs to send its requests. */
export interface Session {
  readonly context: IExecuteFunctions;
  /** All that is sent goes through it. */
  readonly run: Run;
  /** The first input item that asks for this. */
  readonly itemIndex: number;
  /**
   * For what needs much memory, or touches what other items touch: of all the items' works given to it
   * one at a time is carried out.
   */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Reads what several items need: the first of them asks, all get the answer. */
  readonly shared: <T>(what: string, ask: () => Promise<T>) => Promise<T>;
}
