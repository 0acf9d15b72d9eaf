import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/*
 * What a model is told of a tool, which n8n by itself would take from the action alone, that says nothing
 * of cost or input.
 */

/** What a model has to give for some parameters. */
const TAKES: Readonly<Record<string, string>> = {
  domain: 'domains, several at once',
  identifier: 'domains or slugs, several at once',
  identifierA: 'two domains or slugs',
  jobId: 'a job_id',
  listId: 'a list_id',
  partnerDomain: 'domains, several at once',
  path: 'a path below /v1/ such as lists/7/history?limit=10',
  permissionId: 'a permission_id',
  q: 'a part of a name',
  techKey: 'tech keys or names such as Shopify, several at once',
  user: 'an email address or user ID',
  vendorDomain: 'domains, several at once',
};

/** Operations that take something away, or that cannot be undone. */
const DESTRUCTIVE = ['delete', 'removeDomain', 'replace', 'revoke', 'transferOwnership'];

/** The description of a tool for models. */
export function toolDescription(
  { value, description = '' }: INodePropertyOptions,
  properties: readonly INodeProperties[],
  returns: string,
): string {
  const takes = properties.flatMap(({ name, required }) =>
    name === 'q' && required !== true ? [] : (TAKES[name] ?? []),
  );
  const include = properties.find(({ name }) => name === 'include');
  return [
    ...(DESTRUCTIVE.includes(String(value)) ? ['Destructive: ask the user first.'] : []),
    untilCost(description),
    ...(takes.length === 0 ? [] : [`Takes ${[...new Set(takes)].join('; ')}.`]),
    ...(include === undefined ? [] : [`Include: ${choicesOf(include)}, all.`]),
    `Returns ${returns}.`,
  ].join(' ');
}

/** What follows the cost is about n8n. */
function untilCost(description: string): string {
  return /^.*?\b(?:Costs|Free)\b.*?(?:\.|$)/.exec(description)?.[0] ?? description;
}

function choicesOf({ options = [] }: INodeProperties): string {
  return options.flatMap((option) => ('value' in option ? [option.value] : [])).join(', ');
}

/** What only somebody in n8n's editor can do. */
const EDITORS =
  /\b(?:this node|of the node|from the list|Retry On Fail|Max Credits|Return All|On Error|Options)\b/;

/** A hint without its sentences that speak of n8n's editor. */
export function forModels(hint: string): string {
  const sentences = hint.split(/(?<=[.!?])\s+/);
  return sentences.filter((sentence) => !EDITORS.test(sentence)).join(' ');
}
