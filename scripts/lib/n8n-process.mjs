import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const collector = fileURLToPath(new URL('collect-on-signal.cjs', import.meta.url));

/** Settings of an n8n that keeps binary data in files, and whose memory is to be measured. */
export const measurable = {
  N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
  NODE_OPTIONS: `--require ${collector}`,
};

/** Ticks a second in which Linux counts CPU time. */
const TICKS = 100;

/**
 * Resident memory of the n8n that uses a folder, in kB, as the kernel counts it, and its CPU time.
 * `whenIdle` needs an n8n that was started with {@link measurable}.
 *
 * @param {string} userFolder
 * @param {string} [workerUrl] for the worker at that address; without, for the main process
 */
export function memoryOf(userFolder, workerUrl) {
  const settings = [`N8N_USER_FOLDER=${userFolder}`];
  if (workerUrl) settings.push(`QUEUE_HEALTH_CHECK_PORT=${new URL(workerUrl).port}`);
  const command = workerUrl ? 'worker' : 'start';
  const pid = readdirSync('/proc').find(
    (name) => /^\d+$/.test(name) && isN8n(name, command, settings),
  );
  if (pid === undefined) throw new Error('No n8n process found in /proc.');
  /** @param {string} field */
  const read = (field) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
  };
  return {
    pid: Number(pid),
    now: () => read('VmRSS'),
    peak: () => read('VmHWM'),
    /** User and system time of all its threads since its start, in milliseconds. */
    cpuMs: () => {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The fields after the name, which may hold spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
    },
    forgetPeak: () => writeFileSync(`/proc/${pid}/clear_refs`, '5'),
    /** Without what n8n's start left behind, which V8 collects at some time of its own choosing. */
    whenIdle: async () => {
      for (let time = 0; time < 3; time += 1) {
        process.kill(Number(pid), 'SIGUSR2');
        await sleep(3000);
      }
      return read('VmRSS');
    },
  };
}

/**
 * Where n8n keeps a file of its binary data.
 *
 * @param {string} userFolder
 * @param {string} binaryId `<mode>:<path>`
 */
export function fileOf(userFolder, binaryId) {
  const name = basename(binaryId);
  const path = readdirSync(userFolder, { recursive: true })
    .map(String)
    .find((one) => basename(one) === name);
  if (path === undefined) throw new Error(`n8n stored no file ${binaryId}.`);
  return join(userFolder, path);
}

/**
 * @param {string} pid
 * @param {string} command of n8n: `start` or `worker`
 * @param {string[]} settings that are in its environment
 */
function isN8n(pid, command, settings) {
  try {
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const isIt = args[2] === command && basename(args[1] ?? '').startsWith('n8n');
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return isIt && settings.every((setting) => environment.includes(setting));
  } catch {
    // It exited in the meantime, or belongs to another user.
    return false;
  }
}
