/** Tests Stop during a request: every operation ends immediately and sends nothing more. */
import { setTimeout } from 'node:timers/promises';

import { node, source, startWorkflow } from '../../engine/harness';
import { FAULTS } from '../faults';
import { faultsThat } from '../faults/fault';
import { throttled } from '../faults/refusals';
import { FOLDERS, variantsOf } from '../operations/variants';
import { prepare, Slots } from '../service/slots';

const PAUSE_S = 8;
const PAUSE = faultsThat([], { '429': throttled({ 'retry-after': `${PAUSE_S}` }) });
const UNFINISHED = ['never answers', 'a byte every 50 ms', 'processed, never answers'];
const MEANWHILE = [...FAULTS.filter(({ name }) => UNFINISHED.includes(name)), ...PAUSE];
/** Far more time than an operation needs to end, even on a busy machine. */
const AT_ONCE_MS = 5_000;

let slots: Slots;
beforeAll(async () => {
  slots = await Slots.start(12);
});
afterAll(async () => {
  await slots.close();
  // A paused key keeps the process alive until the pause is over.
  await setTimeout(PAUSE_S * 1000);
});

it.each(FOLDERS)('%s ends and sends nothing more when it is stopped', async (folder) => {
  const variants = (await variantsOf(folder)).filter(({ isBase }) => isBase);
  const cells = variants.flatMap((variant) => MEANWHILE.map((fault) => ({ variant, fault })));
  const complaints = await Promise.all(
    cells.map(async ({ variant, fault }) =>
      slots.with(async (slot) => {
        const { items } = await prepare(slot, variant);
        const { front, sandbox } = slot;
        const key = `ck-stopped-${variant.title}-${fault.name}`.replace(/\W/g, '');
        front.begin({ key, serviceKey: sandbox.keys.user, strike: fault.strike, strangerUrl: '' });
        const running = await startWorkflow({
          nodes: [
            // One item, because the requests of others could be in flight when the first arrives.
            source(items.slice(0, 1)),
            node(variant.type, { name: variant.name, parameters: variant.parameters }),
          ],
          credentials: { companyIntelligenceUserApi: { baseUrl: front.baseUrl, apiKey: key } },
        });
        const over = running.finished.then(() => 'over' as const);
        while (front.asked.length === 0) {
          // An operation that sends no request cannot be stopped during one.
          if ((await Promise.race([over, setTimeout(5, 'waiting' as const)])) === 'over') return [];
        }
        running.cancel();
        const what = `${variant.title} | ${fault.name}`;
        const late = setTimeout(AT_ONCE_MS, 'late' as const, { ref: false });
        if ((await Promise.race([over, late])) === 'late') return [`${what} | it went on`];
        const sent = front.asked.length;
        await setTimeout(50);
        return front.asked.length > sent ? [`${what} | it sent more`] : [];
      }),
    ),
  );

  expect(complaints.flat()).toEqual([]);
});
