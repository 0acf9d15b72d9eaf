/** The reference pages, to which n8n's panel links, say what the nodes say. */
import { projectRoot, runNode } from './project-folder';

it('is made of the nodes as they are', () => {
  const { code, output } = runNode(
    ['--import', 'tsx', 'scripts/reference.ts', '--check'],
    projectRoot,
  );

  expect(output).toBe('');
  expect(code).toBe(0);
});
