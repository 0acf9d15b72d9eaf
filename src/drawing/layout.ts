import { UndirectedGraph } from 'graphology';
import forceAtlas2 from 'graphology-layout-forceatlas2';

import { neighbours, type Partnership } from './simple-network';

export interface Point {
  x: number;
  y: number;
}

/** The room that a node takes with its label, measured from the node's centre. */
export interface Footprint {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The picture's width by its height, which suits a screen and a page. */
const aspect = 1.4;
/** How much of the picture the footprints fill before they are moved apart. */
const density = 0.42;
/** Rounds of moving apart before everything is spread a little wider. */
const roundsPerSpread = 60;
const spread = 1.06;
const goldenAngle = Math.PI * (3 - Math.sqrt(5));

/**
 * Finds a place for each node such that partners are close to each other and no footprint overlaps
 * another. The same input gives the same places.
 *
 * @param footprints one for each node.
 * @param roots positions of the nodes that the picture is about; they start in the middle.
 * @returns the centres of the nodes, in the units of the footprints; the origin is arbitrary.
 */
export function layOut(
  footprints: readonly Footprint[],
  partnerships: Partnership[],
  roots: number[],
): Point[] {
  const size = footprints.length;
  if (size < 2) return footprints.map(() => ({ x: 0, y: 0 }));
  const start = spiral(breadthFirst(size, partnerships, roots));
  const placed = landscape(byForce(start, partnerships));
  return apart(stretched(placed, footprints), footprints);
}

/** Nodes from the roots outwards; what no root reaches comes last. */
function breadthFirst(size: number, partnerships: Partnership[], roots: number[]): number[] {
  const partners = neighbours(size, partnerships);
  const order = new Set(roots);
  for (let next = 0; next < size; next += 1) {
    order.add(next);
    for (const position of order)
      for (const partner of partners[position] ?? []) order.add(partner);
  }
  return [...order];
}

/** A start without chance in it: evenly filled rings, the first of `order` in the middle. */
function spiral(order: number[]): Point[] {
  const points: Point[] = [];
  order.forEach((position, rank) => {
    const radius = Math.sqrt(rank) * 10;
    points[position] = {
      x: radius * Math.cos(rank * goldenAngle),
      y: radius * Math.sin(rank * goldenAngle),
    };
  });
  return points;
}

function byForce(start: Point[], partnerships: Partnership[]): Point[] {
  const graph = new UndirectedGraph();
  start.forEach((point, position) => graph.addNode(position, { ...point }));
  for (const [a, b] of partnerships) graph.addEdge(a, b);
  const places = forceAtlas2(graph, {
    iterations: 300,
    settings: {
      ...forceAtlas2.inferSettings(graph),
      barnesHutOptimize: false,
      strongGravityMode: true,
      gravity: 0.05,
      scalingRatio: 10,
    },
  });
  return start.map((point, position) => places[position] ?? point);
}

/** Centred, and turned such that the longest way through the points is horizontal. */
function landscape(points: Point[]): Point[] {
  const middle = { x: mean(points.map(({ x }) => x)), y: mean(points.map(({ y }) => y)) };
  const centred = points.map(({ x, y }) => ({ x: x - middle.x, y: y - middle.y }));
  const xx = mean(centred.map(({ x }) => x * x));
  const yy = mean(centred.map(({ y }) => y * y));
  const xy = mean(centred.map(({ x, y }) => x * y));
  const angle = Math.atan2(2 * xy, xx - yy) / 2;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return centred.map(({ x, y }) => ({ x: x * cos + y * sin, y: y * cos - x * sin }));
}

/** Scaled to about the area and the aspect that the picture should have. */
function stretched(points: Point[], footprints: readonly Footprint[]): Point[] {
  const area = footprints.reduce((sum, { left, right, top, bottom }) => {
    return sum + (left + right) * (top + bottom);
  }, 0);
  const height = Math.sqrt(area / density / aspect);
  const widthNow = Math.max(...points.map(({ x }) => x)) - Math.min(...points.map(({ x }) => x));
  const heightNow = Math.max(...points.map(({ y }) => y)) - Math.min(...points.map(({ y }) => y));
  const byWidth = (height * aspect) / Math.max(widthNow, Number.EPSILON);
  // A row of nodes has next to no height: it stays a row.
  const byHeight = Math.min(height / Math.max(heightNow, Number.EPSILON), byWidth * 2);
  return points.map(({ x, y }) => ({ x: x * byWidth, y: y * byHeight }));
}

/** Moves overlapping footprints apart, each pair along the shorter way, until none overlap. */
function apart(points: Point[], footprints: readonly Footprint[]): Point[] {
  for (;;) {
    for (let round = 0; round < roundsPerSpread; round += 1) {
      if (!moveApart(points, footprints)) return points;
    }
    for (const point of points) {
      point.x *= spread;
      point.y *= spread;
    }
  }
}

/** One round over all pairs. Says whether any pair overlapped. */
function moveApart(points: Point[], footprints: readonly Footprint[]): boolean {
  let moved = false;
  points.forEach((a, i) => {
    const boxA = footprints[i];
    points.slice(i + 1).forEach((b, offset) => {
      const boxB = footprints[i + 1 + offset];
      if (boxA === undefined || boxB === undefined) return;
      const toRight = a.x + boxA.right - (b.x - boxB.left);
      const toLeft = b.x + boxB.right - (a.x - boxA.left);
      const down = a.y + boxA.bottom - (b.y - boxB.top);
      const up = b.y + boxB.bottom - (a.y - boxA.top);
      const horizontal = Math.min(toRight, toLeft);
      const vertical = Math.min(down, up);
      if (horizontal <= 0 || vertical <= 0) return;
      moved = true;
      // A little more than needed, lest rounding leaves them touching for ever.
      if (horizontal < vertical) {
        const half = ((toRight <= toLeft ? 1 : -1) * (horizontal + 0.1)) / 2;
        a.x -= half;
        b.x += half;
      } else {
        const half = ((down <= up ? 1 : -1) * (vertical + 0.1)) / 2;
        a.y -= half;
        b.y += half;
      }
    });
  });
  return moved;
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
