import fc from 'fast-check';
import { UndirectedGraph } from 'graphology';

import { layOut, type Box } from '../../../src/graph/layout';

type Size = Pick<Box, 'width' | 'height'>;

function laidOut(sizes: readonly Size[]): Box[] {
  const graph = new UndirectedGraph<Box>();
  sizes.forEach((size, index) => graph.addNode(index, { ...size, x: 0, y: 0 }));
  for (let index = 1; index < sizes.length; index += 1) graph.addEdge(0, index);
  layOut(graph, ['0']);
  return graph.mapNodes((_id, box) => box);
}

it('lays out boxes of any size, including zero, Infinity and NaN', () => {
  const extreme = fc.constantFrom(0, 5e-324, 1e17, 1e300, Number.MAX_VALUE, Infinity, NaN);
  const number = fc.oneof(fc.double({ min: 0 }), extreme);
  const size = fc.record({ width: number, height: number });
  fc.assert(
    fc.property(fc.array(size, { minLength: 1, maxLength: 9 }), (sizes) => {
      expect(laidOut(sizes)).toHaveLength(sizes.length);
    }),
    { numRuns: 50 },
  );
});

it.each([200, 1_000])('lays out %i boxes without overlaps', (count) => {
  const sizes = Array.from({ length: count }, (_unused, index) => ({
    width: 40 + (index % 70),
    height: 30 + (index % 40),
  }));
  const boxes = laidOut(sizes).sort((one, other) => one.y - other.y);
  const overlaps = boxes.flatMap((a, index) =>
    boxes
      .slice(index + 1)
      .filter((b) => Math.abs(a.x - b.x) < (a.width + b.width) / 2 - 1e-6)
      .filter((b) => Math.abs(a.y - b.y) < (a.height + b.height) / 2 - 1e-6),
  );

  expect(overlaps).toEqual([]);
});
