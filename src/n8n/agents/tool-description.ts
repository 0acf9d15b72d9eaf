import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/*
 * Tool descriptions for models. n8n's own default is only the action, which says nothing about cost or
 * input.
 */

/** What a model must provide for some parameters. */
const ARGUMENT_TEXTS: Readonly<Record<string, string>> = {
  domain: 'the domain of one company',
  identifier: 'a domain or slug',
  identifierA: 'two domains or slugs',
  jobId: 'a job_id',
  listId: 'a list_id',
  partnerDomain: 'a domain',
  path: 'a path below /v1/ such as lists/7/history?limit=10',
  permissionId: 'a permission_id',
  q: 'a part of a name',
  techKey: 'a tech key such as shopify',
  user: 'an email address or user ID',
  vendorDomain: 'a domain',
};

/** Operations that remove something or cannot be undone. */
const DESTRUCTIVE = ['delete', 'removeDomain', 'replace', 'revoke', 'transferOwnership'];

/** Returns the description of a tool for models. */
export function createToolDescription(
  { value, description = '' }: INodePropertyOptions,
  properties: readonly INodeProperties[],
  returns: string,
): string {
  const takes = properties.flatMap(({ name, required }) =>
    name === 'q' && required !== true ? [] : (ARGUMENT_TEXTS[name] ?? []),
  );
  const include = properties.find(({ name }) => name === 'include');
  return [
    ...(DESTRUCTIVE.includes(String(value)) ? ['Destructive: ask the user first.'] : []),
    cutAfterCost(description),
    ...(takes.length === 0 ? [] : [`Takes ${[...new Set(takes)].join('; ')}.`]),
    ...(include === undefined ? [] : [`Include: ${formatChoices(include)}, all.`]),
    `Returns ${returns}.`,
  ].join(' ');
}

/** Cuts a description after its cost; what follows is about n8n. */
function cutAfterCost(description: string): string {
  return /^.*?\b(?:Costs|Free)\b.*?(?:\.|$)/.exec(description)?.[0] ?? description;
}

function formatChoices({ options = [] }: INodeProperties): string {
  return options.flatMap((option) => ('value' in option ? [option.value] : [])).join(', ');
}

/** Words of advice that only a user of n8n's editor can follow. */
const EDITOR_ADVICE =
  /\b(?:this node|of the node|from the list|Retry On Fail|Max Credits|Return All|On Error|Options)\b/;

/** Returns a hint without its sentences about n8n's editor. */
export function toModelHint(hint: string): string {
  const sentences = hint.split(/(?<=[.!?])\s+/);
  return sentences.filter((sentence) => !EDITOR_ADVICE.test(sentence)).join(' ');
}
