import type { INodeProperties } from 'n8n-workflow';

import { choice, onOff, parameter, type Parameter } from '../../src/n8n/parameters/declare';
import { textOf } from '../../src/n8n/parameters/values';
import {
  definitionOf,
  requiredDefinitionOf,
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
    hint: 'Of fields that have a list of values; instead of Value',
    description:
      'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
  },
  {
    displayName: 'Value',
    name: 'value',
    type: 'string',
    default: '',
    placeholder: 'e.g. Germany, Netherlands',
    description: 'Several values are separated by commas. Leave it empty where Choices are chosen.',
  },
  {
    displayName: 'Value Type',
    name: 'valueType',
    type: 'options',
    options: [
      { name: 'Automatic', value: 'auto', description: 'By the field and the operator' },
      { name: 'List', value: 'list' },
      { name: 'None', value: 'none', description: 'The operator takes no value' },
      { name: 'Number', value: 'number' },
      { name: 'Text', value: 'text' },
      { name: 'Yes or No', value: 'yesNo' },
    ],
    default: 'auto',
    description: 'How the value is meant',
  },
];

/**
 * A definition: conditions put together here, or JSON.
 *
 * @param defaultMode `none` where there may be none.
 */
function definitionProperties(defaultMode: 'conditions' | 'none'): INodeProperties[] {
  const withConditions = { show: { definitionMode: ['conditions'] } };
  const nothing = {
    name: 'Nothing (Empty List)',
    value: 'none',
    description: 'Companies are added by hand, or a definition later',
  };
  return [
    {
      displayName: 'Define With',
      name: 'definitionMode',
      type: 'options',
      options: [
        { name: 'Conditions', value: 'conditions', description: 'Choose fields and operators' },
        { name: 'JSON', value: 'json', description: 'Give the filter tree as it is sent' },
        ...(defaultMode === 'none' ? [nothing] : []),
      ],
      default: defaultMode,
      description: 'How to say which companies the list holds',
    },
    {
      displayName: 'Definition',
      name: 'definition',
      type: 'json',
      required: true,
      default: '',
      description:
        'The filter tree. The version of the catalogue is filled in. What Get of the Definition resource returns can be used.',
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
      description: 'Groups of conditions on companies',
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

/** Options of every operation that takes a definition. */
export const definitionOptions = {
  checkDefinition: onOff({
    displayName: 'Check Against Catalogue',
    name: 'checkDefinition',
    type: 'boolean',
    default: true,
    description:
      'Whether to look for mistyped fields, operators and values before anything is sent. What the catalogue does not list is not checked.',
  }),
};

export const onConflict = choice({
  displayName: 'On Conflict',
  name: 'onConflict',
  type: 'options',
  options: [
    { name: 'Fail', value: 'fail', description: 'Say what was changed; nothing is replaced' },
    {
      name: 'Overwrite',
      value: 'overwrite',
      description: "Replace the other user's definition as well",
    },
  ],
  default: 'fail',
  description: 'What to do when somebody else changes the definition in the meantime',
});

/** For services that want more around the tree than the interface shows. */
export const wrapIn = parameter(
  {
    displayName: 'Wrap Definition In',
    name: 'wrapIn',
    type: 'string',
    default: '',
    placeholder: 'e.g. definition',
    description:
      'The field of the request in which to send the filter tree, where the service wants it in one; empty to send it as it is',
  },
  (name) => textOf(name) ?? '',
);

/** A definition, or none. */
export const anyDefinition: Parameter<DefinitionPlan | undefined> = {
  properties: definitionProperties('none'),
  read: (place) => definitionOf(place, definitionOptions.checkDefinition.read(place.in('options'))),
};

/** A definition of an operation that cannot do without. */
export const someDefinition: Parameter<DefinitionPlan> = {
  properties: definitionProperties('conditions'),
  read: (place) =>
    requiredDefinitionOf(place, definitionOptions.checkDefinition.read(place.in('options'))),
};
