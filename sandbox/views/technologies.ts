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
 * (Technologies, rule 3). Cached until a refresh changes it, because clients read large lists page
 * by page.
 */
export class TechnologyUsers {
  private version = -1;
  private readonly cached = new Map<string, Evidence[]>();

  constructor(private readonly source: Source) {}

  usersOf(technology: Technology): readonly Evidence[] {
    return this.read(technology.key, [technology.index]);
  }

  /** Returns all companies that use any of the vendor's technologies (Technologies, rule 2). */
  usersOfVendor(vendor: Vendor): readonly Evidence[] {
    return this.read(vendor.domain, vendor.technologies);
  }

  private read(name: string, technologies: readonly number[]): readonly Evidence[] {
    const { world, freshness } = this.source;
    if (this.version !== freshness.version) this.cached.clear();
    this.version = freshness.version;
    let users = this.cached.get(name);
    if (users === undefined) {
      const { nameRank } = world;
      users = this.union(technologies).sort(
        (a, b) => b.lastSeen - a.lastSeen || nameRank[a.position]! - nameRank[b.position]!,
      );
      this.cached.set(name, users);
    }
    return users;
  }

  private union(technologies: readonly number[]): Evidence[] {
    const { byTechnology } = this.source.world.detections;
    const union = new Map<number, Evidence>();
    for (const detection of technologies.flatMap((index) => [...byTechnology[index]!])) {
      const one = this.evidenceOf(detection);
      const other = union.get(one.position);
      union.set(one.position, other === undefined ? one : together(other, one));
    }
    return [...union.values()];
  }

  /** Returns the evidence of one detection, as derived views show it. */
  private evidenceOf(detection: number): Evidence {
    const { company, count, firstSeen, lastSeen, technology } = this.source.world.detections;
    const position = company[detection]!;
    const refreshed = this.source.freshness.derived(position + 1);
    return {
      position,
      count: count[detection]! + (refreshed?.times ?? 0),
      firstSeen: firstSeen[detection]!,
      lastSeen: Math.max(lastSeen[detection]!, refreshed?.at ?? 0),
      technologies: [technology[detection]!],
    };
  }
}

function together(one: Evidence, other: Evidence): Evidence {
  return {
    position: one.position,
    count: one.count + other.count,
    firstSeen: Math.min(one.firstSeen, other.firstSeen),
    lastSeen: Math.max(one.lastSeen, other.lastSeen),
    technologies: [...one.technologies, ...other.technologies],
  };
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
