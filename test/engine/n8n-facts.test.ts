/**
 * How n8n's engine handles error items, thrown errors, retries and Stop. The nodes rely on each of
 * these facts. A failure after an update of n8n shows which fact to reconsider.
 */
import {
  NodeApiError,
  NodeOperationError,
  type INode,
  type INodeExecutionData,
} from 'n8n-workflow';
import { defineNode, node, runWorkflow, source, startWorkflow, type NodeOptions } from './harness';
import { ON_ERROR } from './shared/service';

const rows = [
  { id: 1, domain: 'a.test', message: 'from input' },
  { id: 2, domain: 'b.test', message: 'from input' },
  { id: 3, domain: 'c.test', message: 'from input' },
];

/** Runs source → node. `execute` returns the node's output for each try, starting with try 1. */
async function run(
  settings: NodeOptions,
  execute: (tryNumber: number, thisNode: INode) => INodeExecutionData[],
  input: Array<Record<string, string | number>> = rows,
) {
  let tries = 0;
  const tested = defineNode('Tested', (context) => {
    tries++;
    const given = execute(tries, context.getNode());
    return Promise.resolve([given]);
  });
  const finished = await runWorkflow({
    nodes: [source(input), node(tested, { name: 'Tested', ...settings })],
    trace: { node: 'Tested', expression: "={{ $('Source').item.json.id }}" },
  });
  return { finished, tries };
}

const ok = (item: number): INodeExecutionData => ({
  json: { id: item + 1, fine: true },
  pairedItem: { item },
});

describe('error items under "Continue (using error output)"', () => {
  const onError = 'continueErrorOutput' as const;

  it.each([
    ['error, message and details', { error: 'E', message: 'M', details: { code: 1 } }],
    ['error and message', { error: 'E', message: 'M' }],
    ['error alone', { error: 'E' }],
    ['an object as error', { error: { code: 'x' } }],
  ])('sends JSON with %s to the error output, merged over the input item', async (_, json) => {
    const { finished } = await run({ onError }, () => [ok(0), { json, pairedItem: { item: 1 } }]);

    expect(finished.json('Tested', 0)).toEqual([{ id: 1, fine: true }]);
    expect(finished.json('Tested', 1)).toEqual([{ ...rows[1], ...json }]);
    expect(finished.traced(1)).toEqual([2]);
    expect(finished.status).toBe('success');
  });

  it.each([
    ['any other key', { error: 'E', message: 'M', status: 'error' }],
    ['an empty error', { error: '', message: 'M' }],
    ['a null error', { error: null, message: 'M' }],
    ['no error', { message: 'M' }],
  ])('leaves JSON with %s on the success output', async (_, json) => {
    const { finished } = await run({ onError }, () => [{ json, pairedItem: { item: 0 } }]);

    expect(finished.json('Tested', 0)).toEqual([json]);
    expect(finished.json('Tested', 1)).toEqual([]);
  });

  it('outputs only the message when an item has an `error` property', async () => {
    const { finished } = await run({ onError }, (_, thisNode) => [
      {
        json: { id: 2, lost: true },
        error: new NodeApiError(thisNode, { message: 'refused' }, { message: 'Told to the user' }),
        pairedItem: { item: 1 },
      },
    ]);

    expect(finished.json('Tested', 0)).toEqual([]);
    expect(finished.json('Tested', 1)).toEqual([{ error: 'Told to the user' }]);
    expect(finished.traced(1)).toEqual([2]);
  });

  it('does not merge the input item when the node sets no `pairedItem`', async () => {
    const json = { error: 'E', message: 'M' };
    const { finished } = await run({ onError }, () => [{ json }, { json }, { json }]);

    expect(finished.json('Tested', 1)).toEqual([json, json, json]);
  });

  it('keeps the order within each output', async () => {
    const failed = (item: number) => ({ json: { error: `E${item}` }, pairedItem: { item } });
    const { finished } = await run({ onError }, () => [failed(2), ok(1), failed(0)]);

    expect(finished.json('Tested', 1).map(({ error }) => error)).toEqual(['E2', 'E0']);
    expect(finished.traced(0)).toEqual([2]);
    expect(finished.traced(1)).toEqual([3, 1]);
  });
});

describe('error items under "Continue"', () => {
  it('stay where the node put them, unchanged, but have only the message of `error`', async () => {
    const json = { error: 'E', message: 'M', details: {} };
    const { finished } = await run({ onError: 'continueRegularOutput' }, (_, thisNode) => [
      ok(0),
      { json, pairedItem: { item: 1 } },
      {
        json: { id: 3 },
        error: new NodeOperationError(thisNode, 'bad row'),
        pairedItem: { item: 2 },
      },
    ]);

    expect(finished.json('Tested')).toEqual([ok(0).json, json, { error: 'bad row' }]);
    expect(finished.traced()).toEqual([1, 2, 3]);
  });
});

describe('a thrown error', () => {
  const fail = (_: number, thisNode: INode): never => {
    throw new NodeApiError(
      thisNode,
      { message: 'raw' },
      { message: 'Refused', description: 'What to do', httpCode: '402', itemIndex: 1 },
    );
  };

  it('ends the workflow with the message and details of the node under "Stop"', async () => {
    const { finished } = await run({}, fail);

    expect(finished.status).toBe('error');
    expect(finished.error).toMatchObject({
      name: 'NodeApiError',
      message: 'Refused',
      description: 'What to do',
      httpCode: '402',
      context: { itemIndex: 1 },
    });
    expect(finished.runs('Tested')[0]?.data).toBeUndefined();
  });

  it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
    'sends the unchanged input to the success output under %s',
    async (onError) => {
      const { finished } = await run({ onError }, fail);

      expect(finished.status).toBe('success');
      expect(finished.nodeError('Tested')?.message).toBe('Refused');
      expect(finished.json('Tested', 0)).toEqual(rows);
      expect(finished.json('Tested', 1)).toEqual([]);
    },
  );
});

