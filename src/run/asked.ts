import type { Call, Query } from '../client/client';
import type { Row } from './answers/rows';
import type { BatchJob } from './batches';
import type { IdOf } from './listing/marks';
import type { Page, RowRange } from './listing/pages';
import type { Paging } from './listing/paging';
import type { Run } from './run';

/** A read of the interface. */
export interface Get {
  /** Built with the `path` template. */
  readonly path: string;
  readonly query?: Query;
  readonly words?: Call<unknown>['words'];
}

/** A read that is answered with one object. */
export interface GetRow extends Get {
  /** Credits it can cost; none if left out. */
  readonly credits?: number;
  /** Credits an answer cost at most; `credits` if left out. */
  readonly creditsOf?: (row: Row) => number;
  /** Takes the object out of the answer. */
  readonly read: (json: unknown) => Row;
}

/** A read that is answered in pages. */
export interface GetRows extends Get, RowRange {
  /** How the endpoint has pages. */
  readonly paging: Paging;
  /** 0 where reading is free; 1 if left out. */
  readonly creditsPerRow?: number;
  /** By what rows are told apart; without, they are passed on as they come. */
  readonly idOf?: IdOf;
  /** Takes the rows out of an answer; the standard envelope if left out. */
  readonly read?: (json: unknown) => Page;
  /** Parameters of the first request only. */
  readonly atFirst?: Query;
  /** Under this name page sizes are remembered that the service refused. */
  readonly endpoint?: string;
}

/** Batches of an endpoint that takes a few domains at once. */
export interface AskBatches extends Omit<
  BatchJob,
  'ask' | 'ceilings' | 'creditsOf' | 'maxBatchSize'
> {
  /** Credits a row costs at most (interface: Credits); left out where nothing is charged. */
  readonly creditsOf?: BatchJob['creditsOf'] | undefined;
  /** The endpoint's largest batch (interface: Size and pagination bounds). */
  readonly batchSize: number;
  /**
   * Asks for one batch, with the run it is given. Of a shared batch the domains are known only when it
   * is sent, so that the list itself has to go into the body of the request.
   */
  readonly ask: (run: Run, batch: readonly string[]) => ReturnType<BatchJob['ask']>;
  /**
   * What is wanted of each domain, the same text for the same. Runs of which it is the same share
   * requests where one has room; without, a run's requests are its own.
   */
  readonly wanted?: string;
}

/**
 * What an operation passes on of its parameters, with these fields and no others: one that is declared
 * and never sent is an error of types.
 */
export type Exactly<Shape, Given extends Shape> = Given &
  Readonly<Record<Exclude<keyof Given, keyof Shape>, never>>;
