import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const collector = fileURLToPath(new URL('collect-on-signal.cjs', import.meta.url));

/** Settings for an n8n that keeps binary data in files and whose memory can be measured. */
export const measurable = {
  N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
  NODE_OPTIONS: `--require ${collector}`,
};

/** Ticks per second, the unit in which Linux counts CPU time. */
const TICKS = 100;

/**
 * Returns functions that read the resident memory in kB, as the kernel counts it, and the CPU time
 * of the n8n that uses a folder. `whenIdle` needs an n8n that was started with {@link measurable}.
 *
 * @param {string} userFolder
 */
export function memoryOf(userFolder) {
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isN8n(name, userFolder));
  if (pid === undefined) throw new Error('No n8n process found in /proc.');
  /** @param {string} field */
  const read = (field) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
  };
  return {
    peak: () => read('VmHWM'),
    /** User and system time of all threads since the start of the process, in milliseconds. */
    cpuMs: () => {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // Use the fields after the name, because the name can contain spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
    },
    forgetPeak: () => writeFileSync(`/proc/${pid}/clear_refs`, '5'),
    /**
     * Reads the memory after a garbage collection. Otherwise it would include garbage of n8n's
     * start, which V8 collects at an unpredictable time.
     */
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
 * Returns the path of a file of n8n's binary data.
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
 * @param {string} userFolder folder in its environment
 */
function isN8n(pid, userFolder) {
  try {
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const isMain = args[2] === 'start' && basename(args[1] ?? '').startsWith('n8n');
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return isMain && environment.includes(`N8N_USER_FOLDER=${userFolder}`);
  } catch {
    // The process has exited, or belongs to another user.
    return false;
  }
}