describe('Retry On Fail', () => {
  const quick = { retryOnFail: true, waitBetweenTries: 1 } as const;
  const failing = (item: number): INodeExecutionData => ({
    json: { error: 'E', message: 'M' },
    pairedItem: { item },
  });

  it.each([
    ['3 times by default', undefined, 3],
    ['as often as Max Tries says', 4, 4],
    ['at least 2 times', 1, 2],
    ['up to 5 times', 50, 5],
  ])('tries a throwing node %s', async (_, maxTries, expected) => {
    const { finished, tries } = await run(
      { ...quick, ...(maxTries !== undefined && { maxTries }) },
      (__, thisNode) => {
        throw new NodeOperationError(thisNode, 'always');
      },
    );

    expect(tries).toBe(expected);
    expect(finished.status).toBe('error');
  });

  it('keeps the result of the first successful try, without the earlier errors', async () => {
    const { finished, tries } = await run({ ...quick, maxTries: 5 }, (tryNumber, thisNode) => {
      if (tryNumber < 3) throw new NodeOperationError(thisNode, 'not yet');
      return [ok(0)];
    });

    expect(tries).toBe(3);
    expect(finished.status).toBe('success');
    expect(finished.nodeError('Tested')).toBeUndefined();
  });

  const withError = (error: unknown): INodeExecutionData => ({
    json: { id: 1, error: error as string, enrichment: { status: 'found' } },
    pairedItem: { item: 0 },
  });
  const besideJson = (thisNode: INode): INodeExecutionData => ({
    json: {},
    error: new NodeOperationError(thisNode, 'E'),
    pairedItem: { item: 0 },
  });

  describe.each(ON_ERROR)('under %s', (onError) => {
    it.each<[string, number, (thisNode: INode) => INodeExecutionData[]]>([
      ['the first item has an error', 3, () => [failing(0), ok(1)]],
      ['any later item has an error', 1, () => [ok(0), failing(1), failing(2)]],
      ['its JSON field "error" is an empty text', 3, () => [withError('')]],
      ['its JSON field "error" is zero', 3, () => [withError(0)]],
      ['its JSON field "error" is a text', 3, () => [withError('from my spreadsheet')]],
      ['its JSON field "error" is null', 1, () => [withError(null)]],
      ['its JSON field "error" is false', 1, () => [withError(false)]],
      ['an `error` property is next to the JSON', 1, (thisNode) => [besideJson(thisNode)]],
    ])('when %s, runs the whole node %i times', async (_, expected, output) => {
      const { finished, tries } = await run({ ...quick, onError }, (__, thisNode) =>
        output(thisNode),
      );

      expect(tries).toBe(expected);
      expect(finished.status).toBe('success');
    });
  });

  it('runs every try with the same execution ID, node and run index', async () => {
    const seen: string[] = [];
    const tested = defineNode('Tested', (context) => {
      const { $runIndex } = context.getWorkflowDataProxy(0);
      seen.push(`${context.getExecutionId()} ${context.getNode().id} ${String($runIndex)}`);
      throw new NodeOperationError(context.getNode(), 'always');
    });
    await runWorkflow({
      nodes: [source(rows), node(tested, { retryOnFail: true, waitBetweenTries: 1 })],
      executionId: 'one',
    });

    expect(seen).toEqual(['one node-1 0', 'one node-1 0', 'one node-1 0']);
  });
});

it('outputs one empty item when the node returns none and "Always Output Data" is on', async () => {
  const { finished } = await run({ alwaysOutputData: true }, () => []);

  expect(finished.json('Tested')).toEqual([{}]);
});

describe('Stop', () => {
  it('aborts the cancel signal and starts no further node', async () => {
    let noticed = false;
    const waiting = defineNode('Waiting', (context) => {
      const signal = context.getExecutionCancelSignal();
      return new Promise((resolve) => {
        signal?.addEventListener('abort', () => {
          noticed = true;
          resolve([context.getInputData()]);
        });
      });
    });
    const running = await startWorkflow({
      nodes: [source(rows), node(waiting), node('harness.passThrough')],
    });
    await running.started('Waiting');
    running.cancel();
    const finished = await running.finished;

    expect(noticed).toBe(true);
    expect(finished.status).toBe('canceled');
    expect(finished.error?.name).toBe('ManualExecutionCancelledError');
    expect(finished.runs('Pass Through')).toEqual([]);
  });

  it('retries a node that throws on Stop with Retry On Fail, with an aborted signal', async () => {
    const aborted: unknown[] = [];
    const waiting = defineNode('Waiting', (context) => {
      const signal = context.getExecutionCancelSignal();
      aborted.push(signal?.aborted);
      return new Promise((_, reject) => {
        const stop = () => {
          reject(new NodeOperationError(context.getNode(), 'stopped'));
        };
        if (signal?.aborted === true) stop();
        signal?.addEventListener('abort', stop);
      });
    });
    const running = await startWorkflow({
      nodes: [source(rows), node(waiting, { retryOnFail: true, waitBetweenTries: 1 })],
    });
    await running.started('Waiting');
    running.cancel();
    await running.finished;

    expect(aborted).toEqual([false, true, true]);
  });
});
