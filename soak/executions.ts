/** Follows each of n8n's executions to its end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { OVER } from '../test/host/production-workflow';
import type { RealHost } from '../test/host/harness';
import { WATCHED } from './workflows';
import type { Json } from './workloads';

/** An output item of the watched node. */
export interface OutputItem {
  readonly json: Json;
  /** Indexes of the rows that the item was made from. */
  readonly rows: readonly number[];
}

/** An execution as n8n reports it. */
export interface Followed {
  readonly id: string;
  readonly workflowId: string;
  readonly mode: string;
  /** Run id in the webhook's data; undefined for executions in other modes. */
  readonly run: string | undefined;
  readonly status: string;
  readonly createdAt: number;
  /**
   * Time when the soak noticed the end; NaN before. n8n's own times are less reliable for an
   * execution that died.
   */
  readonly endSeenAt: number;
  readonly items: readonly OutputItem[];
  /** Reason that n8n shows for a failure. */
  readonly error: string | undefined;
}

interface Summary {
  readonly id: string;
  readonly workflowId: string;
  readonly mode: string;
  readonly status: string;
}

interface StoredItem {
  readonly json: Json;
  readonly pairedItem?: unknown;
}

interface StoredData {
  readonly resultData: {
    readonly error?: { readonly message: string };
    readonly runData: Readonly<
      Record<string, ReadonlyArray<{ data?: { main: ReadonlyArray<StoredItem[] | null> } }>>
    >;
  };
  readonly executionData?: {
    readonly nodeExecutionStack?: ReadonlyArray<{ data: { main: StoredItem[][] } }>;
  };
}

const NEWEST = 100;
const POLL_MS = 1_500;

/** All executions of an n8n since its start. */
export class Executions {
  readonly all = new Map<string, Followed>();
  private readonly stopped = new AbortController();
  private following: Promise<void> | undefined;

  constructor(private readonly host: RealHost) {}

  follow(): void {
    this.following = this.keepFollowing();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.following;
  }

  /** Returns the executions whose end the soak has not noticed yet. */
  get open(): Followed[] {
    return [...this.all.values()].filter(({ status }) => !OVER.includes(status));
  }

  private async keepFollowing(): Promise<void> {
    while (!this.stopped.signal.aborted) {
      try {
        await this.look();
      } catch (error) {
        // A busy n8n can drop a connection. Request again.
        if (!(error instanceof TypeError)) throw error;
      }
      await sleep(POLL_MS);
    }
  }

  private async look(): Promise<void> {
    const { results } = (await this.host.rest.request(
      'GET',
      `/rest/executions?limit=${String(NEWEST)}`,
    )) as { results: Summary[] };
    const newest = new Map(results.map((one) => [one.id, one]));
    for (const summary of results) {
      const known = this.all.get(summary.id);
      if (known?.status !== summary.status) await this.read(summary);
    }
    for (const one of this.open) if (!newest.has(one.id)) await this.read(one);
  }

  private async read({ id, workflowId, mode }: Summary): Promise<void> {
    const { parseExecutionData } = await import('../scripts/lib/execution-data.mjs');
    const { status, createdAt, data } = (await this.host.rest.request(
      'GET',
      `/rest/executions/${id}`,
    )) as { status: string; createdAt: string; data: string };
    const stored = parseExecutionData(data) as StoredData;
    const known = this.all.get(id);
    this.all.set(id, {
      id,
      workflowId,
      mode,
      // n8n loses the input of an execution when its worker dies.
      run: known?.run ?? runOf(stored),
      status,
      createdAt: Date.parse(createdAt),
      endSeenAt: OVER.includes(status) ? Date.now() : NaN,
      items: itemsOf(stored),
      error: stored.resultData.error?.message,
    });
  }
}

function runOf({ resultData, executionData }: StoredData): string | undefined {
  const given =
    resultData.runData['Webhook']?.[0]?.data?.main[0]?.[0] ??
    executionData?.nodeExecutionStack?.[0]?.data.main[0]?.[0];
  const body = given?.json['body'] as { readonly run?: string } | undefined;
  return body?.run;
}

function itemsOf({ resultData }: StoredData): OutputItem[] {
  const outputs = resultData.runData[WATCHED]?.at(-1)?.data?.main ?? [];
  return outputs
    .flatMap((items) => items ?? [])
    .map(({ json, pairedItem }) => ({ json, rows: pairedRows(pairedItem) }));
}

/** Reads each of n8n's formats for the input items that an item was made from. */
function pairedRows(paired: unknown): number[] {
  if (Array.isArray(paired)) return paired.flatMap(pairedRows);
  if (typeof paired === 'number') return [paired];
  const item = (paired as { readonly item?: unknown } | undefined)?.item;
  return typeof item === 'number' ? [item] : [];
}
