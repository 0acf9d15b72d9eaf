import { FIXED_CHOICES } from '../choices';
import type { Company } from '../data/companies';
import { LIMITS } from '../limits';
import { partnershipCount, type Source, technologyCount } from '../views/companies';
import { compile, type FilterNode } from './definition';

export const TIERS = ['high', 'medium', 'exploratory'] as const;
export type Tier = (typeof TIERS)[number];

export interface ListMember {
  readonly company: Company;
  readonly tier: Tier;
  readonly addedBy: 'filter' | 'hand';
}

/** A list's members at the time of the last computation. */
export interface Materialization {
  /** Milliseconds of the service's clock. */
  readonly at: number;
  readonly members: readonly ListMember[];
}

/**
 * Computes a list's members: companies that match the tree or were added by hand, except those
 * excluded. The high tier comes first; within a tier, members are sorted by name.
 *
 * @param added ids of companies added by hand
 * @param excluded ids of companies removed by hand
 */
export function materialize(
  source: Source,
  root: FilterNode | null,
  added: ReadonlySet<number>,
  excluded: ReadonlySet<number>,
  at: number,
): Materialization {
  const passes = compile(source, root);
  const members: ListMember[] = [];
  for (const position of source.world.byName) {
    const company = source.world.companies[position]!;
    const byHand = added.has(company.id);
    if (excluded.has(company.id) || (!byHand && !passes(company))) continue;
    const evidence =
      technologyCount(source.world, company) + 2 * partnershipCount(source.world, company);
    members.push({
      company,
      tier: byHand ? 'high' : tierOf(evidence),
      addedBy: byHand ? 'hand' : 'filter',
    });
  }
  members.sort((a, b) => TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier));
  return { at, members };
}

function tierOf(evidence: number): Tier {
  if (evidence >= FIXED_CHOICES.highTierEvidence) return 'high';
  return evidence >= FIXED_CHOICES.mediumTierEvidence ? 'medium' : 'exploratory';
}

/** Counts the members of each tier. */
export function tierCounts({ members }: Materialization) {
  const of = (tier: Tier): number => members.filter((member) => member.tier === tier).length;
  return {
    total_count: members.length,
    high_count: of('high'),
    medium_count: of('medium'),
    exploratory_count: of('exploratory'),
  };
}

/** Counts the companies that match a tree, up to the preview ceiling (Lists, rule 1). */
export function previewCount(source: Source, root: FilterNode | null) {
  const passes = compile(source, root);
  let count = 0;
  for (const company of source.world.companies) {
    if (passes(company)) count += 1;
    if (count === LIMITS.previewCount) break;
  }
  return { count, capped: count === LIMITS.previewCount };
}

const CSV_COLUMNS = 'company_id,name,primary_domain,slug,tier,added_by';

/** Formats all members as CSV, with a header line. */
export function membersCsv({ members }: Materialization): string {
  const lines = members.map(({ company, tier, addedBy }) =>
    [company.id, company.name, company.primaryDomain, company.slug ?? '', tier, addedBy]
      .map((value) => csvField(String(value)))
      .join(','),
  );
  return [CSV_COLUMNS, ...lines, ''].join('\r\n');
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
