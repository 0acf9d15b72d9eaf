import { z } from 'zod/v4';
import { FIXED_CHOICES } from '../choices';
import {
  FILTER_FIELDS,
  type FieldType,
  type FilterField,
  type FilterKey,
  OPERATORS,
  REGISTRY_VERSION,
} from './catalogue';

/** A condition on one field, or a group of nodes. */
export interface Condition {
  readonly field: FilterKey;
  readonly operator: string;
  readonly value: ConditionValue;
}
export type ConditionValue = string | number | boolean | string[] | number[];
export interface Group {
  readonly op: 'and' | 'or' | 'not';
  readonly children: FilterNode[];
}
export type FilterNode = Condition | Group;

/** A saved definition: the tree and the catalog's version. A null root matches no company. */
export interface Definition {
  readonly registry_version: string;
  readonly root: FilterNode | null;
  /**
   * When replacing: the version that the edit is based on. If another version is current, the edit
   * is a conflict.
   */
  readonly version?: number | undefined;
}

const FIELDS = new Map<string, FilterField>(FILTER_FIELDS.map((field) => [field.key, field]));
const FIELD_KEYS = FILTER_FIELDS.map((field) => field.key) as [FilterKey, ...FilterKey[]];
const MULTIPLE = new Set(['in', 'not_in', 'between']);

const conditionSchema: z.ZodType<Condition> = z
  .strictObject({
    field: z.enum(FIELD_KEYS),
    operator: z.string(),
    value: z.union([
      z.string().min(1),
      z.number(),
      z.boolean(),
      z.array(z.string().min(1)).min(1).max(FIXED_CHOICES.treeMaxValues),
      z.array(z.number()).min(1).max(FIXED_CHOICES.treeMaxValues),
    ]),
  })
  .check(({ value, issues }) => {
    const message = problemOf(value);
    if (message !== null) issues.push({ code: 'custom', message, input: value });
  });

const nodeSchema: z.ZodType<FilterNode> = z.lazy(() =>
  z.union([
    conditionSchema,
    z
      .strictObject({ op: z.enum(['and', 'or', 'not']), children: z.array(nodeSchema).min(1) })
      .refine((group) => group.op !== 'not' || group.children.length === 1, {
        message: '"not" has one child',
      }),
  ]),
);

/**
 * A definition in a request, bare or under `definition`. Too deep or too large trees are rejected
 * before parsing.
 */
export const definitionSchema: z.ZodType<Definition> = z.preprocess(
  (input, context) => {
    const body = isObject(input) && isObject(input.definition) ? input.definition : input;
    const size = isObject(body) ? sizeProblem(body.root) : null;
    if (size === null) return body;
    context.addIssue({ code: 'custom', message: size });
    return z.NEVER;
  },
  z
    .object({
      registry_version: z.literal(REGISTRY_VERSION, 'is not the current registry_version'),
      root: nodeSchema.nullable(),
      version: z.int().min(1).optional(),
    })
    .refine(({ root }) => root === null || isBounded(root), {
      path: ['root'],
      message: 'is unbounded: at least one condition must say what companies are, not are not',
    }),
);

/** A saved definition in a response. */
export const savedDefinitionSchema = z.strictObject({
  version: z.int().min(1),
  registry_version: z.string(),
  root: nodeSchema.nullable(),
});

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Measures a tree without recursion, so that no input can exhaust the stack. */
function sizeProblem(root: unknown): string | null {
  const open: Array<{ node: unknown; depth: number }> = [{ node: root, depth: 1 }];
  let nodes = 0;
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    nodes += 1;
    if (nodes > FIXED_CHOICES.treeMaxNodes) {
      return `is unbounded: more than ${FIXED_CHOICES.treeMaxNodes} nodes`;
    }
    if (entry.depth > FIXED_CHOICES.treeMaxDepth) {
      return `is unbounded: deeper than ${FIXED_CHOICES.treeMaxDepth} levels`;
    }
    if (!isObject(entry.node) || !Array.isArray(entry.node.children)) continue;
    for (const child of entry.node.children) open.push({ node: child, depth: entry.depth + 1 });
  }
  return null;
}

/**
 * Returns whether a node selects companies by a positive condition. Otherwise it would match nearly
 * all companies.
 */
function isBounded(node: FilterNode): boolean {
  if ('field' in node) return !node.operator.startsWith('not_');
  if (node.op === 'not') return false;
  return node.op === 'and' ? node.children.some(isBounded) : node.children.every(isBounded);
}

const VALUE_TYPES: Readonly<Record<FieldType, 'string' | 'number' | 'boolean'>> = {
  text: 'string',
  choice: 'string',
  reference: 'string',
  number: 'number',
  boolean: 'boolean',
};

function problemOf({ field, operator, value }: Condition): string | null {
  const known = FIELDS.get(field);
  if (known === undefined) return `unknown field ${field}`;
  const operators: readonly string[] = OPERATORS[known.type];
  if (!operators.includes(operator)) {
    return `${field} takes ${operators.join(', ')}, not ${operator}`;
  }
  if (Array.isArray(value) !== MULTIPLE.has(operator)) {
    return `${operator} takes ${MULTIPLE.has(operator) ? 'an array' : 'one value'}`;
  }
  const values: ReadonlyArray<string | number | boolean> = Array.isArray(value) ? value : [value];
  if (operator === 'between' && values.length !== 2) return 'between takes two numbers';
  if (values.some((one) => typeof one !== VALUE_TYPES[known.type])) {
    return `${field} takes values of type ${VALUE_TYPES[known.type]}`;
  }
  const strange = values.find((one) => known.values?.includes(String(one)) === false);
  return strange === undefined ? null : `${field} has no value ${String(strange)}`;
}
