/** Every operation has tests of its behavior. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { choicesOf, entriesOf, OPERATIONS, TRIGGERS } from '../nodes/contracts';
import { BILLED_READS, READS } from './shared/operations';

/** Returns the text of all engine tests of one node. */
function testsOf(folder: string): string {
  const kebab = folder.replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
  const place = join(__dirname, kebab);
  return readdirSync(place)
    .map((name) => readFileSync(join(place, name), 'utf8'))
    .join('\n');
}

const isRead = (nodeName: string, operation: string, resource: string | undefined) =>
  READS.some(
    ({ type, parameters }) =>
      type === nodeName &&
      parameters['operation'] === operation &&
      (parameters['resource'] ?? undefined) === resource,
  );

/**
 * Operations that change data or process all items together have their own test files. The shared
 * read tests do not cover them.
 */
const CHANGES =
  /^(add|create|delete|enrich|estimate|export|getFilterFields|getJob|grant|normalize|preview|refresh|remove|rename|replace|revoke|score|start|transfer|wait)/;

it.each(OPERATIONS)(
  '$title is covered by the shared read tests or by its own tests',
  ({ node, folder, operation, resource }) => {
    const { name } = node.description;
    if (!CHANGES.test(operation)) expect(isRead(name, operation, resource)).toBe(true);
    // Tests need not name the operation if the node has only one.
    else if (OPERATIONS.filter((one) => one.folder === folder).length > 1) {
      expect(testsOf(folder)).toMatch(new RegExp(`['"\`]${operation}['"\`]`));
    } else expect(testsOf(folder)).toContain('it(');
  },
);

const costs = (text: string | undefined) => /\bcosts?\b[^.]*\bcredit/i.test(text ?? '');

describe.each(OPERATIONS)('$title', ({ node, folder, operation, resource }) => {
  const choice = choicesOf(node, 'operation', resource).find(({ value }) => value === operation);
  const options = entriesOf(node, operation, { resource });
  const isBounded = options.some(({ name }) => name === 'maxCredits');
  const isEstimate = operation === 'estimateCost';
  const spends =
    !isEstimate &&
    (choice === undefined
      ? costs(node.description.description)
      : costs(choice.description) || options.some(({ description }) => costs(description)));

  it('has Max Credits when its description mentions a cost', () => {
    if (spends) expect(isBounded).toBe(true);
    if (!isEstimate && !isBounded) expect(spends).toBe(false);
  });

  const isBilledRead = BILLED_READS.some(
    ({ type, parameters }) =>
      type === node.description.name && parameters['operation'] === operation,
  );

  it('mentions credits in its description when the service bills it', () => {
    if (isBilledRead) expect(choice?.description).toContain('credit');
  });

  it('has a test that compares its figures with the bill when it can cost credits', () => {
    if (!isBounded || isEstimate) return;
    const tests = testsOf(folder);
    const hasOwn =
      tests.includes('company_intelligence_credits_at_most') && tests.includes(operation);
    expect(isBilledRead || hasOwn).toBe(true);
  });
});

it.each(TRIGGERS)('$displayName has the option Max Credits', ({ node }) => {
  const options = node.description.properties.find(({ name }) => name === 'options')?.options ?? [];

  expect(options.map(({ name }) => name)).toContain('maxCredits');
});
