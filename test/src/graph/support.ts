import { DOMParser, onWarningStopParsing, type Element } from '@xmldom/xmldom';

import type { PartnerNetwork } from '../../../src/service/graphs';
import { measureWidth } from '../../../src/graph/text';

export interface Parsed {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: Parsed[];
  /** The text between the children. */
  readonly text: string;
}

export function parseXml(xml: string): Parsed {
  const parser = new DOMParser({ onError: onWarningStopParsing });
  return toParsed(parser.parseFromString(xml, 'image/svg+xml').documentElement!);
}

function toParsed({ tagName, attributes, childNodes }: Element): Parsed {
  const inside = Array.from(childNodes);
  return {
    name: tagName,
    attributes: Object.fromEntries(Array.from(attributes, ({ name, value }) => [name, value])),
    children: inside.filter((node): node is Element => node.nodeType === 1).map(toParsed),
    text: inside.map(({ nodeValue }) => nodeValue ?? '').join(''),
  };
}

export function all(root: Parsed, passes: (element: Parsed) => boolean): Parsed[] {
  const below = root.children.flatMap((child) => all(child, passes));
  return passes(root) ? [root, ...below] : below;
}

type Box = ReturnType<typeof box>;
type ReadPicture = ReturnType<typeof readPicture>;

export function readPicture(svg: string) {
  const root = parseXml(svg);
  const [, , width, height] = root.attributes['viewBox']!.split(' ').map(Number);
  const group = (name: string): Parsed[] =>
    all(root, ({ attributes }) => attributes['class'] === name)[0]!.children;
  return {
    root,
    width: width!,
    height: height!,
    title: root.children.find(({ name }) => name === 'title')!.text,
    texts: all(root, ({ name }) => name === 'text' || name === 'tspan')
      .map(({ text }) => text)
      .filter((text) => text !== ''),
    nodes: group('nodes').map((node) => {
      const circles = all(node, ({ name }) => name === 'circle');
      const outermost = circles.reduce((a, b) => (reach(a) > reach(b) ? a : b));
      const { cx, cy } = numbers(outermost);
      const id = node.attributes['data-id']!;
      return {
        id,
        tip: node.children[0]!.text,
        radius: numbers(circles.at(-1)!)['r']!,
        ring: circles.some(({ attributes }) => attributes['class'] === 'ring'),
        box: box(`circle of ${id}`, cx!, cy! - reach(outermost), reach(outermost) * 2),
      };
    }),
    labels: group('labels').map((label) => {
      const id = label.attributes['data-id']!;
      const size = Number(label.attributes['font-size']);
      const bold = label.attributes['font-weight'] === 'bold';
      return {
        id,
        bold,
        lines: label.children.map(({ text }) => text),
        // From the top of an accented capital to the bottom of a "g".
        boxes: label.children.map((line) => {
          const { x, y } = numbers(line);
          const width = measureWidth(line.text, { size, bold });
          return box(`"${line.text}" of ${id}`, x!, y! - size * 0.93, size * 1.17, width);
        }),
      };
    }),
    backgrounds: group('backgrounds').map(({ attributes: { x, y, width: of, height: high } }) =>
      box('background', Number(x) + Number(of) / 2, Number(y), Number(high), Number(of)),
    ),
    edges: group('edges').map(({ attributes }) =>
      ['source', 'target'].map((end) => attributes[`data-${end}`]!),
    ),
  };
}

export function collisions({ nodes, labels, width, height }: ReadPicture): string[] {
  const boxes = [
    ...nodes.map((node) => ({ ...node.box, of: node.id })),
    ...labels.flatMap(({ id, boxes: lines }) => lines.map((line) => ({ ...line, of: id }))),
  ];
  const isInside = ({ left, right, top, bottom }: Box) =>
    left >= 0 && top >= 0 && right <= width && bottom <= height;
  const outside = boxes.filter((one) => !isInside(one)).map(({ what }) => `${what} is outside`);
  const overlaps = boxes.flatMap((a, index) =>
    boxes
      .slice(index + 1)
      // Lines of one label may touch, and so may a label and its own circle.
      .filter((b) => !(a.of === b.of && a.what.startsWith('"')))
      .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
      .map((b) => `${a.what} overlaps ${b.what}`),
  );
  return [...outside, ...overlaps];
}

/** Parses edges from text: `1-2 2-3`. */
export function pairs(text: string): Array<[number, number]> {
  return text.split(' ').map((pair) => pair.split('-').map(Number) as [number, number]);
}

export function network(
  names: string[],
  edges: Array<[number, number]> = [],
  counts: number[] = [],
): PartnerNetwork {
  return {
    root_company: 1,
    nodes: names.map((name, index) => ({
      id: index + 1,
      name,
      primary_domain: `company-${index + 1}.example`,
      partnership_count: counts[index] ?? 1,
      is_root: index === 0,
      slug: `company-${index + 1}`,
    })),
    edges: edges.map(([source, target]) => ({ source, target })),
  };
}

function box(what: string, x: number, top: number, height: number, width = height) {
  return { what, left: x - width / 2, right: x + width / 2, top, bottom: top + height };
}

function numbers({ attributes }: Parsed): Record<string, number> {
  return Object.fromEntries(Object.entries(attributes).map(([key, text]) => [key, Number(text)]));
}

function reach(circle: Parsed): number {
  const { r, 'stroke-width': stroke = 0 } = numbers(circle);
  return r! + stroke / 2;
}
