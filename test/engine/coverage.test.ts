/** No operation without tests of what it does. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { OPERATIONS } from '../nodes/contracts';
import { READS } from './shared/operations';

/** Of the engine tests of one node, the text. */
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

/** What changes something, or asks for all items at once, has files of its own instead. */
const CHANGES =
  /^(add|create|delete|enrich|estimate|export|getFilterFields|getJob|grant|normalize|preview|refresh|remove|rename|replace|revoke|start|transfer|wait)/;

it.each(OPERATIONS)(
  '$title is among the reads that are tested for everything, or tested by itself',
  ({ node, folder, operation, resource }) => {
    const { name } = node.description;
    if (!CHANGES.test(operation)) expect(isRead(name, operation, resource)).toBe(true);
    // The only operation of a node goes without saying.
    else if (OPERATIONS.filter((one) => one.folder === folder).length > 1) {
      expect(testsOf(folder)).toMatch(new RegExp(`['"\`]${operation}['"\`]`));
    } else expect(testsOf(folder)).toContain('it(');
  },
);
