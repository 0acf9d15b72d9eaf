/** Tests that polls of a trigger follow one another, and which state each of them continues. */
import type { IPollFunctions } from 'n8n-workflow';

import { TriggerMemory } from '../../../../src/n8n/triggers/memory';
import { withPollLock } from '../../../../src/n8n/triggers/poll-guard';

/** n8n marks only data that it saves with the workflow, and durable cursors not. */
const fromWorkflow = (memory: string) => ({ memory, __dataChanged: false });
const fromCursor = (memory: string) => ({ memory });

let nodes = 0;
beforeEach(() => {
  nodes += 1;
});

function contextOf(data: object, mode = 'activate'): IPollFunctions {
  return {
    getWorkflowStaticData: () => data,
    getActivationMode: () => mode,
    getWorkflow: () => ({ id: 'w' }),
    getNode: () => ({ id: String(nodes), name: 'Trigger' }),
    logger: { info: jest.fn() },
  } as unknown as IPollFunctions;
}

/** Starts a poll that appends its number to the state, and ends when `end` is called. */
function startPoll(data: { memory?: string }, number: number) {
  const context = contextOf(data);
  const memory = new TriggerMemory(context);
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const polled = withPollLock(context, memory, async () => {
    await ended;
    memory.save(`${memory.text ?? ''}${String(number)}`);
    return memory.text;
  });
  return { polled, end };
}

const workflow = fromWorkflow('');

it.each<[string, Array<{ memory?: string }>, Array<string | null>]>([
  ['of the same workflow is skipped', [workflow, workflow], ['1', null]],
  ['of a durable cursor is skipped', [fromCursor(''), fromCursor('')], ['1', null]],
  ['of a workflow published again waits', [fromWorkflow(''), fromWorkflow('')], ['1', '12']],
  [
    'is skipped while another one waits',
    [fromWorkflow(''), fromWorkflow(''), fromWorkflow('')],
    ['1', '12', null],
  ],
])('a poll during another one that is %s', async (_what, given, texts) => {
  const polls = given.map((data, index) => startPoll(data, index + 1));
  for (const { end } of polls.toReversed()) end();

  expect(await Promise.all(polls.map(async ({ polled }) => polled))).toEqual(texts);
});

it.each([
  ['of the same process', fromWorkflow('saved'), 'unsaved'],
  ['after n8n saved another one', fromWorkflow('newer'), 'newer'],
])('continues the state that n8n does not save %s', (_what, later, text) => {
  new TriggerMemory(contextOf(fromWorkflow('saved'))).keepUnsaved('unsaved');

  expect(new TriggerMemory(contextOf(later)).text).toBe(text);
});

it.each([
  ['n8n resumes a workflow', { __dataChanged: false }, 'init', true],
  ['another main process takes over', { __dataChanged: false }, 'leadershipChange', true],
  ['the workflow is published', { __dataChanged: false }, 'activate', false],
  ['n8n resumes it with its state', fromWorkflow('saved'), 'init', false],
  ['n8n resumes it with durable cursors', {}, 'init', false],
])('knows whether the state is lost when %s', (_what, data, mode, isLost) => {
  expect(new TriggerMemory(contextOf(data, mode)).isLost).toBe(isLost);
});
