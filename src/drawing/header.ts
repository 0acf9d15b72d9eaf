import { looks, plainLook } from './looks';
import type { Company, SimpleNetwork, Standing } from './simple-network';
import { shorten, widthOf } from './text';
import { element, escapeXml } from './xml';

/** Title and legend of a picture: `markup` begins at 0,0 and is `height` high. */
export interface Header {
  readonly title: string;
  readonly markup: string;
  readonly height: number;
}

const titleSize = 20;
const textSize = 13;
const row = 22;
const dot = 6;
const gap = 22;

const meanings: Record<Standing, string> = {
  root: 'queried company',
  shared: 'shared partner',
  partner: 'direct partner',
  further: 'further company',
};

/**
 * Says what the picture shows: whose network, how many companies and partnerships, what the colours
 * and sizes mean. Only colours that occur are explained.
 *
 * @param width that nothing may exceed.
 * @param nameOf how to write a company.
 */
export function header(
  { companies, partnerships }: SimpleNetwork,
  width: number,
  nameOf: (company: Company) => string,
): Header {
  const roots = companies.filter(({ standing }) => standing === 'root').map(nameOf);
  const whole = roots.length === 0 ? 'Partner network' : `Partner network of ${list(roots)}`;
  const title = shorten(whole, width, titleSize, true);
  const counts = `${count(companies.length, 'company', 'companies')}, ${count(partnerships.length, 'partnership', 'partnerships')}`;
  const entries = roots.length === 0 ? [] : legend(companies, width);
  const rows = Math.max(0, ...entries.map(({ line }) => line + 1));
  return {
    title: whole,
    markup: [
      element(
        'text',
        { y: titleSize, 'font-size': titleSize, 'font-weight': 'bold' },
        escapeXml(title),
      ),
      element(
        'g',
        { 'font-size': textSize, fill: plainLook.quietText },
        element('text', { y: titleSize + row }, `${counts}; a larger circle has more partners`),
        ...entries.map(({ markup }) => markup),
      ),
    ].join(''),
    height: titleSize + row * (rows + 1),
  };
}

function legend(companies: Company[], width: number): Array<{ markup: string; line: number }> {
  const present = new Set(companies.map(({ standing }) => standing));
  let x = 0;
  let line = 0;
  return (Object.keys(meanings) as Standing[])
    .filter((standing) => present.has(standing))
    .map((standing) => {
      const { fill, ring } = looks[standing];
      const inset = ring ? dot + 4 : dot;
      const entryWidth = 2 * inset + 8 + widthOf(meanings[standing], textSize);
      if (x > 0 && x + entryWidth > width) {
        x = 0;
        line += 1;
      }
      const y = titleSize + row * (line + 2);
      const at = { cx: x + inset, cy: y - textSize * 0.35 };
      const markup = [
        ring
          ? element('circle', {
              ...at,
              r: dot + 3,
              fill: '#ffffff',
              stroke: fill,
              'stroke-width': 2,
            })
          : '',
        element('circle', { ...at, r: dot, fill }),
        element('text', { x: x + 2 * inset + 8, y }, meanings[standing]),
      ].join('');
      x += entryWidth + gap;
      return { markup, line };
    });
}

function list(names: string[]): string {
  const [first = '', second, ...others] = names;
  if (second === undefined) return first;
  return others.length === 0
    ? `${first} and ${second}`
    : `${first}, ${second} and ${others.length} more`;
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
