import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { ProjectFolder } from './project-folder';

it('npm run dev builds after each save by rename, as many editors save', async () => {
  const { onSave } = await import('../../scripts/lib/watch.mjs');
  const project = new ProjectFolder([]);
  project.write('src/a.ts', '0');
  const builds = new EventTarget();
  let count = 0;
  const watcher = await onSave(project.path, ['src'], async () => {
    count += 1;
    builds.dispatchEvent(new Event('build'));
    await Promise.resolve();
  });
  try {
    for (const text of ['1', '2']) {
      const built = once(builds, 'build');
      project.write('saved', text);
      renameSync(join(project.path, 'saved'), join(project.path, 'src/a.ts'));
      await built;
    }
    expect(count).toBe(2);
  } finally {
    await watcher.close();
    project.delete();
  }
});
