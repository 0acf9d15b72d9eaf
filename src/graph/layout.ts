import type { UndirectedGraph } from 'graphology';
import forceAtlas2 from 'graphology-layout-forceatlas2';

/** A node with its label, around its center `x`, `y`. */
export interface Box {
  readonly width: number;
  readonly height: number;
  x: number;
  y: number;
}

/** Width by height of the picture, which suits screens and pages. */
const aspect = 1.4;
/** Share of the picture that the boxes fill before they are moved apart. */
const density = 0.42;
/** After so many rounds of moving apart, all boxes are spread a little wider. */
const roundsBeforeSpreading = 60;
/**
 * Limits of how often all pairs of nodes are visited: a network larger than the service returns must not block
 * the pictures after it.
 */
const iterations = 300;
const maxPairsAttracted = iterations * 100 ** 2;
const maxRounds = 2_000;
const maxPairsMoved = 500 * 100 ** 2;
const spread = 1.06;
const goldenAngle = Math.PI * (3 - Math.sqrt(5));

/**
 * Places the nodes so that neighbors are close and no box overlaps another; the same graph always gets the same
 * places. Returns the size of the layout, whose upper left corner is at 0,0.
 *
 * @param roots They start in the middle.
 */
export function layOut(
  graph: UndirectedGraph<Box>,
  roots: string[],
): { width: number; height: number } {
  orderFromRoots(graph, roots).forEach((id, rank) => {
    graph.mergeNodeAttributes(id, getSpiralPosition(rank));
  });
  if (graph.order > 1) attract(graph);
  const boxes = graph.mapNodes((_id, box) => box);
  if (graph.order > 1) {
    toLandscape(boxes);
    stretch(boxes);
    moveApart(boxes);
  }
  return moveToOrigin(boxes);
}

/** Nodes that no root reaches come last. */
function orderFromRoots(graph: UndirectedGraph<Box>, roots: string[]): string[] {
  const order = new Set<string>();
  for (const start of [...roots, ...graph.nodes()]) {
    const reached = order.has(start) ? [] : [start];
    order.add(start);
    for (const id of reached) {
      graph.forEachNeighbor(id, (neighbor) => {
        if (!order.has(neighbor)) reached.push(neighbor);
        order.add(neighbor);
      });
    }
  }
  return [...order];
}

/** Without randomness: evenly filled rings, with the first node in the middle. */
function getSpiralPosition(rank: number): { x: number; y: number } {
  const radius = Math.sqrt(rank) * 10;
  return { x: radius * Math.cos(rank * goldenAngle), y: radius * Math.sin(rank * goldenAngle) };
}

function attract(graph: UndirectedGraph<Box>): void {
  forceAtlas2.assign(graph, {
    iterations: Math.ceil(Math.min(iterations, maxPairsAttracted / graph.order ** 2)),
    settings: {
      ...forceAtlas2.inferSettings(graph),
      barnesHutOptimize: false,
      strongGravityMode: true,
      gravity: 0.05,
      scalingRatio: 10,
    },
  });
}

function toLandscape(boxes: Box[]): void {
  const mean = (of: (box: Box) => number): number =>
    boxes.reduce((sum, box) => sum + of(box), 0) / boxes.length;
  const middle = { x: mean(({ x }) => x), y: mean(({ y }) => y) };
  for (const box of boxes) {
    box.x -= middle.x;
    box.y -= middle.y;
  }
  const angle =
    Math.atan2(
      2 * mean(({ x, y }) => x * y),
      mean(({ x, y }) => x * x - y * y),
    ) / 2;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  for (const box of boxes) {
    [box.x, box.y] = [box.x * cos + box.y * sin, box.y * cos - box.x * sin];
  }
}

function stretch(boxes: Box[]): void {
  const area = boxes.reduce((sum, { width, height }) => sum + width * height, 0);
  const height = Math.sqrt(area / density / aspect);
  const byWidth = (height * aspect) / getExtent(boxes.map(({ x }) => x));
  // A row of nodes has almost no height and must stay a row.
  const byHeight = Math.min(height / getExtent(boxes.map(({ y }) => y)), byWidth * 2);
  for (const box of boxes) {
    box.x *= byWidth;
    box.y *= byHeight;
  }
}

function getExtent(values: number[]): number {
  return Math.max(Math.max(...values) - Math.min(...values), Number.EPSILON);
}

/** Each pair is moved in the direction of the smaller overlap. */
function moveApart(boxes: Box[]): void {
  const most = Math.min(maxRounds, maxPairsMoved / boxes.length ** 2);
  for (let round = 1; separateOnce(boxes); round += 1) {
    if (round >= most) {
      arrangeInRows(boxes);
      return;
    }
    if (round % roundsBeforeSpreading !== 0) continue;
    for (const box of boxes) {
      box.x *= spread;
      box.y *= spread;
    }
  }
}

/** For so many boxes or so large sizes that moving never ends. */
function arrangeInRows(boxes: Box[]): void {
  const widest = Math.max(...boxes.map(({ width }) => width));
  const highest = Math.max(...boxes.map(({ height }) => height));
  const columns = Math.ceil(Math.sqrt((boxes.length * aspect * highest) / widest)) || 1;
  boxes.forEach((box, index) => {
    box.x = (index % columns) * widest;
    box.y = Math.floor(index / columns) * highest;
  });
}

function separateOnce(boxes: Box[]): boolean {
  let moved = false;
  boxes.forEach((a, index) => {
    for (const b of boxes.slice(index + 1)) {
      const horizontal = (a.width + b.width) / 2 - Math.abs(a.x - b.x);
      const vertical = (a.height + b.height) / 2 - Math.abs(a.y - b.y);
      if (horizontal <= 0 || vertical <= 0) continue;
      moved = true;
      push(a, b, horizontal < vertical ? 'x' : 'y', Math.min(horizontal, vertical));
    }
  });
  return moved;
}

function push(a: Box, b: Box, along: 'x' | 'y', overlap: number): void {
  // More than needed, so that rounding does not leave the boxes touching forever.
  const half = ((a[along] <= b[along] ? 1 : -1) * (overlap + 0.1)) / 2;
  a[along] -= half;
  b[along] += half;
}

function moveToOrigin(boxes: Box[]): { width: number; height: number } {
  const left = Math.min(...boxes.map(({ x, width }) => x - width / 2));
  const top = Math.min(...boxes.map(({ y, height }) => y - height / 2));
  for (const box of boxes) {
    box.x -= left;
    box.y -= top;
  }
  return {
    width: Math.max(0, ...boxes.map(({ x, width }) => x + width / 2)),
    height: Math.max(0, ...boxes.map(({ y, height }) => y + height / 2)),
  };
}
