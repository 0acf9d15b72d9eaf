import fc from 'fast-check';
import { Ledger } from '../../sandbox/ledger';
import { Clock } from '../../sandbox/clock';
import type { Company } from '../../sandbox/data/companies';
import { getWorld } from '../../sandbox/data/world';
import { ServiceError } from '../../sandbox/errors';
import { companyGraph, pairGraph } from '../../sandbox/views/graph';
import { pageOf } from '../../sandbox/views/page';
import { partnersOf, sharedPartners } from '../../sandbox/views/partners';

const DAY_MS = 24 * 60 * 60 * 1000;

test('Pages return every row once and in order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 20 }), (rows, limit) => {
      const seen: number[] = [];
      for (let page = 1; ; page += 1) {
        const { rows: part, pagination } = pageOf(rows, { page, limit }, (n) => `page ${n}`);
        seen.push(...part);
        const has_next = seen.length < rows.length;
        expect(pagination).toEqual({
          page,
          limit,
          total_results: rows.length,
          total_pages: Math.ceil(rows.length / limit),
          has_next,
          has_prev: page > 1,
          ...(has_next && { next_url: `page ${page + 1}` }),
        });
        if (!has_next) break;
        expect(part).toHaveLength(limit);
      }
      expect(seen).toEqual(rows);
      const after = pageOf(rows, { page: rows.length + 2, limit }, String);
      expect(after.rows).toEqual([]);
    }),
  );
});

test('Credits are charged exactly for companies without a paid window, and never fall below zero', () => {
  const call = fc.record({
    companies: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 15 }),
    daysLater: fc.integer({ min: 0, max: 20 }),
  });
  fc.assert(
    fc.property(fc.nat({ max: 40 }), fc.array(call, { maxLength: 20 }), (credits, calls) => {
      const clock = new Clock(1, () => 0);
      const ledger = new Ledger(clock);
      ledger.setBalance('org', credits);
      const paidOn = new Map<number, number>();
      let left = credits;
      let today = 0;
      for (const { companies, daysLater } of calls) {
        today += daysLater;
        clock.advance(daysLater * DAY_MS);
        const owed = [...new Set(companies)].filter(
          (id) => today - (paidOn.get(id) ?? -Infinity) >= 30,
        );
        if (owed.length > left) {
          expect(() => ledger.charge('org', companies)).toThrow(ServiceError);
        } else {
          expect(ledger.charge('org', companies)).toBe(owed.length);
          owed.forEach((id) => paidOn.set(id, today));
          left -= owed.length;
        }
        expect(ledger.balanceOf('org')).toBe(left);
      }
    }),
  );
});

describe('Graphs', () => {
  const world = getWorld(300);
  const company = fc.constantFrom(...world.companies);
  const partnerIdsOf = (one: Company) =>
    partnersOf(world, one).map((partner) => partner.company.id);

  test('of a company contain its root, nodes within their depth, and the edges between them', () => {
    const [depths, sizes] = [fc.constantFrom(1, 2), fc.integer({ min: 1, max: 100 })];
    fc.assert(
      fc.property(company, depths, sizes, (root, depth, maxNodes) => {
        const { nodes, edges } = companyGraph(world, root, depth, maxNodes);
        const ids = new Set(nodes.map((node) => node.id));
        const near = new Set([root.id, ...partnerIdsOf(root)]);
        const reachable =
          depth === 1
            ? near
            : new Set([...near].flatMap((id) => [id, ...partnerIdsOf(world.companies[id - 1]!)]));
        expect(ids.size).toBe(nodes.length);
        expect(ids.size).toBe(Math.min(maxNodes, reachable.size));
        expect([...ids].filter((id) => !reachable.has(id))).toEqual([]);
        expect(nodes.filter((node) => node.is_root).map((node) => node.id)).toEqual([root.id]);
        const inside = world.partnerships.filter(({ a, b }) => ids.has(a + 1) && ids.has(b + 1));
        expect(edges.map((edge) => `${edge.source}-${edge.target}`).sort()).toEqual(
          inside.map(({ a, b }) => `${a + 1}-${b + 1}`).sort(),
        );
      }),
    );
  });

  test('of a pair contain both companies, and other partners only after all shared ones', () => {
    fc.assert(
      fc.property(company, company, fc.integer({ min: 2, max: 30 }), (a, b, maxNodes) => {
        fc.pre(a !== b);
        const shared = sharedPartners(world, a, b).map(({ id }) => id);
        const ids = pairGraph(world, a, b, maxNodes).nodes.map((node) => node.id);
        expect(ids.slice(0, 2)).toEqual([a.id, b.id]);
        expect(ids.length).toBeLessThanOrEqual(maxNodes);
        const others = ids.slice(2).filter((id) => !shared.includes(id));
        const missing = shared.filter((id) => !ids.includes(id));
        expect(others.length === 0 || missing.length === 0).toBe(true);
      }),
    );
  });
});
