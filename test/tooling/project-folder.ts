import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const projectRoot = resolve(__dirname, '../..');

export class ProjectFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'tooling-'));

  /** @param copied files and folders of this project to copy to the small project */
  constructor(copied: readonly string[]) {
    for (const name of copied) {
      cpSync(join(projectRoot, name), join(this.path, name), { recursive: true });
    }
    symlinkSync(join(projectRoot, 'node_modules'), join(this.path, 'node_modules'));
  }

  write(name: string, content: string | Buffer): void {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  run(script: string, args: readonly string[]) {
    return runNode([join(projectRoot, 'node_modules', script), ...args], this.path);
  }

  delete(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export function runNode(args: readonly string[], cwd: string) {
  return run(process.execPath, args, cwd);
}

export function run(program: string, args: readonly string[], cwd: string) {
  const { status: code, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  return { code, output: stdout + stderr };
}
