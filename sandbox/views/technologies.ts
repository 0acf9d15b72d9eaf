import type { Technology, Vendor } from '../data/technologies';
import { toTimestamp } from '../data/time';
import type { World } from '../data/world';
import { companyReference, firmographics, type Source } from './companies';

/** Finds active technologies whose name or vendor contains a text, ignoring case (search row). */
export function searchTechnologies(world: World, text: string): Technology[] {
  const wanted = text.trim().toLowerCase();
  return world.technologies.filter(
    (technology) =>
      technology.active &&
      (technology.name.toLowerCase().includes(wanted) ||
        technology.vendor.name.toLowerCase().includes(wanted)),
  );
}

export function technologyRow(technology: Technology) {
  return {
    tech_key: technology.key,
    display_name: technology.name,
    vendor_name: technology.vendor.name,
  };
}

/** One company's evidence of one technology, or of all technologies of a vendor. */
export interface Evidence {
  /** Company position. */
  readonly position: number;
  readonly count: number;
  /** Unix seconds. */
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** Indexes of the technologies that the evidence is for. */
  readonly technologies: readonly number[];
}

/**
 * Companies by technology and vendor, most recent evidence first, then alphabetically
 * (Technologies, rule 3). The sort order is cached until a refresh changes it, because clients read
 * large lists page by page.
 */
export class TechnologyUsers {
  private version = -1;
  private readonly ofTechnology = new Map<string, Uint32Array>();
  private readonly ofVendor = new Map<string, Evidence[]>();

  constructor(private readonly source: Source) {}

  /** Returns the detections of a technology, in order. Each is one company. */
  usersOf(technology: Technology): Uint32Array {
    this.forgetIfStale();
    let order = this.ofTechnology.get(technology.key);
    if (order === undefined) {
      const { byTechnology, company } = this.source.world.detections;
      const { nameRank } = this.source.world;
      order = Uint32Array.from(byTechnology[technology.index]!).sort(
        (a, b) =>
          this.lastSeen(b) - this.lastSeen(a) || nameRank[company[a]!]! - nameRank[company[b]!]!,
      );
      this.ofTechnology.set(technology.key, order);
    }
    return order;
  }

  /** Returns the evidence of one detection, as derived views show it. */
  evidenceOf(detection: number): Evidence {
    const { company, count, firstSeen, technology } = this.source.world.detections;
    const position = company[detection]!;
    return {
      position,
      count: count[detection]! + (this.source.freshness.derived(position + 1)?.times ?? 0),
      firstSeen: firstSeen[detection]!,
      lastSeen: this.lastSeen(detection),
      technologies: [technology[detection]!],
    };
  }

  /** Returns all companies that use any of the vendor's technologies (Technologies, rule 2). */
  usersOfVendor(vendor: Vendor): Evidence[] {
    this.forgetIfStale();
    let users = this.ofVendor.get(vendor.domain);
    if (users === undefined) {
      users = this.unite(vendor);
      this.ofVendor.set(vendor.domain, users);
    }
    return users;
  }

  private unite(vendor: Vendor): Evidence[] {
    const { world } = this.source;
    const union = new Map<number, Evidence>();
    for (const technology of vendor.technologies) {
      for (const detection of world.detections.byTechnology[technology]!) {
        const one = this.evidenceOf(detection);
        const other = union.get(one.position);
        union.set(
          one.position,
          other === undefined
            ? one
            : {
                position: one.position,
                count: one.count + other.count,
                firstSeen: Math.min(one.firstSeen, other.firstSeen),
                lastSeen: Math.max(one.lastSeen, other.lastSeen),
                technologies: [...other.technologies, ...one.technologies],
              },
        );
      }
    }
    return [...union.values()].sort(
      (a, b) =>
        b.lastSeen - a.lastSeen || world.nameRank[a.position]! - world.nameRank[b.position]!,
    );
  }

  private lastSeen(detection: number): number {
    const { company, lastSeen } = this.source.world.detections;
    const refreshed = this.source.freshness.derived(company[detection]! + 1)?.at ?? 0;
    return Math.max(lastSeen[detection]!, refreshed);
  }

  private forgetIfStale(): void {
    if (this.version === this.source.freshness.version) return;
    this.version = this.source.freshness.version;
    this.ofTechnology.clear();
    this.ofVendor.clear();
  }
}

/** Returns a row of a technology company list. */
export function userRow(source: Source, evidence: Evidence, withFirmographics: boolean) {
  const company = source.world.companies[evidence.position]!;
  return {
    ...companyReference(company),
    detection_count: evidence.count,
    first_seen_at: toTimestamp(evidence.firstSeen),
    last_seen_at: toTimestamp(evidence.lastSeen),
    ...(withFirmographics ? { firmographics: firmographics(source, company) } : {}),
  };
}

/** One in this many companies has weaker signals of a vendor in addition to its detections. */
const SIGNALS_EVERY = 9;

/** Returns a row of a vendor company list. It adds the technologies, and sometimes weaker signals. */
export function vendorUserRow(source: Source, evidence: Evidence, withFirmographics: boolean) {
  return {
    ...userRow(source, evidence, withFirmographics),
    technologies_used: evidence.technologies.map((index) => {
      const technology = source.world.technologies[index]!;
      return { tech_key: technology.key, display_name: technology.name };
    }),
    ...(evidence.position % SIGNALS_EVERY === 0
      ? {
          additional_signals: [
            { signal: 'dns_record', observed_at: toTimestamp(evidence.firstSeen) },
          ],
        }
      : {}),
  };
}
