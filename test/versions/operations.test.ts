/**
 * Every operation on every engine: one output has the good item and the other the failed item, both
 * linked.
 */
import { isDeepStrictEqual } from 'node:util';

import { healthy } from '../attack/faults/fault';
import { runCell } from '../attack/matrix/cell';
import { FOLDERS, variantsOf, type Variant } from '../attack/operations/variants';
import { Slots } from '../attack/service/slots';
import { errorItemOf } from '../engine/shared/error-items';

let slots: Slots;
beforeAll(async () => {
  slots = await Slots.start(4);
});
afterAll(async () => {
  await slots.close();
});

/**
 * In these operations, no single item can fail. The first needs no input, and the second counts invalid
 * items.
 */
const NEVER_WRONG = [
  'Company List, definition, getFilterFields',
  'Bulk Enrich, company, estimateCost',
];

/** Replaces each expression and number with an expression that fails for the second item. */
function failing(value: unknown): unknown {
  const text = String(value);
  const usual = /^\d+$/.test(text) ? JSON.stringify(value) : /^=\{\{(.*)\}\}$/s.exec(text)?.[1];
  if (usual !== undefined) return `={{ $json.id === 1 ? $('Nowhere').item.json.id : (${usual}) }}`;
  if (Array.isArray(value)) return value.map(failing);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, failing(one)]));
}

describe.each(FOLDERS)('%s', (folder) => {
  it('runs each operation with a valid and a failing item', async () => {
    const variants = (await variantsOf(folder)).filter(({ isBase }) => isBase);
    await Promise.all(variants.map(judge));
  });
});

async function judge(variant: Variant): Promise<void> {
  const parameters = failing(variant.parameters) as Variant['parameters'];
  const { happened } = await slots.with(async (slot) =>
    runCell(
      {
        variant: { ...variant, parameters },
        fault: { name: '', strike: healthy },
        onError: 'continueErrorOutput',
        tries: 1,
        mode: 'manual',
        traced: true,
      },
      slot,
      slots.stranger,
      ([first]) => [{ ...first, id: 0 }, { id: 1 }],
    ),
  );
  const { items, stopped } = happened;
  const { title } = variant;
  const first = items.some(({ from }) => from[0] === 0);

  expect({ title, stopped, first }).toEqual({ title, stopped: undefined, first: true });
  if (NEVER_WRONG.includes(title)) return;
  const ofOne = (id: number) => items.filter(({ from }) => isDeepStrictEqual(from, [id]));
  expect({
    title,
    linked: ofOne(0).length + ofOne(1).length,
    failed: ofOne(0).filter(({ said }) => said !== undefined),
    second: ofOne(1).map(({ json }) => json),
  }).toEqual({
    title,
    linked: items.length,
    failed: [],
    second: [{ id: 1, ...errorItemOf('invalid_input') }],
  });
}
