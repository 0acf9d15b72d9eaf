import { parseDomainSet, InputError } from '../../src/input/inputs';
import { choice, forRun, parameter, optionalFlag, unread } from '../../src/n8n/parameters/declare';
import { parseList, readOptionalText } from '../../src/n8n/parameters/parsers';
import { subdomains } from './options';

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
      'What to do with email providers. Not set: their addresses (jo@gmail.com, jo@bt.com) and hosts that only offer email (gmail.com) are rejected; bt.com and websites (https://…) are accepted.',
  }),
  subdomains,
};

const SELECTED = {
  name: 'Selected Input Fields and Columns',
  value: 'selected' as const,
  description:
    'Keep only the fields that find the row again, and add the result as columns, to update a sheet without writing your own cells',
};

/**
 * Returns Output and what belongs to it, for operations that keep the fields of each item.
 *
 * @param prefix Default prefix of the column names.
 * @param isOption Whether Output is under Options, as the prefix is; otherwise it is a parameter of its own.
 */
export function rowOutput(prefix: string, isOption = true) {
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
      // In a list of options, there is no place for Fields to Keep.
      ...(isOption ? [] : [SELECTED]),
      {
        name: 'Result Only',
        value: 'result',
        description: "Replace the item's fields with the result",
      },
    ],
    default: 'columns',
    description: 'What the output items contain',
    builderHint: {
      propertyHint: isOption
        ? 'Keep the default, so that the next nodes still have the fields of the item.'
        : 'To update the sheet that the items come from, use "selected" with the field to match on in Fields to Keep. Otherwise keep "columns": the next nodes then have the fields of the item and the result.',
    },
  });
  // An option that was not added has no value, so the conditions exclude the other Output.
  const onlyWithColumns = (path: string) => ({ hide: { [path]: ['result'] } });
  const fieldsToKeep = parameter(
    {
      displayName: 'Fields to Keep',
      name: 'fieldsToKeep',
      type: 'string',
      default: 'row_number',
      placeholder: 'e.g. row_number, email',
      description:
        "Names of the item's fields to keep, such as the column to match on. Separate them with commas.",
      displayOptions: { show: { [outside]: ['selected'] } },
    },
    (value = 'row_number') => parseList(value, /,/).map(String),
  );
  const columnPrefix = parameter(
    {
      displayName: 'Column Prefix',
      name: 'columnPrefix',
      type: 'string',
      default: prefix,
      description: `Prefix of the column names, as in ${prefix}status. If a row's company changed, the node clears its old values; your own columns stay.`,
      displayOptions: onlyWithColumns(inOptions),
    },
    (value = prefix, label) => {
      if (readOptionalText(value) === undefined) {
        throw new InputError(
          `"${label}" is empty or not text`,
          'Enter a prefix, or remove the option. Nothing was sent.',
        );
      }
      // A space at the end is part of the prefix: "Company status".
      return String(value).trimStart();
    },
  );
  return {
    output: forRun(output),
    fieldsToKeep: forRun(fieldsToKeep),
    columnPrefix: forRun(columnPrefix),
    // n8n's schema files have the fields of the default Output only.
    mappingNotice: unread({
      displayName:
        'With this Output, execute the step once before you map its fields. Until then, n8n lists those of the default Output.',
      name: 'mappingNotice',
      type: 'notice',
      default: '',
      displayOptions: { show: { [outside]: ['result'] } },
    }),
    /** For rows with ranges of employees. */
    sheetsNotice: unread({
      displayName:
        'Google Sheets turns the size <code>1-10</code> into a date. In the Google Sheets node that writes these columns, set <b>Cell Format</b> under Options to <b>Let n8n format</b>. With <b>Selected Input Fields and Columns</b>, it writes no other cells.',
      name: 'sheetsNotice',
      type: 'notice',
      default: '',
      displayOptions: onlyWithColumns(outside),
    }),
  };
}

export const WHOLE_RUN = 'These options apply to the whole run, not to single items';
