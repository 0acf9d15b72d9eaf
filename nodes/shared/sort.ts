import type { INodeProperties } from 'n8n-workflow';

interface SortField {
  readonly name: string;
  readonly value: string;
}

/**
 * The Sort parameter: each field up and down, `-` before it for down, as the interface writes it.
 *
 * @param fields in alphabetical order of their names.
 */
export function sortProperty(fields: readonly SortField[], defaultSort: string): INodeProperties {
  return {
    displayName: 'Sort',
    name: 'sort',
    type: 'options',
    options: fields.flatMap(({ name, value }) => [
      { name: `${name} (Ascending)`, value },
      { name: `${name} (Descending)`, value: `-${value}` },
    ]),
    default: defaultSort,
    description: 'Order of the results',
  };
}

/** Values of {@link sortProperty}. */
export function sortWords(fields: readonly SortField[]): string[] {
  return fields.flatMap(({ value }) => [value, `-${value}`]);
}
