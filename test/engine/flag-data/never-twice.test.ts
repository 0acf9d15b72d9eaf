/** Flag Data: a flag is created once, whatever n8n repeats and whatever answer is lost. */
import { createServer } from 'node:http';

import { node, runWorkflow, source } from '../harness';
import {
  credentialFor,
  packageNode,
  useSandbox,
  trackedDomains,
  userCredential,
} from '../shared/service';
import { deserted } from '../../src/client/support/service';
import { flag, NAME } from './flag-data';

const sandbox = useSandbox();

it('an answer that never comes: given up, the outcome is unknown', async () => {
  sandbox.addFault({ preset: 'neverAnswer', when: 'every' });
  const [company] = trackedDomains(sandbox, 1);
  const options = { requestTimeoutSeconds: 1 };
  const run = await flag(sandbox, { options }, [{ company, text: 'x' }], {
    retryOnFail: true,
    maxTries: 5,
    waitBetweenTries: 1,
  });

  expect(run.error?.message).toMatch(/^The service may or may not have done this/);
  expect(sandbox.report().recent).toHaveLength(1);
});

it('a connection that is refused was surely not processed: tried again', async () => {
  const port = new URL(await deserted()).port;
  let received = 0;
  const service = createServer((_request, response) => {
    received += 1;
    response.writeHead(201).end('{"flag_id":1,"company_id":2,"status":"queued"}');
  });
  const running = flag(sandbox, {}, [{ company: 'a.com', text: 'x' }], {
    credentials: credentialFor(`http://127.0.0.1:${port}`),
  });
  // Long enough for the first attempt, shorter than all of them.
  await new Promise((resolve) => setTimeout(resolve, 250));
  await new Promise<void>((resolve) => service.listen(Number(port), '127.0.0.1', resolve));
  const run = await running;
  service.close();

  expect(run.json(NAME)).toEqual([expect.objectContaining({ flag_id: 1 })]);
  expect(received).toBe(1);
});

it('nobody there at all: says that it could not be reached, not that the outcome is unknown', async () => {
  const run = await flag(sandbox, {}, [{ company: 'a.com', text: 'x' }], {
    credentials: credentialFor(await deserted()),
  });

  expect(run.error?.message).toContain('could not be reached: it refused the connection');
});

it('the same item when the node runs again, as in a loop, is another flag', async () => {
  const [company] = trackedDomains(sandbox, 1);
  const run = await runWorkflow({
    nodes: [
      source([{ company }]),
      node('harness.passThrough', { name: 'Again' }),
      packageNode('flagData', { identifier: '={{ $json.company }}', description: 'x' }),
    ],
    wires: [
      { from: 'Source', to: NAME },
      { from: 'Source', to: 'Again' },
      { from: 'Again', to: NAME },
    ],
    credentials: userCredential(sandbox),
  });

  expect(run.runs(NAME)).toHaveLength(2);
  expect(sandbox.report().created.flags).toBe(2);
});
