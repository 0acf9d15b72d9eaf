import type { Random } from './random';
import { DAY, EPOCH } from './time';

export const PARTNERSHIP_TYPES = ['technology', 'channel', 'generic'] as const;
export type PartnershipType = (typeof PARTNERSHIP_TYPES)[number];

/** One partnership between two companies (positions in the world), seen from either or both sides. */
export interface Partnership {
  readonly a: number;
  readonly b: number;
  /** Whether company a lists b as a partner. `listedByA`, `listedByB` or both are true. */
  readonly listedByA: boolean;
  readonly listedByB: boolean;
  readonly type: PartnershipType;
  /** Unix seconds. */
  readonly firstObserved: number;
  readonly lastObserved: number;
  readonly observations: number;
}

/** Share of companies without partnerships. */
const SHARE_ALONE = 0.12;

/**
 * Links the companies. All companies with partners form one connected network. A few hubs have very
 * many partners, because each new company prefers partners that already have many.
 *
 * @returns the partnerships, and the partnerships of each company position
 */
export function buildPartnerships(
  companyCount: number,
  random: Random,
): { partnerships: Partnership[]; byCompany: ReadonlyArray<readonly number[]> } {
  const order = Array.from({ length: companyCount }, (_, position) => position);
  for (let index = companyCount - 1; index > 0; index -= 1) {
    const other = random.int(0, index);
    [order[index], order[other]] = [order[other]!, order[index]!];
  }
  const partnerships: Partnership[] = [];
  const byCompany: number[][] = Array.from({ length: companyCount }, () => []);
  const endpoints: number[] = [];
  for (const newcomer of order) {
    if (random.chance(SHARE_ALONE)) continue;
    if (endpoints.length === 0) {
      endpoints.push(newcomer);
      continue;
    }
    const chosen = new Set<number>();
    const wanted = random.steps(0.55, 8);
    for (let attempt = 0; attempt < wanted * 2 && chosen.size < wanted; attempt += 1) {
      const partner = random.pick(endpoints);
      if (partner !== newcomer) chosen.add(partner);
    }
    for (const partner of chosen) {
      const age = random.int(30, 1800);
      const staleness = Math.floor(random.next() ** 2 * age);
      const side = random.next();
      byCompany[newcomer]?.push(partnerships.length);
      byCompany[partner]?.push(partnerships.length);
      partnerships.push({
        a: newcomer,
        b: partner,
        listedByA: side < 0.75,
        listedByB: side >= 0.55,
        type: random.pick(PARTNERSHIP_TYPES),
        firstObserved: EPOCH - age * DAY - random.int(0, DAY - 1),
        lastObserved: EPOCH - staleness * DAY + 1 - random.int(1, DAY),
        observations: 1 + Math.floor((age - staleness) / random.int(10, 60)),
      });
      endpoints.push(newcomer, partner);
    }
  }
  // The last observation is neither later than the end of the data nor earlier than the first.
  return {
    partnerships: partnerships.map((link) =>
      link.lastObserved < link.firstObserved ? { ...link, lastObserved: link.firstObserved } : link,
    ),
    byCompany,
  };
}
