/** Follows what n8n says about its executions, to the end of each. */
import { setTimeout as sleep } from 'node:timers/promises';
import { OVER } from '../test/host/production-workflow';
import type { RealHost } from '../test/host/harness';
import { WATCHED } from './workflows';
import type { Json } from './workloads';

/** An item that came out of the watched node. */
export interface OutputItem {
  readonly json: Json;
  /** Indexes of the rows it was made from. */
  readonly rows: readonly number[];
}

/** An execution as n8n has it. */
export interface Followed {
  readonly id: string;
  readonly workflowId: string;
  readonly mode: string;
  /** What its webhook was told; undefined for other modes. */
  readonly run: string | undefined;
  readonly status: string;
  readonly createdAt: number;
  /** When its end was seen; NaN before. n8n's own times say less of an execution that died. */
  readonly endSeenAt: number;
  readonly items: readonly OutputItem[];
  /** What n8n shows as the reason for a failure. */
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

/** Every execution of an n8n since it was started. */
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

  /** Those whose end has not been seen yet. */
  get open(): Followed[] {
    return [...this.all.values()].filter(({ status }) => !OVER.includes(status));
  }

  private async keepFollowing(): Promise<void> {
    while (!this.stopped.signal.aborted) {
      try {
        await this.look();
      } catch (error) {
        // A busy n8n may drop a connection; it is asked again.
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
      // n8n forgets what an execution was given when its worker dies.
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

/** n8n's ways to say which input items an item was made from. */
function pairedRows(paired: unknown): number[] {
  if (Array.isArray(paired)) return paired.flatMap(pairedRows);
  if (typeof paired === 'number') return [paired];
  const item = (paired as { readonly item?: unknown } | undefined)?.item;
  return typeof item === 'number' ? [item] : [];
}
