import { InputError } from '../../src/input/inputs';
import { scoreRows } from '../../src/n8n/rows/score';
import { forAllItems } from '../../src/n8n/operation';
import { forRun, parameter } from '../../src/n8n/parameters/declare';
import { parseList, parseOptionalText } from '../../src/n8n/parameters/values';
import { options as optionsOf } from '../shared/options';
import { rowOutput, WHOLE_RUN } from '../shared/rows';

/** Scores rows by how closely they match won deals. */
export const scoreFit = forAllItems({
  option: {
    name: 'Score Fit',
    value: 'scoreFit',
    description: 'Score rows by how closely they match your won deals. Free; sends no requests.',
    action: 'Score fit',
  },
  returns: 'score, score_100, grade, reasons',
  ofItems: [
    {
      displayName: 'Won or Lost',
      name: 'outcome',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. {{ $json.deal_stage }}',
      description:
        'Outcome of each row: "won" or "lost" (also closedwon, Closed Lost, yes, no). Rows with any other or no value are only scored. Evaluated for each item.',
    },
  ],
  parameters: {
    fields: forRun(
      parameter(
        {
          displayName: 'Fields',
          name: 'fields',
          type: 'string',
          required: true,
          default: 'industry, employee_range, country, technology_names',
          description:
            'Names of the fields to compare, separated by commas. Each is found in the row, in an object inside it (enrichment.industry) and after a prefix (enriched_industry).',
        },
        readFields,
      ),
    ),
    options: optionsOf(rowOutput('fit', 'fit_'), WHOLE_RUN),
  },
  execute: (context, { fields, options }) => scoreRows(context, options, fields),
});

function readFields(value: unknown, label: string): string[] {
  const names = parseList(value, /,/).flatMap((name) => parseOptionalText(name) ?? []);
  if (names.length > 0) return names;
  throw new InputError(
    `"${label}" contains no field name`,
    'Enter the fields to compare, such as industry, country.',
  );
}
