import type { Standing } from './simple-network';

/** How a company is drawn. Sizes are in the picture's units, which are pixels at 100 %. */
export interface Look {
  readonly fill: string;
  readonly stroke: string;
  readonly ring: boolean;
  readonly bold: boolean;
  readonly fontSize: number;
}

/** One look for each standing; the colours can be told apart without seeing red and green apart. */
export const looks: Record<Standing, Look> = {
  root: { fill: '#d9480f', stroke: '#ffffff', ring: true, bold: true, fontSize: 15 },
  shared: { fill: '#5f3dc4', stroke: '#ffffff', ring: false, bold: false, fontSize: 12 },
  partner: { fill: '#1c7ed6', stroke: '#ffffff', ring: false, bold: false, fontSize: 12 },
  further: { fill: '#8fa3b5', stroke: '#ffffff', ring: false, bold: false, fontSize: 12 },
};

export const plainLook = {
  text: '#1f2933',
  quietText: '#52606d',
  /** Pale, for a root may have a hundred. */
  rootEdge: { stroke: '#f3bfa8', 'stroke-width': 1.2 },
  edge: { stroke: '#9fafbd', 'stroke-width': 1.1 },
} as const;
