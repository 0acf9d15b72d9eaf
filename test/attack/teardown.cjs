'use strict';

const { readdirSync, readFileSync, rmSync } = require('node:fs');
const { join } = require('node:path');

/** Adds up the figures of all test files, prints them, and removes the folder. */
module.exports = () => {
  const folder = process.env.ENGINE_TEST_FOLDER;
  if (folder === undefined) return;
  const figures = readdirSync(folder)
    .filter((file) => file.startsWith('matrix-'))
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
  const sum = (/** @type {string} */ name) =>
    figures.reduce((total, one) => total + one[name], 0).toLocaleString('en');
  if (figures.length > 0) {
    const { faults, settings } = figures[0];
    process.stdout.write(
      `Fault matrix: ${sum('variants')} operation variants × ${faults} faults × ${settings} On Error settings; run: ${sum('cells')} cells of ${sum('all')} (ATTACK_SEED=${process.env.ATTACK_SEED}), failures: ${sum('failures')}\n`,
    );
  }
  rmSync(folder, { recursive: true, force: true });
};
