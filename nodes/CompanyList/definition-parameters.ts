import type { INodeProperties } from 'n8n-workflow';

import { choice, flag, parameter, type Parameter } from '../../src/n8n/parameters/declare';
import { parseOptionalText } from '../../src/n8n/parameters/values';
import {
  readDefinitionPlan,
  readRequiredDefinition,
  type DefinitionPlan,
} from '../../src/n8n/parameters/definition';

const groupCombinator: INodeProperties = {
  displayName: 'Companies Must Match',
  name: 'combinator',
  type: 'options',
  options: [
    { name: 'All Groups (And)', value: 'and' },
    { name: 'Any Group (Or)', value: 'or' },
  ],
  default: 'and',
  description: 'How the groups are combined',
};

const conditionCombinator: INodeProperties = {
  displayName: 'Match',
  name: 'combinator',
  type: 'options',
  options: [
    { name: 'All Conditions (And)', value: 'and' },
    { name: 'Any Condition (Or)', value: 'or' },
  ],
  default: 'and',
  description: 'How the conditions of this group are combined',
};

const conditionProperties: INodeProperties[] = [
  {
    displayName: 'Field Name or ID',
    name: 'field',
    type: 'options',
    typeOptions: { loadOptionsMethod: 'getFilterFields' },
    default: '',
    description:
      'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
  },
  {
    displayName: 'Operator Name or ID',
    name: 'operator',
    type: 'options',
    typeOptions: { loadOptionsMethod: 'getFilterOperators', loadOptionsDependsOn: ['&field'] },
    default: '',
    description:
      'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
  },
  {
    displayName: 'Choice Names or IDs',
    name: 'choices',
    type: 'multiOptions',
    typeOptions: { loadOptionsMethod: 'getFilterValues', loadOptionsDependsOn: ['&field'] },
    default: [],
    hint: 'For fields with a list of values; use this instead of Value',
    description:
      'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
  },
  {
    displayName: 'Value',
    name: 'value',
    type: 'string',
    default: '',
    placeholder: 'e.g. Germany, Netherlands',
    description: 'Separate several values with commas. Leave empty if you selected choices.',
  },
  {
    displayName: 'Value Type',
    name: 'valueType',
    type: 'options',
    options: [
      { name: 'Automatic', value: 'auto', description: 'Depends on the field and the operator' },
      { name: 'List', value: 'list' },
      { name: 'None', value: 'none', description: 'The operator takes no value' },
      { name: 'Number', value: 'number' },
      { name: 'Text', value: 'text' },
      { name: 'Yes or No', value: 'yesNo' },
    ],
    default: 'auto',
    description: 'Type to send the value as',
  },
];

/**
 * Returns the parameters of a definition: conditions or JSON.
 *
 * @param defaultMode `none` if the definition is optional.
 */
function definitionProperties(defaultMode: 'conditions' | 'none'): INodeProperties[] {
  const withConditions = { show: { definitionMode: ['conditions'] } };
  const nothing = {
    name: 'Nothing (Empty List)',
    value: 'none',
    description: 'Add companies by hand, or a definition later',
  };
  return [
    {
      displayName: 'Define With',
      name: 'definitionMode',
      type: 'options',
      options: [
        { name: 'Conditions', value: 'conditions', description: 'Choose fields and operators' },
        { name: 'JSON', value: 'json', description: 'Enter the filter tree to send' },
        ...(defaultMode === 'none' ? [nothing] : []),
      ],
      default: defaultMode,
      description: 'How to define which companies are in the list',
    },
    {
      displayName: 'Definition',
      name: 'definition',
      type: 'json',
      required: true,
      default: '',
      description:
        'The filter tree, for example from Definition: Get. The node fills in the version of the catalog.',
      displayOptions: { show: { definitionMode: ['json'] } },
    },
    { ...groupCombinator, displayOptions: withConditions },
    {
      displayName: 'Groups',
      name: 'groups',
      type: 'fixedCollection',
      typeOptions: { multipleValues: true },
      placeholder: 'Add group',
      default: {},
      description: 'Groups of conditions that companies must match',
      displayOptions: withConditions,
      options: [
        {
          displayName: 'Group',
          name: 'group',
          values: [
            conditionCombinator,
            {
              displayName: 'Conditions',
              name: 'conditions',
              type: 'fixedCollection',
              typeOptions: { multipleValues: true },
              placeholder: 'Add condition',
              default: {},
              options: [
                { displayName: 'Condition', name: 'condition', values: conditionProperties },
              ],
            },
          ],
        },
      ],
    },
  ];
}

/** Options of operations that take a definition. */
export const definitionOptions = {
  checkDefinition: flag({
    displayName: 'Check Against Catalog',
    name: 'checkDefinition',
    type: 'boolean',
    default: true,
    description:
      'Whether to check fields, operators and values against the catalog before anything is sent. Fields without listed values accept any value.',
  }),
};

export const onConflict = choice({
  displayName: 'On Conflict',
  name: 'onConflict',
  type: 'options',
  options: [
    { name: 'Fail', value: 'fail', description: 'Replace nothing and report what changed' },
    {
      name: 'Overwrite',
      value: 'overwrite',
      description: "Replace the other user's definition too",
    },
  ],
  default: 'fail',
  description: 'What to do if another user changes the definition at the same time',
});

/** For services that expect the tree inside a field, which the API spec does not show. */
export const wrapIn = parameter(
  {
    displayName: 'Wrap Definition In',
    name: 'wrapIn',
    type: 'string',
    default: '',
    placeholder: 'e.g. definition',
    description:
      'Field of the request body that holds the filter tree; empty sends the tree as the body',
  },
  (name) => parseOptionalText(name) ?? '',
);

/** An optional definition. */
export const optionalDefinition: Parameter<DefinitionPlan | undefined> = {
  properties: definitionProperties('none'),
  read: (place) =>
    readDefinitionPlan(place, definitionOptions.checkDefinition.read(place.in('options'))),
};

/** A required definition. */
export const requiredDefinition: Parameter<DefinitionPlan> = {
  properties: definitionProperties('conditions'),
  read: (place) =>
    readRequiredDefinition(place, definitionOptions.checkDefinition.read(place.in('options'))),
};
