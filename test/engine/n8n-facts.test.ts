/**
 * How n8n's engine handles error items, thrown errors, retries and Stop. The nodes rely on each of
 * these facts. A failure after an update of n8n shows which fact to reconsider.
 */
import { NodeOperationError, type INode, type INodeExecutionData } from 'n8n-workflow';
import { defineNode, node, runWorkflow, source, startWorkflow, type NodeOptions } from './harness';
import { ON_ERROR } from './shared/service';

const rows = [1, 2, 3].map((id) => ({ id, message: 'from input' }));

/** Runs source → node. `execute` returns the node's output for each try. */
async function run(settings: NodeOptions, execute: (thisNode: INode) => INodeExecutionData[]) {
  let tries = 0;
  const tested = defineNode('Tested', (context) => {
    tries++;
    return Promise.resolve([execute(context.getNode())]);
  });
  const nodes = [source(rows), node(tested, { name: 'Tested', ...settings })];
  return { finished: await runWorkflow({ nodes }), tries };
}

const ok = (item: number): INodeExecutionData => ({
  json: { id: item + 1, fine: true },
  pairedItem: { item },
});

const quick = { retryOnFail: true, waitBetweenTries: 1 } as const;

describe('error items under "Continue (using error output)"', () => {
  const onError = 'continueErrorOutput' as const;

  it.each<[string, INodeExecutionData['json'], isError: boolean]>([
    ['error, message and details', { error: 'E', message: 'M', details: { code: 1 } }, true],
    ['error and message', { error: 'E', message: 'M' }, true],
    ['an object as error', { error: { code: 'x' } }, true],
    ['any other key', { error: 'E', message: 'M', status: 'error' }, false],
    ['an empty error', { error: '', message: 'M' }, false],
    ['no error', { message: 'M' }, false],
  ])('JSON with %s goes to the error output, merged over its input: %j %s', async (_, json, is) => {
    const { finished } = await run({ onError }, () => [ok(0), { json, pairedItem: { item: 1 } }]);

    expect(finished.json('Tested', 0)).toEqual(is ? [ok(0).json] : [ok(0).json, json]);
    expect(finished.json('Tested', 1)).toEqual(is ? [{ ...rows[1], ...json }] : []);
  });
});

it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
  'a thrown error sends the unchanged input to the success output under %s',
  async (onError) => {
    const { finished } = await run({ onError }, (thisNode) => {
      throw new NodeOperationError(thisNode, 'Refused');
    });

    expect(finished.nodeError('Tested')?.message).toBe('Refused');
    expect(finished.json('Tested', 0)).toEqual(rows);
  },
);

describe('Retry On Fail', () => {
  const failing = (item: number, error: unknown = 'E'): INodeExecutionData => ({
    json: { id: 1, error: error as string },
    pairedItem: { item },
  });

  it.each<[string, number, INodeExecutionData[]]>([
    ['the first item has an error', 3, [failing(0), ok(1)]],
    ['any later item has an error', 1, [ok(0), failing(1), failing(2)]],
    ['its JSON field "error" is an empty text', 3, [failing(0, '')]],
    ['its JSON field "error" is null', 1, [failing(0, null)]],
    ['its JSON field "error" is false', 1, [failing(0, false)]],
  ])('when %s, runs the whole node %i times', async (_, expected, output) => {
    for (const onError of ON_ERROR) {
      const { finished, tries } = await run({ ...quick, onError }, () => output);

      expect([tries, finished.status]).toEqual([expected, 'success']);
    }
  });

  it('retries a node that throws on Stop with Retry On Fail, with an aborted signal', async () => {
    const aborted: unknown[] = [];
    const waiting = defineNode('Waiting', (context) => {
      const signal = context.getExecutionCancelSignal();
      aborted.push(signal?.aborted);
      return new Promise((_, reject) => {
        const stop = () => reject(new NodeOperationError(context.getNode(), 'stopped'));
        if (signal?.aborted === true) stop();
        signal?.addEventListener('abort', stop);
      });
    });
    const running = await startWorkflow({ nodes: [source(rows), node(waiting, quick)] });
    await running.started('Waiting');
    running.cancel();
    await running.finished;

    expect(aborted).toEqual([false, true, true]);
  });
});
