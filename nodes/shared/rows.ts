import type { INodeProperties } from 'n8n-workflow';

import { parseDomainSet, InputError } from '../../src/input/inputs';
import { RESERVED_FIELDS, type RowOutput } from '../../src/n8n/items/write';
import { choice, forRun, parameter, optionalFlag, unread } from '../../src/n8n/parameters/declare';
import { readOptionalText } from '../../src/n8n/parameters/parsers';
import { subdomains } from './options';

/** Options of operations that read the domain of each row. */
export const domainOptions = {
  acceptDomains: parameter(
    {
      displayName: 'Always Accept Domains',
      name: 'acceptDomains',
      type: 'string',
      default: '',
      placeholder: 'e.g. github.com, acme.zendesk.com',
      description:
        'Domains to accept as companies, including their subdomains, although they host profiles, shops or mail of others. Separate them with commas, spaces or line breaks.',
    },
    parseDomainSet,
  ),
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

type Form = RowOutput['output'];

const FORMS: readonly Form[] = ['columns', 'merge', 'result'];

/**
 * Returns Output and what belongs to it, for operations that keep the fields of each item.
 *
 * @param usual The form that people want without a choice.
 * @param field Default name of the field that holds the result.
 * @param prefix Default prefix of the column names.
 * @param isOption Whether Output is under Options, as the names are; otherwise it is a parameter of its own.
 */
export function rowOutput(usual: Form, field: string, prefix: string, isOption = true) {
  const others = FORMS.filter((form) => form !== usual);
  // An option that was not added has no value, so the usual form hides the others.
  const onlyFor = (form: Form, path: string): INodeProperties['displayOptions'] =>
    form === usual ? { hide: { [path]: others } } : { show: { [path]: [form] } };
  const [inOptions, outside] = isOption ? ['output', '/options.output'] : ['/output', 'output'];
  const output = choice({
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
    default: usual,
    description: 'What the output items contain',
  });
  const resultField = parameter(
    {
      displayName: 'Result Field',
      name: 'resultField',
      type: 'string',
      default: field,
      description: 'Name of the field that holds the result',
      displayOptions: onlyFor('merge', inOptions),
    },
    (value = field, label) => {
      const name = findOptionName(value, label);
      if (!RESERVED_FIELDS.includes(name)) return name;
      throw new InputError(
        `"${label}" cannot be "${name}": n8n reserves ${RESERVED_FIELDS.join(', ')} for error items`,
        'Choose another name. Nothing was sent.',
      );
    },
  );
  const columnPrefix = parameter(
    {
      displayName: 'Column Prefix',
      name: 'columnPrefix',
      type: 'string',
      default: prefix,
      description: `Prefix of the column names, as in ${prefix}status. Your own columns with the same prefix stay.`,
      displayOptions: onlyFor('columns', inOptions),
    },
    (value = prefix, label) => {
      findOptionName(value, label);
      // A space at the end is part of the prefix: "Company status".
      return String(value).trimStart();
    },
  );
  return {
    output: forRun(output),
    names: { resultField: forRun(resultField), columnPrefix: forRun(columnPrefix) },
    // n8n's schema files have the fields of the default Output only.
    mappingNotice: unread({
      displayName:
        'With this Output, execute the step once before you map its fields. Until then, n8n lists those of the default Output.',
      name: 'mappingNotice',
      type: 'notice',
      default: '',
      displayOptions: { show: { [outside]: others } },
    }),
    /** For rows with ranges of employees. */
    sheetsNotice: unread({
      displayName:
        'In Google Sheets, set <b>Cell Format</b> to <b>Let n8n format</b> in a node that writes only these columns, or <code>1-10</code> becomes a date.',
      name: 'sheetsNotice',
      type: 'notice',
      default: '',
      displayOptions: onlyFor('columns', outside),
    }),
  };
}

function findOptionName(value: unknown, label: string): string {
  const name = readOptionalText(value);
  if (name !== undefined) return name;
  throw new InputError(
    `"${label}" is empty or not text`,
    'Enter a name, or remove the option. Nothing was sent.',
  );
}

/** Description of options that apply to all items. */
export const WHOLE_RUN = 'These options apply to the whole run, not to single items';
