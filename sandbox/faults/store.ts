import { z } from 'zod/v4';
import { FAULT_PRESETS, type FaultPreset } from './presets';
import {
  type Fault,
  faultSchema,
  type Match,
  matchSchema,
  type Occurrence,
  occurrenceSchema,
  presetOptionsSchema,
} from './types';

/** A fault that waits for matching requests. */
export interface FaultRule {
  readonly id: number;
  readonly name: string;
  readonly match: Match;
  readonly when: Occurrence;
  readonly fault: Fault;
  /** Number of matching requests so far; `hit` counts those that the fault hit. */
  seen: number;
  hit: number;
}

/** The properties of a request that decide whether a fault hits it. */
export interface FaultTarget {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly body: unknown;
}

/** A request for a fault: a preset with its options, or a complete fault. */
export const faultRequestSchema = z
  .strictObject({
    preset: z.enum(Object.keys(FAULT_PRESETS) as FaultPreset[]).optional(),
    options: presetOptionsSchema.optional(),
    fault: faultSchema.optional(),
    match: matchSchema.optional(),
    /** Defaults to the first matching request. */
    when: occurrenceSchema.optional(),
  })
  .refine((request) => (request.preset === undefined) !== (request.fault === undefined), {
    message: 'give either a preset or a fault',
  });

export type FaultRequest = Readonly<z.output<typeof faultRequestSchema>>;

/**
 * The requested faults, in the order of their requests. The first fault that matches a request is
 * used.
 */
export class FaultStore {
  private rules: FaultRule[] = [];
  private nextId = 1;

  /**
   * Adds a fault.
   *
   * @returns the rule; its `seen` and `hit` keep counting
   * @throws Error if the request has neither a preset nor a fault
   */
  add(request: FaultRequest): FaultRule {
    const fault =
      request.fault ??
      (request.preset === undefined
        ? undefined
        : FAULT_PRESETS[request.preset](request.options ?? {}));
    if (fault === undefined) throw new Error('Give a fault or the name of a preset.');
    const rule: FaultRule = {
      id: this.nextId++,
      name: request.preset ?? fault.kind,
      match: request.match ?? {},
      when: request.when ?? 'first',
      fault,
      seen: 0,
      hit: 0,
    };
    this.rules.push(rule);
    return rule;
  }

  /** Finds the fault for a request and counts the request. Returns undefined if no fault applies. */
  take(target: FaultTarget): FaultRule | undefined {
    let chosen: FaultRule | undefined;
    for (const rule of this.rules) {
      if (!matches(rule.match, target)) continue;
      rule.seen += 1;
      if (chosen === undefined && isDue(rule.when, rule.seen)) {
        rule.hit += 1;
        chosen = rule;
      }
    }
    return chosen;
  }

  list(): readonly FaultRule[] {
    return this.rules;
  }

  /** Removes one fault, or all of them. */
  clear(id?: number): void {
    this.rules = id === undefined ? [] : this.rules.filter((rule) => rule.id !== id);
  }
}

function matches(match: Match, target: FaultTarget): boolean {
  return (
    (match.method === undefined || match.method === target.method) &&
    (match.path === undefined || pathMatches(match.path, target.path)) &&
    (match.key === undefined || match.key === target.key) &&
    (match.bodyIncludes === undefined ||
      JSON.stringify(target.body ?? null).includes(match.bodyIncludes))
  );
}

function pathMatches(pattern: string, path: string): boolean {
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`).test(path);
}

function isDue(when: Occurrence, seen: number): boolean {
  if (when === 'every') return true;
  if (when === 'first') return seen === 1;
  if ('nth' in when) return seen === when.nth;
  if ('next' in when) return seen <= when.next;
  return seen >= when.from && seen <= when.to;
}
