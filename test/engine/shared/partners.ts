/** Companies in the local service's data: those with many partners, and their technologies. */
import type { Sandbox } from '../../../sandbox';

/** Returns domains of the companies with the most partners, most first. */
export function hubs(sandbox: Sandbox, count = 3): string[] {
  const { byPartnershipCount, companies } = sandbox.world;
  return byPartnershipCount
    .slice(0, count)
    .map((position) => companies[position]?.primaryDomain ?? '');
}

/** Domains of two companies that are partners. */
export interface Pair {
  readonly a: string;
  readonly b: string;
}

/** Returns pairs of partners, those with the most shared partners first. */
export function connectedPairs(sandbox: Sandbox): Pair[] {
  const { world } = sandbox;
  const partnersOf = (position: number) =>
    new Set(
      world.partnershipsOf[position]?.map((index) => {
        const link = world.partnerships[index];
        return link?.a === position ? link.b : link?.a;
      }),
    );
  const candidates = world.byPartnershipCount.slice(0, 40);
  const partners = new Map(candidates.map((position) => [position, partnersOf(position)]));
  return candidates
    .flatMap((a, index) =>
      candidates
        .slice(index + 1)
        .filter((b) => partners.get(a)?.has(b))
        .map((b) => ({
          a: world.companies[a]?.primaryDomain ?? '',
          b: world.companies[b]?.primaryDomain ?? '',
          shared: [...(partners.get(a) ?? [])].filter((one) => partners.get(b)?.has(one)).length,
        })),
    )
    .sort((one, other) => other.shared - one.shared)
    .map(({ a, b }) => ({ a, b }));
}

/** Returns the pair with the most shared partners. */
export function connectedPair(sandbox: Sandbox): Pair {
  const [pair] = connectedPairs(sandbox);
  if (pair === undefined) throw new Error('No two companies of the service are partners.');
  return pair;
}
