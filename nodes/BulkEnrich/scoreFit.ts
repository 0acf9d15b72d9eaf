import { InputError } from '../../src/input/inputs';
import { scoreRows } from '../../src/n8n/rows/score';
import { wholeRun } from '../../src/n8n/operation';
import { forRun, parameter } from '../../src/n8n/parameters/declare';
import { listed, textOf } from '../../src/n8n/parameters/values';
import { options as optionsOf } from '../shared/options';
import { rowOutput, WHOLE_RUN } from '../shared/rows';

/** Which companies are like those that were won. */
export const scoreFit = wholeRun({
  option: {
    name: 'Score Fit',
    value: 'scoreFit',
    description:
      'Learn from won and lost rows which companies fit, and score all rows by it. Free; sends no request.',
    action: 'Score fit',
  },
  returns: 'score, reasons',
  ofItems: [
    {
      displayName: 'Won or Lost',
      name: 'outcome',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. {{ $json.deal_stage }}',
      description:
        'What became of each row: "won" or "lost" (also closedwon, Closed Lost, yes, no). Anything else, and nothing, is a row that is scored only. Evaluated for every item.',
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
            'Names of the fields that are compared, with commas between them. Each is found in the row, in objects in it (enrichment.industry), and behind a prefix (enriched_industry).',
        },
        fieldsOf,
      ),
    ),
    options: optionsOf(rowOutput('fit', 'fit_'), WHOLE_RUN),
  },
  execute: (context, { fields, options }) => scoreRows(context, options, fields),
});

function fieldsOf(value: unknown, label: string): string[] {
  const names = listed(value, /,/).flatMap((name) => textOf(name) ?? []);
  if (names.length > 0) return names;
  throw new InputError(
    `"${label}" names no field`,
    'Name the fields of the rows that are compared, such as industry, country.',
  );
}
