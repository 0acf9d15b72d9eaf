import type { PartnerNetwork } from '../api/graphs';
import { layOut, type Footprint, type Point } from './layout';
import { simplify, type Company, type Partnership, type SimpleNetwork } from './simple-network';
import { inBundledFont, widthOf, wrap } from './text';
import { header, type Header } from './header';
import { looks, plainLook } from './looks';
import { element, escapeXml } from './xml';

export interface DrawingOptions {
  /**
   * Write names only in the letters of the font that `rasterize` brings; a name that it cannot write
   * is replaced with the company's domain. For an SVG that stays one, leave it out: a browser has
   * fonts for every script.
   */
  readonly bundledFontOnly?: boolean;
}

/** A company with everything that its place in the picture depends on. */
interface Drawn extends Company {
  readonly radius: number;
  readonly fontSize: number;
  readonly lines: string[];
  readonly footprint: Footprint;
}

const smallestRadius = 6;
const largestRadius = 26;
/** Partners that the largest circle stands for at least, lest a single partner looks like many. */
const fewestForLargest = 20;
const labelWidth = 112;
const lineHeight = 1.2;
const labelGap = 4;
/** Free room around each node and label. */
const clearance = 4;
/** How far the ring of a root is from its circle, its stroke included. */
const ringDistance = 6;
const margin = 32;
const narrowest = 480;
/** White around letters, so that they can be read above edges. */
const halo = 3;

/**
 * Draws a partner network (interface: Graph) as an SVG picture: companies as circles whose area grows
 * with `partnership_count`, the roots in their own colour with a ring and a bold label, a title with a
 * legend above. No label overlaps another label or a circle. The same network gives the same text.
 *
 * Names are written as plain text: no markup or control character of a name gets into the picture.
 * Nothing in it is loaded from elsewhere. Works for any number of nodes; made for up to 100.
 */
export function drawNetwork(network: PartnerNetwork, options: DrawingOptions = {}): string {
  const simple = simplify(network);
  const companies = drawn(simple, options);
  const roots = companies.flatMap(({ standing }, index) => (standing === 'root' ? [index] : []));
  const points = layOut(
    companies.map(({ footprint }) => footprint),
    simple.partnerships,
    roots,
  );
  const box = bounds(companies, points);
  const width = Math.max(narrowest, Math.ceil(box.right - box.left) + 2 * margin);
  const head = header(simple, width - 2 * margin, (company) => lettering(company, options));
  const top = margin + head.height + margin;
  const height = Math.ceil(top + box.bottom - box.top) + margin;
  const places = points.map(({ x, y }) => ({
    x: x - box.left + (width - (box.right - box.left)) / 2,
    y: y - box.top + top,
  }));
  return picture({ width, height, head, companies, places, partnerships: simple.partnerships });
}

function lettering(company: Company, { bundledFontOnly = false }: DrawingOptions): string {
  if (!bundledFontOnly) return company.name;
  return inBundledFont(company.name) || inBundledFont(company.domain) || `#${company.id}`;
}

function drawn({ companies }: SimpleNetwork, options: DrawingOptions): Drawn[] {
  const most = Math.max(
    fewestForLargest,
    ...companies.map(({ partnershipCount }) => partnershipCount),
  );
  return companies.map((company) => {
    const share = Math.max(0, company.partnershipCount) / most;
    const radius = smallestRadius + (largestRadius - smallestRadius) * Math.sqrt(share);
    const { fontSize, bold } = looks[company.standing];
    const lines = wrap(lettering(company, options), labelWidth * (fontSize / 12), fontSize, bold);
    return { ...company, radius, fontSize, lines, footprint: footprintOf(company, radius, lines) };
  });
}

function footprintOf({ standing }: Company, radius: number, lines: string[]): Footprint {
  const { fontSize, bold, ring } = looks[standing];
  const outer = radius + (ring ? ringDistance : 0) + clearance;
  const text = Math.max(...lines.map((line) => widthOf(line, fontSize, bold))) / 2 + clearance;
  const side = Math.max(outer, text);
  const labelHeight = labelGap + lines.length * fontSize * lineHeight;
  return { left: side, right: side, top: outer, bottom: outer + labelHeight };
}

