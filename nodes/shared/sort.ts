import { choice } from '../../src/n8n/parameters/declare';

interface SortField {
  readonly name: string;
  readonly value: string;
}

/**
 * The Sort parameter: each field up and down, `-` before it for down, as the interface writes it.
 *
 * @param fields in alphabetical order of their names.
 */
export function sort(fields: readonly SortField[], defaultSort: string) {
  return choice<string>({
    displayName: 'Sort',
    name: 'sort',
    type: 'options',
    options: fields.flatMap(({ name, value }) => [
      { name: `${name} (Ascending)`, value },
      { name: `${name} (Descending)`, value: `-${value}` },
    ]),
    default: defaultSort,
    description: 'Order of the results',
  });
}
