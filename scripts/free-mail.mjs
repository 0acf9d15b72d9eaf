#!/usr/bin/env node
/**
 * `npm run free-mail`: writes src/input/hosts/free-mail.txt from pinned packages and our own additions
 * and removals in scripts/free-mail/. A test fails if the file is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parse } from 'tldts';
import { projectRoot } from './lib/paths.mjs';

const require = createRequire(import.meta.url);

/** @param {string} path path in node_modules */
const read = (path) => readFileSync(join(projectRoot, 'node_modules', path), 'utf8');

/** @param {string} text */
const toLines = (text) => text.split(/\s+/).filter((line) => line !== '');

/**
 * Readers of the packages with hosts of email providers, by the name of the package.
 *
 * @type {Record<string, () => string[]>}
 */
const SOURCES = {
  'company-email-validator': () =>
    toLines(
      /`([^`]*)`/.exec(read('company-email-validator/free_email_provider_domains.js'))?.[1] ?? '',
    ),
  'email-providers': () => require('email-providers/all.json'),
  'free-email-domains': () => require('free-email-domains/domains.json'),
  freemail: () => toLines(read('freemail/data/free.txt')),
  'personal-email-domains': () => require('personal-email-domains/index.json'),
};

/** The packages whose data is in the list. */
export const MAIL_PACKAGES = Object.keys(SOURCES);

/** Number of packages that must name a disposable host, because there are tens of thousands. */
const ENOUGH_FOR_DISPOSABLE = 3;

/** Universities and authorities: `x.edu`, `x.ac.uk`, `x.gov.br`, and `x.br` itself. */
const PUBLIC_BODY = /\.(?:edu|gov|mil)(?:\.[a-z]{2})?$|\.ac\.[a-z]{2}$|^[^.]+\.br$/;

/**
 * @param {string} name `add` or `remove`
 * @returns {string[]} the lines of our own file, without comments
 */
function readOwn(name) {
  const text = readFileSync(join(projectRoot, 'scripts/free-mail', `${name}.txt`), 'utf8');
  return toLines(text.replace(/^#.*$/gm, ''));
}

/** @param {string} host */
function isUsable(host) {
  const { domain, isIcann } = parse(host, { allowPrivateDomains: true });
  return domain === host && isIcann === true && /^[\w.-]+$/.test(host) && !PUBLIC_BODY.test(host);
}

/** Returns the text of free-mail.txt. */
export function createFreeMailList() {
  /** @type {Map<string, number>} */
  const votes = new Map();
  for (const readHosts of Object.values(SOURCES)) {
    for (const host of new Set(readHosts().map((one) => one.toLowerCase()))) {
      votes.set(host, (votes.get(host) ?? 0) + 1);
    }
  }
  const disposable = new Set(toLines(read('freemail/data/disposable.txt')));
  const removed = new Set(readOwn('remove'));
  const named = [...votes].flatMap(([host, count]) => {
    const isRemoved = removed.has(host) || removed.has(host.replace(/\..*/, '.*'));
    const isNamed = !disposable.has(host) || count >= ENOUGH_FOR_DISPOSABLE;
    return isNamed && !isRemoved && isUsable(host) ? [host] : [];
  });
  const hosts = [...new Set([...named, ...readOwn('add')])].sort();
  return `# Email providers and internet providers where anyone can get an address. An address there does not
# identify a company.
#
# Written by \`npm run free-mail\` from the npm packages ${MAIL_PACKAGES.slice(0, 2).join(', ')},
# ${MAIL_PACKAGES.slice(2).join(', ')}. To add or remove a host, edit add.txt or
# remove.txt in scripts/free-mail/ and run it again.

${hosts.join('\n')}
`;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(join(projectRoot, 'src/input/hosts/free-mail.txt'), createFreeMailList());
}