function bounds(companies: Drawn[], points: Point[]): Footprint {
  const edges = companies.map(({ footprint }, index) => {
    const { x, y } = points[index] ?? { x: 0, y: 0 };
    return {
      left: x - footprint.left,
      right: x + footprint.right,
      top: y - footprint.top,
      bottom: y + footprint.bottom,
    };
  });
  if (edges.length === 0) return { left: 0, right: 0, top: 0, bottom: 0 };
  return {
    left: Math.min(...edges.map(({ left }) => left)),
    right: Math.max(...edges.map(({ right }) => right)),
    top: Math.min(...edges.map(({ top }) => top)),
    bottom: Math.max(...edges.map(({ bottom }) => bottom)),
  };
}

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly head: Header;
  readonly companies: Drawn[];
  readonly places: Point[];
  readonly partnerships: Partnership[];
}

function picture({ width, height, head, companies, places, partnerships }: Picture): string {
  const at = (index: number): Point => places[index] ?? { x: 0, y: 0 };
  const edges = partnerships.map(([a, b]) => edge(companies, at, a, b));
  // The paler edges of the roots cover none of the others.
  edges.sort((first, second) => Number(second.ofRoot) - Number(first.ofRoot));
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'font-family': "'DejaVu Sans', Verdana, Arial, sans-serif",
      fill: plainLook.text,
    },
    element('title', {}, escapeXml(head.title)),
    element('rect', { width, height, fill: '#ffffff' }),
    element('g', { transform: `translate(${margin} ${margin})` }, head.markup),
    element(
      'g',
      { class: 'edges', 'stroke-linecap': 'round' },
      ...edges.map(({ markup }) => markup),
    ),
    element('g', { class: 'nodes' }, ...companies.map((company, i) => node(company, at(i)))),
    element(
      'g',
      {
        class: 'labels',
        'text-anchor': 'middle',
        stroke: '#ffffff',
        'stroke-width': halo,
        'stroke-linejoin': 'round',
        'paint-order': 'stroke',
      },
      ...companies.map((company, i) => label(company, at(i))),
    ),
  );
}

function edge(
  companies: Drawn[],
  at: (index: number) => Point,
  a: number,
  b: number,
): { markup: string; ofRoot: boolean } {
  const [from, to] = [at(a), at(b)];
  const ofRoot = companies[a]?.standing === 'root' || companies[b]?.standing === 'root';
  const markup = element('line', {
    'data-source': companies[a]?.id,
    'data-target': companies[b]?.id,
    x1: from.x,
    y1: from.y,
    x2: to.x,
    y2: to.y,
    ...(ofRoot ? plainLook.rootEdge : plainLook.edge),
  });
  return { markup, ofRoot };
}

function node(company: Drawn, { x, y }: Point): string {
  const { fill, stroke, ring } = looks[company.standing];
  const partners =
    company.partnershipCount === 1 ? '1 partner' : `${company.partnershipCount} partners`;
  const tip = [company.name, company.domain, partners].filter((part) => part !== '').join(' · ');
  return element(
    'g',
    { class: `node ${company.standing}`, 'data-id': company.id },
    element('title', {}, escapeXml(tip)),
    ring
      ? element('circle', {
          class: 'ring',
          cx: x,
          cy: y,
          r: company.radius + ringDistance - 1.5,
          fill: '#ffffff',
          stroke: fill,
          'stroke-width': 3,
        })
      : '',
    element('circle', { cx: x, cy: y, r: company.radius, fill, stroke, 'stroke-width': 1.5 }),
  );
}

function label(company: Drawn, { x, y }: Point): string {
  const { bold, ring } = looks[company.standing];
  const size = company.fontSize;
  const top = y + company.radius + (ring ? ringDistance : 0) + labelGap;
  return element(
    'text',
    { 'data-id': company.id, 'font-size': size, 'font-weight': bold ? 'bold' : undefined },
    ...company.lines.map((line, index) =>
      element('tspan', { x, y: top + size * (lineHeight * index + 0.95) }, escapeXml(line)),
    ),
  );
}
