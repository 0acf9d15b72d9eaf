import type { INodeProperties } from 'n8n-workflow';

import { domainSetOf, InputError } from '../../src/input/inputs';
import { RESERVED_FIELDS } from '../../src/n8n/rows/rows';
import { choice, forRun, onOff, parameter, yesOrNo } from '../../src/n8n/parameters/declare';
import { textOf } from '../../src/n8n/parameters/values';
import { subdomains } from './options';

/** Several domains in one field. */
function domains(
  about: Pick<INodeProperties, 'displayName' | 'name' | 'placeholder' | 'description'>,
) {
  return parameter({ ...about, type: 'string', default: '' }, domainSetOf);
}

/** Options of operations that read each row's domain. */
export const domainOptions = {
  acceptDomains: domains({
    displayName: 'Always Accept Domains',
    name: 'acceptDomains',
    placeholder: 'e.g. github.com, acme.zendesk.com',
    description:
      'Domains that count as companies with all below them, although they host profiles, shops or mail of others; separated by commas, spaces or line breaks',
  }),
  ignoreDomains: domains({
    displayName: 'Ignore Domains',
    name: 'ignoreDomains',
    placeholder: 'e.g. my-company.com, competitor.com',
    description:
      'Domains to leave out with all below them, such as your own: their rows get the status ignored and cost nothing. Separated by commas, spaces or line breaks.',
  }),
  rejectFreeMail: yesOrNo({
    displayName: 'Ignore Free Mail Hosts',
    name: 'rejectFreeMail',
    type: 'boolean',
    default: false,
    description:
      'Whether to treat hosts of free mail (gmail.com) as invalid wherever they come from; off asks for all of them. Without this option they are invalid in an email address or if known for mail alone, and are asked for if given as a website (https://…) or if companies too (bt.com).',
  }),
  subdomains,
};

/**
 * The same of operations that keep the row's own fields.
 *
 * @param field where results go unless the user says otherwise.
 * @param prefix what columns begin with unless the user says otherwise.
 */
export function rowOptions(field: string, prefix: string) {
  return { ...domainOptions, ...rowOutput(field, prefix) };
}

/**
 * Options of operations that keep the fields of each item beside its result.
 *
 * @param field where results go unless the user says otherwise.
 * @param prefix what columns begin with unless the user says otherwise.
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
              'Each item keeps its fields; what the result holds becomes columns beside them, as sheets and tables need it',
          },
          {
            name: 'Input Fields and Result',
            value: 'merge',
            description: 'Each item keeps its fields; the result is added under one more',
          },
          { name: 'Result Only', value: 'result', description: 'Each item becomes its result' },
        ],
        default: 'merge',
        description: 'What the resulting items contain',
      }),
    ),
    resultField: forRun(
      parameter(
        {
          displayName: 'Result Field',
          name: 'resultField',
          type: 'string',
          default: field,
          description: 'Name of the field that holds the result when input fields are kept',
          displayOptions: { hide: { output: ['columns', 'result'] } },
        },
        (value = field, label) => {
          const name = nameOf(value, label);
          if (!RESERVED_FIELDS.includes(name)) return name;
          throw new InputError(
            `"${label}" cannot be "${name}": n8n keeps ${RESERVED_FIELDS.join(', ')} for error items`,
            'Give the field another name; nothing was sent.',
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
          description: `What the names of the columns begin with: ${prefix}status. Where a row is about another company than before, this node empties its columns; your own that begin with it stay.`,
          displayOptions: ONLY_COLUMNS,
        },
        (value = prefix, label) => {
          nameOf(value, label);
          // Blanks at its end are meant: Company status.
          return String(value).trimStart();
        },
      ),
    ),
    overwriteColumns: forRun(
      onOff({
        displayName: 'Overwrite Columns',
        name: 'overwriteColumns',
        type: 'boolean',
        default: false,
        description:
          'Whether columns of an earlier run get the new values, also where nothing is known now. Without it, what a row has of the same company is kept and only empty columns are filled; status, domain, reason, message and error are new in any case.',
        displayOptions: ONLY_COLUMNS,
      }),
    ),
  };
}

const ONLY_COLUMNS = { show: { output: ['columns'] } };

function nameOf(value: unknown, label: string): string {
  const name = textOf(value);
  if (name !== undefined) return name;
  throw new InputError(
    `"${label}" is empty, or no text`,
    'Give it a name, or remove it from the options; nothing was sent.',
  );
}

/** Said of options that hold for all items. */
export const WHOLE_RUN = 'They apply to the whole run, not to single items';
