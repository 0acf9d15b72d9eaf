/** What is known about a run that was attacked: all that the judge looks at. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Created } from '../../../sandbox/control/report';
import type { Asked } from '../service/front';

/** What an item tells of a failure; unknown, as the judge has to see whether it is words. */
export interface Said {
  readonly message: unknown;
  readonly hint: unknown;
}

/** An item that came out. */
export interface CameOut {
  readonly json: IDataObject;
  readonly binary: INodeExecutionData['binary'];
  /** The numbers of the input items it is linked to; anything else is a broken link. */
  readonly from: readonly unknown[];
  /** The failure it tells of; undefined for a result. */
  readonly said: Said | undefined;
}

/** The error that stopped the workflow. */
export interface Stopped {
  readonly message: string;
  readonly description: string;
  readonly itemIndex: unknown;
}

/** What happened. */
export interface Happened {
  readonly inTime: boolean;
  readonly items: readonly CameOut[];
  /** What came out of the output for the run's report; undefined where there is none. */
  readonly report: readonly CameOut[] | undefined;
  readonly stopped: Stopped | undefined;
  /** What the node says beside its items. */
  readonly hints: readonly string[];
  readonly asked: readonly Asked[];
  readonly created: Created;
  readonly charged: number;
  /** Everything that was stored, as text. */
  readonly transcript: string;
  readonly heardByStranger: readonly string[];
}

/** A run and what belongs to it. */
export interface CellRecord {
  readonly given: readonly IDataObject[];
  readonly key: string;
  /** How often n8n may run the node. */
  readonly tries: number;
  /** Any success counts as a result. */
  readonly anyAnswer?: boolean;
  readonly fault: {
    readonly hopeless?: true;
    readonly butFor?: string | undefined;
    readonly same?: true;
    readonly paging?: true;
    readonly alike?: true;
    readonly fewerRows?: true;
  };
  readonly happened: Happened;
  /** The same run without a fault. */
  readonly usual: Happened;
}
