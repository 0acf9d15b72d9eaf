import { UndirectedGraph } from 'graphology';

import type { PartnerNetwork } from '../service/graphs';
import { layOut, type Box } from './layout';
import { toCompanyGraph, type Company, type CompanyRole } from './network';
import { toBundledFont, shorten, measureWidth, wrap, type Font } from './text';
import { createElement, escapeXml } from './xml';

/** Sizes are in the units of the picture, which are pixels at 100%. */
interface CompanyStyle extends Font {
  readonly fill: string;
  /** From the circle to the outer edge of the ring around it. */
  readonly ring: number;
  readonly meaning: string;
}

const plain = { ring: 0, size: 12, bold: false };
/** Distinguishable for people with red-green color blindness. */
const styles: Record<CompanyRole, CompanyStyle> = {
  root: { fill: '#d9480f', ring: 6, size: 15, bold: true, meaning: 'queried company' },
  shared: { ...plain, fill: '#5f3dc4', meaning: 'shared partner' },
  partner: { ...plain, fill: '#1c7ed6', meaning: 'direct partner' },
  further: { ...plain, fill: '#8fa3b5', meaning: 'further company' },
};
const textColor = '#1f2933';
const quietText = '#52606d';
/** Pale, because a root can have a hundred edges. */
const rootEdge = { stroke: '#f3bfa8', 'stroke-width': 1.2 };
const otherEdge = { stroke: '#9fafbd', 'stroke-width': 1.1 };

const minRadius = 6;
const maxRadius = 26;
/** So that a single partner does not look like many. */
const minPartnersForMaxRadius = 20;
const labelWidth = 112;
const lineHeight = 1.2;
const labelGap = 4;
const clearance = 4;
const margin = 32;
const narrowest = 640;
const title: Font = { size: 20, bold: true };
const rowHeight = 22;
const labelBackground = { fill: '#ffffff', rx: 2 };
const labelPadding = 2;

interface DrawnCompany extends Company, Box {
  readonly radius: number;
  readonly label: string;
  readonly lines: string[];
}

/**
 * Draws companies as circles whose area grows with `partnership_count`. No label overlaps another label or a
 * circle. The same network always becomes the same text. Names are plain text, so none of their markup gets into
 * the picture, and it loads nothing from elsewhere. It is made for up to 100 nodes.
 *
 * @param bundledFontOnly Write a name that the font of `toPng` cannot show as the company's domain. Browsers
 * have fonts for every script.
 */
export function drawNetwork(network: PartnerNetwork, bundledFontOnly = false): string {
  const graph = toDrawnGraph(network, bundledFontOnly);
  const companies = graph.mapNodes((_id, company) => company);
  const roots = graph.filterNodes((_id, { role }) => role === 'root');
  const size = layOut(graph, roots);
  const width = Math.max(narrowest, Math.ceil(size.width) + 2 * margin);
  const head = formatTitle(companies);
  const top = 2 * margin + title.size + (roots.length === 0 ? 1 : 2) * rowHeight;
  for (const company of companies) {
    company.x += (width - size.width) / 2;
    company.y += top;
  }
  return toSvg(
    { width, height: Math.ceil(top + size.height) + margin },
    createElement('title', {}, escapeXml(head)),
    drawHeader(graph, shorten(head, width - 2 * margin, title)),
    createElement('g', { class: 'edges', 'stroke-linecap': 'round' }, ...drawEdges(graph)),
    createElement('g', { class: 'nodes' }, ...graph.mapNodes(drawNode)),
    createElement(
      'g',
      { class: 'backgrounds', ...labelBackground },
      ...graph.mapNodes(drawBackground),
    ),
    createElement('g', { class: 'labels', 'text-anchor': 'middle' }, ...graph.mapNodes(drawLabel)),
  );
}

function toSvg(size: { width: number; height: number }, ...content: string[]): string {
  return createElement(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      ...size,
      viewBox: `0 0 ${size.width} ${size.height}`,
      role: 'img',
      'font-family': "'DejaVu Sans', Verdana, Arial, sans-serif",
      fill: textColor,
    },
    createElement('rect', { ...size, fill: '#ffffff' }),
    ...content,
  );
}

function toDrawnGraph(
  network: PartnerNetwork,
  bundledFontOnly: boolean,
): UndirectedGraph<DrawnCompany> {
  const companies = toCompanyGraph(network);
  const counts = companies.mapNodes((_id, { partnershipCount }) => partnershipCount);
  const most = Math.max(minPartnersForMaxRadius, ...counts);
  const graph = new UndirectedGraph<DrawnCompany>();
  companies.forEachNode((id, company) => {
    const { name, domain } = company;
    const label = bundledFontOnly ? toBundledFont(name) || toBundledFont(domain) || `#${id}` : name;
    graph.addNode(id, { ...company, ...toShape(company, label, most) });
  });
  companies.forEachEdge((_edge, _attributes, a, b) => graph.addEdge(a, b));
  return graph;
}

