import type { Random } from './random';
import type { Technology } from './technologies';
import { DAY, EPOCH } from './time';

/**
 * Which company uses which technology, stored as columns. A world of 100,000 companies has a
 * million detections. As objects, they would need more memory than everything else.
 */
export interface Detections {
  /** Detections of company position `c` are `start[c]` to `start[c + 1] - 1`. */
  readonly start: Uint32Array;
  readonly company: Uint32Array;
  readonly technology: Uint16Array;
  readonly count: Uint16Array;
  /** Unix seconds. */
  readonly firstSeen: Uint32Array;
  readonly lastSeen: Uint32Array;
  /** Indexes of the detections of each technology. */
  readonly byTechnology: readonly Uint32Array[];
}

/** Crawls happen four times a day, so several companies have the same timestamps. */
const CRAWL_EVERY = DAY / 4;

/** Share of companies without any detection. */
const SHARE_WITHOUT_DETECTIONS = 0.02;

/** Assigns technologies to every company: a few are very common, most are rare. */
export function buildDetections(
  companyCount: number,
  technologies: readonly Technology[],
  random: Random,
): Detections {
  const cumulative = zipf(technologies.length);
  const start = new Uint32Array(companyCount + 1);
  const company: number[] = [];
  const technology: number[] = [];
  for (let position = 0; position < companyCount; position += 1) {
    start[position] = technology.length;
    if (random.chance(SHARE_WITHOUT_DETECTIONS)) continue;
    const own = new Set<number>();
    const wanted = 2 + random.steps(0.85, 40);
    for (let draw = 0; draw < wanted; draw += 1) own.add(drawRank(cumulative, random.next()));
    for (const index of own) {
      company.push(position);
      technology.push(index);
    }
  }
  const total = technology.length;
  start[companyCount] = total;

  const count = new Uint16Array(total);
  const firstSeen = new Uint32Array(total);
  const lastSeen = new Uint32Array(total);
  const usage = new Uint32Array(technologies.length);
  for (let detection = 0; detection < total; detection += 1) {
    const age = random.int(1, 1500);
    const staleness = Math.min(age, Math.floor(random.next() ** 3 * 400));
    firstSeen[detection] = EPOCH - age * DAY - random.int(0, DAY - 1);
    lastSeen[detection] = EPOCH - staleness * DAY - random.int(0, 3) * CRAWL_EVERY;
    if (lastSeen[detection]! < firstSeen[detection]!) {
      lastSeen[detection] = firstSeen[detection]!;
    }
    count[detection] = 1 + Math.floor((age - staleness) / random.int(7, 40));
    usage[technology[detection]!] = usage[technology[detection]!]! + 1;
  }
  const byTechnology = Array.from(usage, (size) => new Uint32Array(size));
  const filled = new Uint32Array(technologies.length);
  for (let detection = 0; detection < total; detection += 1) {
    const index = technology[detection]!;
    const slot = filled[index]!;
    (byTechnology[index] as Uint32Array)[slot] = detection;
    filled[index] = slot + 1;
  }
  return {
    start,
    company: Uint32Array.from(company),
    technology: Uint16Array.from(technology),
    count,
    firstSeen,
    lastSeen,
    byTechnology,
  };
}

function zipf(size: number): Float64Array {
  const cumulative = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank += 1) {
    sum += 1 / (rank + 2) ** 0.9;
    cumulative[rank] = sum;
  }
  return cumulative.map((value) => value / sum);
}

/** Finds the rank whose cumulative share covers `share`, by binary search. */
function drawRank(cumulative: Float64Array, share: number): number {
  let low = 0;
  let high = cumulative.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cumulative[middle]! < share) low = middle + 1;
    else high = middle;
  }
  return low;
}
