/**
 * The names that saved workflows depend on are those of public-names.json. After a wanted change:
 * `npm run records`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { choicesOf, NODES, OPERATIONS, shownFor } from './nodes';

const path = join(__dirname, 'public-names.json');

function namesOf(properties: readonly INodeProperties[]): string {
  return properties
    .filter(({ type }) => type !== 'notice')
    .map(({ name, type, options = [] }) =>
      type === 'collection'
        ? `${name} (${options
            .map((one) => one.name)
            .sort()
            .join(' ')})`
        : name,
    )
    .sort()
    .join(', ');
}

function publicNames() {
  return Object.fromEntries(
    NODES.map(({ node, folder }) => {
      const { name, displayName, credentials = [], properties } = node.description;
      const operations = OPERATIONS.filter((one) => one.node === node).map((one) => {
        const title = [one.resource, one.operation].filter(Boolean).join('.');
        return [title, namesOf(shownFor(one))] as const;
      });
      return [
        folder,
        {
          name,
          displayName,
          credentials: credentials.map((one) => one.name).join(', '),
          events: choicesOf(node, 'events')
            .map(({ value }) => value)
            .join(', '),
          ...(operations.length > 0
            ? { operations: Object.fromEntries(operations) }
            : { parameters: namesOf(properties) }),
        },
      ];
    }),
  );
}

it('the public names have not changed (`npm run records` records a wanted change)', () => {
  const names = publicNames();
  if (process.env['NAMES'] === 'update') {
    writeFileSync(path, `${JSON.stringify(names, null, 2)}\n`);
  }

  expect(names).toEqual(JSON.parse(readFileSync(path, 'utf8')));
});
