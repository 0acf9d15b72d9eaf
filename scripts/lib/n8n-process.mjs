import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const IDLE_SECONDS = 20;

/**
 * Resident memory of the n8n that uses a folder, in kB, as the kernel counts it.
 *
 * @param {string} userFolder
 */
export function memoryOf(userFolder) {
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isN8n(name, userFolder));
  if (pid === undefined) throw new Error('There is no n8n process to be seen in /proc.');
  /** @param {string} field */
  const read = (field) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
  };
  return {
    peak: () => read('VmHWM'),
    forgetPeak: () => writeFileSync(`/proc/${pid}/clear_refs`, '5'),
    /** When n8n has collected what its start left behind. */
    whenIdle: async () => {
      let least = Infinity;
      for (let second = 0; second < IDLE_SECONDS; second += 1) {
        await sleep(1000);
        least = Math.min(least, read('VmRSS'));
      }
      return least;
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
 * @param {string} userFolder
 */
function isN8n(pid, userFolder) {
  try {
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const isStart = args[2] === 'start' && basename(args[1] ?? '').startsWith('n8n');
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return isStart && environment.includes(`N8N_USER_FOLDER=${userFolder}`);
  } catch {
    // It ended meanwhile, or belongs to somebody else.
    return false;
  }
}
