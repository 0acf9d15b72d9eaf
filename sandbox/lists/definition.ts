import { z } from 'zod/v4';
import type { Company } from '../data/companies';
import { parsePart } from '../endpoint';
import { errors } from '../errors';
import { firmographics, type Source } from '../views/companies';

/** Version of the catalog, stored in definitions. It changes when fields or operators change. */
export const REGISTRY_VERSION = '2025-06-01';

/** Operators by the kind of value that they accept. */
const OPERATORS = {
  text: ['equals', 'in'],
  number: ['equals', 'gte'],
  boolean: ['equals'],
} as const;

type Value = string | number | boolean;

interface Field {
  readonly label: string;
  readonly type: keyof typeof OPERATORS;
  /** Reads the company's value, or its values. */
  readonly read: (company: Company, source: Source) => readonly Value[];
}

/** Fields by which lists can filter companies. */
const FIELDS: Readonly<Record<string, Field>> = {
  primary_domain: {
    label: 'Primary domain',
    type: 'text',
    read: ({ primaryDomain }) => [primaryDomain],
  },
  industry: { label: 'Industry', type: 'text', read: ({ industry }) => [industry] },
  country: { label: 'Country', type: 'text', read: ({ country }) => [country] },
  technology: { label: 'Uses technology (tech_key)', type: 'text', read: techKeysOf },
  tech_count: {
    label: 'Number of technologies',
    type: 'number',
    read: (company, source) => [firmographics(source, company).tech_count],
  },
  partnership_count: {
    label: 'Number of partnerships',
    type: 'number',
    read: (company, source) => [firmographics(source, company).partnership_count],
  },
  has_partner_page: {
    label: 'Has a partner page',
    type: 'boolean',
    read: ({ id }, { world }) => [world.hasPartnerPage[id - 1] === 1],
  },
};

function techKeysOf({ id }: Company, { world }: Source): string[] {
  const { start, technology } = world.detections;
  const keys = [];
  for (let i = start[id - 1]!; i < start[id]!; i += 1) {
    keys.push(world.technologies[technology[i]!]!.key);
  }
  return keys;
}

/** Returns the catalog as in the response of `GET /v1/lists/filter-fields`. */
export function filterCatalog() {
  return {
    registry_version: REGISTRY_VERSION,
    fields: Object.entries(FIELDS).map(([key, { label, type }]) => ({
      key,
      label,
      type,
      operators: [...OPERATORS[type]],
    })),
  };
}

/** A condition on one field, or a group of nodes. */
export type FilterNode =
  | { readonly field: string; readonly operator: string; readonly value: Value | Value[] }
  | { readonly op: 'and' | 'or' | 'not'; readonly children: readonly FilterNode[] };

/** A definition: the tree and the catalog's version. A null root matches no company. */
export interface Definition {
  readonly registry_version: string;
  readonly root: FilterNode | null;
  /** The version that an edit is based on. If another version is current, the edit is a conflict. */
  readonly version?: number | undefined;
}

const value = z.union([z.string(), z.number(), z.boolean()]);

const nodeSchema: z.ZodType<FilterNode> = z.lazy(() =>
  z.union([
    z
      .strictObject({
        field: z.enum(Object.keys(FIELDS)),
        operator: z.string(),
        value: z.union([value, z.array(value).min(1)]),
      })
      .refine(({ field, operator }) => operatorsOf(field).includes(operator), {
        error: 'the field has no such operator',
      }),
    z.strictObject({ op: z.enum(['and', 'or', 'not']), children: z.array(nodeSchema).min(1) }),
  ]),
);

function operatorsOf(field: string): readonly string[] {
  return OPERATORS[FIELDS[field]!.type];
}

/** A definition in a request. */
const definitionSchema: z.ZodType<Definition> = z.object({
  registry_version: z.literal(REGISTRY_VERSION, 'is not the current registry_version'),
  root: nodeSchema.nullable().refine((root) => root === null || isBounded(root), {
    error: 'is unbounded: at least one condition must say what companies are, not are not',
  }),
  version: z.int().min(1).optional(),
});

/**
 * Reads a definition in a request.
 *
 * @throws 422 `invalid_definition` if it is malformed or unbounded (Lists, rule 2)
 */
export function readDefinition(value: unknown): Definition {
  return parsePart('definition', definitionSchema, value, errors.invalidDefinition);
}

/** A saved definition in a response. */
export const savedDefinitionSchema = z.strictObject({
  version: z.int().min(1),
  registry_version: z.string(),
  root: nodeSchema.nullable(),
});

function isBounded(node: FilterNode): boolean {
  if ('field' in node) return true;
  if (node.op === 'not') return false;
  return node.op === 'and' ? node.children.some(isBounded) : node.children.every(isBounded);
}

/** Compiles a definition to a test of companies. Null matches no company. */
export function compile(source: Source, node: FilterNode | null): (company: Company) => boolean {
  if (node === null) return () => false;
  if ('field' in node) {
    const { read } = FIELDS[node.field]!;
    const wanted = [node.value].flat();
    return (company) =>
      read(company, source).some((one) =>
        node.operator === 'gte' ? Number(one) >= Number(wanted[0]) : wanted.includes(one),
      );
  }
  const tests = node.children.map((child) => compile(source, child));
  switch (node.op) {
    case 'and':
      return (company) => tests.every((test) => test(company));
    case 'or':
      return (company) => tests.some((test) => test(company));
    case 'not':
      return (company) => !tests.some((test) => test(company));
  }
}
