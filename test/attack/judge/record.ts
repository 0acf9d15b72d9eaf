/** The record of a run with an injected fault: everything that the judge sees. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Created } from '../../../sandbox/report';
import type { Fault } from '../faults/fault';
import type { Asked } from '../service/front';

/**
 * The failure in an item. The fields are unknown, because the judge checks whether they are texts.
 */
export interface Said {
  readonly message: unknown;
  readonly hint: unknown;
}

export interface CameOut {
  readonly json: IDataObject;
  readonly binary: INodeExecutionData['binary'];
  /** IDs of the linked input items; anything else is a broken link. */
  readonly from: readonly unknown[];
  /** The failure that the item reports; undefined for a result. */
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
  readonly stopped: Stopped | undefined;
  /** Messages of the node in addition to its items. */
  readonly hints: readonly string[];
  readonly asked: readonly Asked[];
  /** Includes the objects that the items refer to. */
  readonly created: Created;
  readonly charged: number;
  /** Everything that n8n stored, as text. */
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
