/** A chart of several lines over the same x values. */
export interface Panel {
  readonly title: string;
  readonly series: ReadonlyArray<{ readonly name: string; readonly values: readonly number[] }>;
}

const COLORS = ['#8c8c8c', '#d9480f', '#1864ab', '#2b8a3e'];
const [WIDTH, HEIGHT] = [340, 260];
const [LEFT, TOP] = [56, 40];
const STEP = WIDTH + LEFT + 24;

/**
 * Draws panels side by side, as SVG. Both axes are logarithmic, so proportional growth is a
 * straight line.
 */
export function plot(x: readonly number[], panels: readonly Panel[]): string {
  const [width, height] = [panels.length * STEP, HEIGHT + TOP + 64];
  const legend = panels[0]?.series.map(({ name }, index) => {
    const at = LEFT + index * 190;
    return line(index, `M${fixed(at)} ${fixed(height - 12)}h20`) + text(at + 26, height - 8, name);
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${fixed(width)} ${fixed(height)}" font-family="sans-serif" font-size="12" fill="none">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    ...panels.map((panel, index) => {
      const at = `${fixed(LEFT + index * STEP)} ${fixed(TOP)}`;
      return `<g transform="translate(${at})">\n${drawn(x, panel)}\n</g>`;
    }),
    ...(legend ?? []),
    '</svg>\n',
  ].join('\n');
}

function drawn(x: readonly number[], { title, series }: Panel): string {
  const powers = series.flatMap(({ values }) => values.filter(isShown)).map(Math.log10);
  const [low, high] = [Math.floor(Math.min(...powers)), Math.ceil(Math.max(...powers))];
  const across = (place: number) => (place * WIDTH) / (x.length - 1);
  const up = (value: number) => ((high - Math.log10(value)) * HEIGHT) / (high - low);
  const grid = Array.from({ length: high - low + 1 }, (_unused, index) => 10 ** (low + index));
  return [
    text(0, -16, title),
    ...grid.map((value) => {
      const rule = `<path d="M0 ${fixed(up(value))}h${fixed(WIDTH)}" stroke="#ddd"/>`;
      return rule + text(-8, up(value) + 4, short(value), 'end');
    }),
    ...x.map((value, place) => text(across(place), HEIGHT + 20, short(value), 'middle')),
    ...series.map(({ values }, index) => {
      const points = values.flatMap((value, place) =>
        isShown(value) ? `${fixed(across(place))} ${fixed(up(value))}` : [],
      );
      return line(index, `M${points.join('L')}`);
    }),
  ].join('\n');
}

const isShown = (value: number): boolean => value > 0;
const fixed = (value: number): string => value.toFixed(1);
const short = (value: number): string =>
  value.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 6 });

function line(series: number, path: string): string {
  return `<path d="${path}" stroke="${COLORS[series] ?? ''}" stroke-width="2"/>`;
}

function text(x: number, y: number, content: string, anchor = 'start'): string {
  return `<text x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}" fill="#333">${content}</text>`;
}
