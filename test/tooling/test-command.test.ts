import { projectRoot, runNode } from './project-folder';

it('npm test refuses a step that does not exist, and names those that do', () => {
  const { code, output } = runNode(['scripts/test.mjs', '--only', 'unit,nonsense'], projectRoot);

  expect(code).toBe(2);
  expect(output).toContain('There is no step "nonsense".');
  expect(output).toContain('lint,types,build,unit');
});
