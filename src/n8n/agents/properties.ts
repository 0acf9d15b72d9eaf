import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

const ARGUMENT_TEXTS: Readonly<Record<string, string>> = {
  domain: 'the domain of one company',
  identifier: 'a domain or slug',
  identifierA: 'two domains or slugs',
  jobId: 'a job_id',
  listId: 'a list_id',
  partnerDomain: 'a domain',
  path: 'a path below /v1/ such as lists/123/permissions',
  permissionId: 'a permission_id',
  q: 'a part of a name',
  techKey: 'a tech key such as shopify',
  user: 'an email address or user ID',
  vendorDomain: "a vendor's domain",
};

const DESTRUCTIVE = ['delete', 'removeDomain', 'replace', 'revoke', 'transferOwnership'];

const COST_LIMITS =
  'What limits the cost of each call: Max Credits under Options, and Max Credits per Run of the credential. Max Iterations of the agent limits its steps, not its calls.';

/** @param returns Fields of a result; for a list, the fields that a model reads by default. */
export function createToolProperties(
  option: INodePropertyOptions,
  properties: readonly INodeProperties[],
  returns: string,
): INodeProperties[] {
  const isList = properties.some(({ name }) => name === 'limit');
  const { options = [] } = properties.find(({ name }) => name === 'options') ?? {};
  const costs = options.some(({ name }) => name === 'maxCredits');
  const displayOptions = { show: { '@tool': [true] } };
  return [
    {
      displayName: 'Tool Description',
      name: 'toolDescription',
      type: 'string',
      typeOptions: { rows: 3 },
      default: createToolDescription(option, properties, returns),
      description: `Description of this tool for the agent${costs ? `. ${COST_LIMITS}` : ''}`,
      displayOptions,
    },
    {
      displayName: 'Selected Fields',
      name: 'selectedFields',
      type: 'string',
      default: isList ? returns : '',
      placeholder: 'e.g. company_name, domain',
      description:
        'Fields of each result that the agent reads, separated by commas; empty means all fields with a value. A result with none of these fields is returned whole.',
      displayOptions,
    },
  ];
}

/** n8n's own default would be the action, which says nothing about cost or input. */
function createToolDescription(
  { value, description = '' }: INodePropertyOptions,
  properties: readonly INodeProperties[],
  returns: string,
): string {
  const takes = properties.flatMap(({ name, required }) =>
    name === 'q' && required !== true ? [] : (ARGUMENT_TEXTS[name] ?? []),
  );
  const { options: include = [] } = properties.find(({ name }) => name === 'include') ?? {};
  const choices = include.flatMap((option) => ('value' in option ? [option.value] : []));
  // What follows the cost is about n8n.
  const [untilCost = description] = /^.*?\b(?:Costs|Free)\b.*?(?:\.|$)/.exec(description) ?? [];
  return [
    ...(DESTRUCTIVE.includes(String(value)) ? ['Destructive: ask the user first.'] : []),
    untilCost,
    ...(takes.length === 0 ? [] : [`Takes ${[...new Set(takes)].join('; ')}.`]),
    ...(choices.length === 0 ? [] : [`Include: ${choices.join(', ')}, all.`]),
    `Returns ${returns}.`,
  ].join(' ');
}