function toShape({ role, partnershipCount }: Company, label: string, most: number) {
  const look = styles[role];
  const share = Math.max(0, partnershipCount) / most;
  const radius = minRadius + (maxRadius - minRadius) * Math.sqrt(share);
  const lines = wrap(label, labelWidth * (look.size / plain.size), look);
  const outer = 2 * (radius + look.ring);
  const width = Math.max(outer, ...lines.map((line) => measureWidth(line, look))) + 2 * clearance;
  const labelHeight = labelGap + lines.length * look.size * lineHeight;
  return { radius, label, lines, width, height: outer + labelHeight + 2 * clearance, x: 0, y: 0 };
}

function formatTitle(companies: DrawnCompany[]): string {
  const roots = companies.filter(({ role }) => role === 'root').map(({ label }) => label);
  const [first, second, ...others] = roots;
  if (first === undefined) return 'Partner network';
  if (second === undefined) return `Partner network of ${first}`;
  return others.length === 0
    ? `Partner network of ${first} and ${second}`
    : `Partner network of ${first}, ${second} and ${others.length} more`;
}

function drawHeader(graph: UndirectedGraph<DrawnCompany>, head: string): string {
  const companies = graph.order === 1 ? '1 company' : `${graph.order} companies`;
  const partnerships = graph.size === 1 ? '1 partnership' : `${graph.size} partnerships`;
  return createElement(
    'g',
    { transform: `translate(${margin} ${margin + title.size})`, 'font-size': 13, fill: quietText },
    createElement(
      'text',
      { 'font-size': title.size, 'font-weight': 'bold', fill: textColor },
      escapeXml(head),
    ),
    createElement(
      'text',
      { y: rowHeight },
      `${companies}, ${partnerships}; a larger circle has more partners`,
    ),
    createElement('text', { y: 2 * rowHeight }, ...drawLegend(graph)),
  );
}

/** Only colors that occur; empty without a root, because they all refer to roots. */
function drawLegend(graph: UndirectedGraph<DrawnCompany>): string[] {
  const present = new Set(graph.mapNodes((_id, { role }) => role));
  if (!present.has('root')) return [];
  return Object.entries(styles)
    .filter(([standing]) => present.has(standing as CompanyRole))
    .flatMap(([, { fill, ring, meaning }], index) => [
      createElement(
        'tspan',
        { dx: index === 0 ? 0 : 18, 'font-size': 16, fill },
        ring > 0 ? '◉' : '●',
      ),
      createElement('tspan', { dx: 6 }, meaning),
    ]);
}

/** The paler edges of the roots come first, so that they do not cover others. */
function drawEdges(graph: UndirectedGraph<DrawnCompany>): string[] {
  const ofRoots: string[] = [];
  const others: string[] = [];
  graph.forEachEdge((_edge, _attributes, source, target, from, to) => {
    const ofRoot = from.role === 'root' || to.role === 'root';
    const ends = { x1: from.x, y1: circleCenter(from), x2: to.x, y2: circleCenter(to) };
    const line = { 'data-source': source, 'data-target': target, ...ends };
    if (ofRoot) ofRoots.push(createElement('line', { ...line, ...rootEdge }));
    else others.push(createElement('line', { ...line, ...otherEdge }));
  });
  return [...ofRoots, ...others];
}

function circleCenter({ role, radius, height, y }: DrawnCompany): number {
  return y - height / 2 + clearance + styles[role].ring + radius;
}

function drawNode(id: string, company: DrawnCompany): string {
  const { fill, ring } = styles[company.role];
  const { name, domain, partnershipCount, radius } = company;
  const partners = partnershipCount === 1 ? '1 partner' : `${partnershipCount} partners`;
  const tip = [name, domain, partners].filter((part) => part !== '').join(' · ');
  const center = { cx: company.x, cy: circleCenter(company) };
  const around = { class: 'ring', fill: '#ffffff', stroke: fill, 'stroke-width': 3 };
  return createElement(
    'g',
    { class: `node ${company.role}`, 'data-id': id },
    createElement('title', {}, escapeXml(tip)),
    ring > 0 ? createElement('circle', { ...center, ...around, r: radius + ring - 1.5 }) : '',
    createElement('circle', { ...center, r: radius, fill, stroke: '#ffffff', 'stroke-width': 1.5 }),
  );
}

function lineTop(company: DrawnCompany, line: number): number {
  const { size, ring } = styles[company.role];
  return circleCenter(company) + company.radius + ring + labelGap + size * lineHeight * line;
}

/** It lies within the box of the company, so it covers no other. */
function drawBackground(_id: string, company: DrawnCompany): string {
  const look = styles[company.role];
  return company.lines
    .map((line, index) => {
      const width = measureWidth(line, look) + 2 * labelPadding;
      const corner = { x: company.x - width / 2, y: lineTop(company, index) };
      return createElement('rect', { ...corner, width, height: look.size * lineHeight });
    })
    .join('');
}

function drawLabel(id: string, company: DrawnCompany): string {
  const { size, bold } = styles[company.role];
  return createElement(
    'text',
    { 'data-id': id, 'font-size': size, 'font-weight': bold ? 'bold' : undefined },
    ...company.lines.map((line, index) => {
      const y = lineTop(company, index) + size * 0.95;
      return createElement('tspan', { x: company.x, y }, escapeXml(line));
    }),
  );
}
