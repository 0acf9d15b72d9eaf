import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'tldts';

import { read } from './support';

const textOf = (name: string) =>
  readFileSync(join(__dirname, `../../../src/input/hosts/${name}.txt`), 'utf8');
const linesOf = (name: string) =>
  textOf(name)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

const PAGES = [
  ['profile_page', 'profile-pages'],
  ['short_link', 'short-links'],
  ['store_page', 'store-pages'],
  ['hosted_site', 'hosted-sites'],
] as const;
const KINDS: readonly string[] = PAGES.map(([kind]) => kind);
const MAIL = ['free-mail', 'mail-relays'];
const otherwise = new Set([...MAIL, 'placeholder-hosts'].flatMap(linesOf));

it.each([...PAGES.map(([, name]) => name), ...MAIL, 'placeholder-hosts', 'link-wrappers'])(
  'keeps the list %s sorted, well formed and without duplicates',
  (name) => {
    const lines = linesOf(name);
    const wellFormed = /^(?:\*\.)?(?:[a-z0-9-]+\.)+(?:[a-z0-9-]+|\*)(?:\/\S*)?$/;
    expect(lines).toEqual([...new Set(lines)].sort());
    expect(lines.filter((line) => !wellFormed.test(line))).toEqual([]);
  },
);

it('has the list of free mail that the packages and our own files make (npm run free-mail)', async () => {
  const { createFreeMailList } = await import('../../../scripts/free-mail.mjs');
  expect(textOf('free-mail') === createFreeMailList()).toBe(true);
});

const hostOf = (line: string) =>
  line.replace(/^\*\./, '').replace(/\/.*$/, '').replace(/\*$/, 'com');

function pageOf(line: string): string {
  if (line.startsWith('*.')) return `https://tenant-7.${hostOf(line)}`;
  const url = line.replace('.*', '.com');
  return `https://${url}${line.includes('/') ? '' : '/jo'}${line.endsWith('/') ? 'jo' : ''}`;
}

const isRegistered = (host: string) => parse(host, { allowPrivateDomains: true }).domain === host;

describe.each(PAGES)('the list of %s', (kind, name) => {
  const lines = linesOf(name);

  it('refuses the pages of every line', () => {
    // Tenants of the public suffix list count as companies.
    const passed = lines.filter(
      (line) => !line.endsWith('.*') && !KINDS.includes(read(pageOf(line))),
    );
    expect(passed.filter((line) => !otherwise.has(hostOf(line)))).toEqual([]);
    const share = lines.filter((line) => read(pageOf(line)) === kind).length / lines.length;
    expect(share).toBeGreaterThan(0.95);
  });

  it('accepts the bare host, its own pages, its addresses and similar names as companies', () => {
    const hosts = lines.map(hostOf).filter((host) => isRegistered(host) && !otherwise.has(host));
    expect(hosts.length).toBeGreaterThan(100);
    const own = (host: string) => [host, `https://www.${host}/`, `jo@${host}`, `${host}/de/`];
    const found = hosts.map((host) => [host, ...own(host).map((text) => read(text))]);
    expect(found.filter(([host, ...all]) => all.some((one) => one !== host))).toEqual([]);
    for (const host of hosts.slice(0, 50)) {
      expect(read(`https://my-${host}/jo`)).toBe(`my-${host}`);
    }
  });
});

it('refuses addresses at each host of free mail and relays, and accepts those of companies', () => {
  const refused = ['free_mail', 'placeholder'];
  const passed = MAIL.flatMap(linesOf).filter((host) =>
    [`jo@${host}`, `jo@mx7.${host}`].some((text) => !refused.includes(read(text))),
  );
  expect(passed).toEqual([]);
  const domains = (
    'easypost.com clerk.com name.com parrot.com ancestry.com singpost.com discovery.com alibaba.com ' +
    'sly.io comcast.com verizon.com att.com cox.com dell.com asus.com starbucks.com cnn.com bolt.com ' +
    'mailchimp.com mailgun.com mailjet.com mailerlite.com royalmail.com dailymail.co.uk gail.com ' +
    'cloud.com hotmart.com ao.com aon.com wahoo.com salesforce.com google.com microsoft.com apple.com ' +
    'amazon.com booking.com ebay.com airbnb.com hubspot.com pipedrive.com tcd.ie stanford.edu usp.br'
  ).split(' ');
  expect(domains.map((domain) => read(`jo@${domain}`))).toEqual(domains);
});

it('refuses placeholders as hosts, websites and email addresses, but accepts similar domains', () => {
  const refused = ['placeholder', 'public_suffix'];
  const passed = linesOf('placeholder-hosts').filter((host) =>
    [host, `https://www.${host}/x`, `jo@${host}`].some((text) => !refused.includes(read(text))),
  );
  expect(passed).toEqual([]);
  const others = ['abc.com', 'aa.com', 'aaa.com', 'test.de', 'abc.xyz', 'exampleco.com'];
  expect(others.map((domain) => read(domain))).toEqual(others);
});

it('follows a wrapped link to its target, and refuses it without one', () => {
  for (const line of linesOf('link-wrappers')) {
    const link = `https://${line.replace('.*', '.com')}${line.includes('/') ? '' : '/x'}`;
    const company = read(`${link}?u=https%3A%2F%2Fwww.acme.com%2Fde&h=1`);
    const profile = read(`${link}?u=https%3A%2F%2Fx.com%2Facme`);
    expect([line, company, profile]).toEqual([line, 'acme.com', 'profile_page']);
    expect(KINDS).toContain(read(link));
  }
});
