import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import type { ClientSettings } from '../../../src/client/settings';

const WORKER = join(__dirname, 'worker-process.ts');

export const WINDOW_MS = 6_000;

export class SpawnedWorker {
  readonly child: ChildProcess;
  stdout = '';
  /** Everything that the worker wrote to stderr. */
  warnings = '';
  readonly ended: Promise<unknown>;

  constructor(settings: ClientSettings, companies: number, env = process.env) {
    const order = JSON.stringify({ settings, windowMs: WINDOW_MS, companies });
    this.child = spawn(process.execPath, ['--import', 'tsx', WORKER, order], { env });
    this.child.stdout?.on('data', (text: Buffer) => (this.stdout += text.toString()));
    this.child.stderr?.on('data', (text: Buffer) => (this.warnings += text.toString()));
    this.ended = once(this.child, 'close');
  }

  get answered(): string[] {
    return this.stdout.split('\n').slice(0, -1);
  }
}
