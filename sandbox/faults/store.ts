import { z } from 'zod/v4';
import { type Fault, FAULT_PRESETS, type FaultPreset, presetOptionsSchema } from './presets';

const place = z.int().positive();

export const faultRequestSchema = z.strictObject({
  preset: z.enum(Object.keys(FAULT_PRESETS) as FaultPreset[]),
  options: presetOptionsSchema.optional(),
  /** Which requests the fault can hit: all properties must match; by default, every request does. */
  match: z
    .strictObject({
      method: z.string(),
      /** Path without query. `*` matches any characters, so `/v1/lists/*` is a prefix. */
      path: z.string(),
      /** Name of a key. */
      key: z.string(),
      /** Text that the request body must contain, for example a domain of one batch. */
      bodyIncludes: z.string(),
    })
    .partial()
    .optional(),
  /** Which of the matching requests the fault hits, counted from 1. Default `first`. */
  when: z
    .union([
      z.enum(['first', 'every']),
      z.strictObject({ nth: place }),
      z.strictObject({ from: place, to: place }),
    ])
    .optional(),
});

export type FaultRequest = Readonly<z.output<typeof faultRequestSchema>>;

/** The properties of a request that decide whether a fault hits it. */
export interface FaultTarget {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly body: unknown;
}

/** The requested faults. The first one that is due hits a request. */
export class FaultStore {
  private readonly rules: Array<{ request: FaultRequest; fault: Fault; seen: number }> = [];

  add(request: FaultRequest): void {
    const fault = FAULT_PRESETS[request.preset](request.options ?? {});
    this.rules.push({ request, fault, seen: 0 });
  }

  /** Counts a request. Returns the fault that hits it. */
  take(target: FaultTarget): Fault | undefined {
    const matching = this.rules.filter(({ request }) => matches(request.match ?? {}, target));
    for (const rule of matching) rule.seen += 1;
    return matching.find(({ request, seen }) => isDue(request.when ?? 'first', seen))?.fault;
  }
}

function matches(match: NonNullable<FaultRequest['match']>, target: FaultTarget): boolean {
  const { method, path, key, bodyIncludes: text } = match;
  return (
    (method === undefined || method === target.method) &&
    (path === undefined || pathMatches(path, target.path)) &&
    (key === undefined || key === target.key) &&
    (text === undefined || JSON.stringify(target.body ?? null).includes(text))
  );
}

function pathMatches(pattern: string, path: string): boolean {
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`).test(path);
}

function isDue(when: NonNullable<FaultRequest['when']>, seen: number): boolean {
  if (when === 'every') return true;
  if (when === 'first') return seen === 1;
  return 'nth' in when ? seen === when.nth : seen >= when.from && seen <= when.to;
}
