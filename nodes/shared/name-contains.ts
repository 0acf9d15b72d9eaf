import { text } from '../../src/n8n/parameters/declare';

/**
 * A filter on text, the same wherever a list has one.
 *
 * @param rows what is let through, in words: `partners`.
 * @param where what is searched, as a title.
 */
export function contains(name: string, rows: string, where: 'Name' | 'Name or Domain' = 'Name') {
  return text({
    displayName: `${where} Contains`,
    name,
    type: 'string',
    default: '',
    placeholder: 'e.g. acme',
    description: `Only ${rows} with this text in their ${where.toLowerCase()}; empty for all`,
  });
}
