import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatNote } from '../../../../src/n8n/agents/note';

it('matches the note that the guide for agents quotes', () => {
  const note = formatNote({
    shortened: { results: Array.from({ length: 50 }, () => ({})), of: 50, fields: new Set() },
    figures: { creditsAtMost: 50, readBefore: 0, unconfirmed: 0, left: 1178 },
    rows: 50,
    offset: 0,
    hasOffset: true,
    isByCredits: false,
    jobs: [],
    warnings: [],
  });
  const guide = readFileSync(join(__dirname, '../../../../docs/guides/agents.md'), 'utf8');

  expect(note).toContain('50 of 1,228 rows.');
  expect(guide).toContain(`\`${String(note)}\``);
});
