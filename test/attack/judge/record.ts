/** What is known about a run that was attacked: all that the judge looks at. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Created } from '../../../sandbox/control/report';
import type { Fault } from '../faults/fault';
import type { Asked } from '../service/front';

/** What an item tells of a failure; unknown, as the judge has to see whether it is words. */
export interface Said {
  readonly message: unknown;
  readonly hint: unknown;
}

export interface CameOut {
  readonly json: IDataObject;
  readonly binary: INodeExecutionData['binary'];
  /** The numbers of the input items it is linked to; anything else is a broken link. */
  readonly from: readonly unknown[];
  /** The failure it tells of; undefined for a result. */
  readonly said: Said | undefined;
}

export interface Stopped {
  readonly message: string;
  readonly description: string;
  readonly itemIndex: unknown;
}

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

export interface CellRecord {
  readonly given: readonly IDataObject[];
  readonly key: string;
  /** How often n8n may run the node. */
  readonly tries: number;
  readonly anyAnswer?: boolean;
  readonly fault: Pick<Fault, 'hopeless' | 'butFor' | 'same' | 'paging' | 'alike' | 'fewerRows'>;
  readonly happened: Happened;
  readonly usual: Happened;
}
