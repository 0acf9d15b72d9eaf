import type { INodeProperties } from 'n8n-workflow';

import { parseDomainSet, InputError } from '../../src/input/inputs';
import { RESERVED_FIELDS } from '../../src/n8n/rows/output-items';
import { choice, forRun, parameter, optionalFlag, unread } from '../../src/n8n/parameters/declare';
import { parseOptionalText } from '../../src/n8n/parameters/parsers';
import { subdomains } from './options';

/** Returns a parameter that takes several domains. */
function domains(
  about: Pick<INodeProperties, 'displayName' | 'name' | 'placeholder' | 'description'>,
) {
  return parameter({ ...about, type: 'string', default: '' }, parseDomainSet);
}

/** Options of operations that read the domain of each row. */
export const domainOptions = {
  acceptDomains: domains({
    displayName: 'Always Accept Domains',
    name: 'acceptDomains',
    placeholder: 'e.g. github.com, acme.zendesk.com',
    description:
      'Domains to accept as companies, including their subdomains, although they host profiles, shops or mail of others. Separate them with commas, spaces or line breaks.',
  }),
  ignoreDomains: domains({
    displayName: 'Ignore Domains',
    name: 'ignoreDomains',
    placeholder: 'e.g. my-company.com, competitor.com',
    description:
      'Domains to skip, including their subdomains, such as your own. Their rows get the status ignored and cost nothing but a search by name. Separate them with commas, spaces or line breaks.',
  }),
  rejectFreeMail: optionalFlag({
    displayName: 'Free Email Hosts',
    name: 'rejectFreeMail',
    type: 'options',
    options: [
      { name: 'Accept All', value: false },
      { name: 'Reject All', value: true },
    ],
    default: true,
    description:
      'What to do with hosts that give away email addresses. Without this option, addresses at them (jo@gmail.com) and hosts that only offer email (gmail.com) are rejected. Websites (https://…) and hosts that are also companies (bt.com) are accepted.',
  }),
  subdomains,
};

/**
 * Returns {@link domainOptions} and {@link rowOutput}, for operations that keep the row's own fields.
 *
 * @param field Default name of the field that holds the result.
 * @param prefix Default prefix of the column names.
 */
export function rowOptions(field: string, prefix: string) {
  return { ...domainOptions, ...rowOutput(field, prefix) };
}

/**
 * Returns the options of operations that keep the fields of each item next to its result.
 *
 * @param field Default name of the field that holds the result.
 * @param prefix Default prefix of the column names.
 */
export function rowOutput(field: string, prefix: string) {
  return {
    output: forRun(
      choice({
        displayName: 'Output',
        name: 'output',
        type: 'options',
        options: [
          {
            name: 'Input Fields and Columns',
            value: 'columns',
            description:
              "Keep the item's fields and add the result as columns, ready for sheets and tables",
          },
          {
            name: 'Input Fields and Result',
            value: 'merge',
            description: "Keep the item's fields and add the result in one more field",
          },
          {
            name: 'Result Only',
            value: 'result',
            description: "Replace the item's fields with the result",
          },
        ],
        default: 'merge',
        description: 'What the output items contain',
      }),
    ),
    resultField: forRun(
      parameter(
        {
          displayName: 'Result Field',
          name: 'resultField',
          type: 'string',
          default: field,
          description: 'Name of the field that holds the result',
          displayOptions: { hide: { output: ['columns', 'result'] } },
        },
        (value = field, label) => {
          const name = findOptionName(value, label);
          if (!RESERVED_FIELDS.includes(name)) return name;
          throw new InputError(
            `"${label}" cannot be "${name}": n8n reserves ${RESERVED_FIELDS.join(', ')} for error items`,
            'Choose another name. Nothing was sent.',
          );
        },
      ),
    ),
    columnPrefix: forRun(
      parameter(
        {
          displayName: 'Column Prefix',
          name: 'columnPrefix',
          type: 'string',
          default: prefix,
          description: `Prefix of the column names, as in ${prefix}status. If the company of a row has changed, the node clears its own columns; your columns with the same prefix stay.`,
          displayOptions: ONLY_COLUMNS,
        },
        (value = prefix, label) => {
          findOptionName(value, label);
          // A space at the end is part of the prefix: "Company status".
          return String(value).trimStart();
        },
      ),
    ),
  };
}

/** n8n lists the fields of the default Output, because its schema files cannot depend on an option. */
export const mappingNotice = unread({
  displayName:
    'With Input Fields and Columns, execute the step once before you map its columns. Until then, n8n lists the fields of the default Output.',
  name: 'mappingNotice',
  type: 'notice',
  default: '',
  displayOptions: { show: { '/options.output': ['columns'] } },
});

const ONLY_COLUMNS = { show: { output: ['columns'] } };

function findOptionName(value: unknown, label: string): string {
  const name = parseOptionalText(value);
  if (name !== undefined) return name;
  throw new InputError(
    `"${label}" is empty or not text`,
    'Enter a name, or remove the option. Nothing was sent.',
  );
}

/** Description of options that apply to all items. */
export const WHOLE_RUN = 'These options apply to the whole run, not to single items';
