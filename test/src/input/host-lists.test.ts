/** Tests each list of hosts both ways: its lines refuse what they should, and nothing else. */
import { parse } from 'tldts';

import { DISPOSABLE_MAIL } from '../../../src/input/hosts/disposable-mail';
import { FREE_MAIL } from '../../../src/input/hosts/free-mail';
import { HOSTED_SITES } from '../../../src/input/hosts/hosted-sites';
import { LINK_WRAPPERS } from '../../../src/input/hosts/link-wrappers';
import { MAIL_RELAYS } from '../../../src/input/hosts/mail-relays';
import { MAIL_TYPOS } from '../../../src/input/hosts/mail-typos';
import { PLACEHOLDER_HOSTS } from '../../../src/input/hosts/placeholder-hosts';
import { PROFILE_PAGES } from '../../../src/input/hosts/profile-pages';
import { SHORT_LINKS } from '../../../src/input/hosts/short-links';
import { STORE_PAGES } from '../../../src/input/hosts/store-pages';
import { read } from './support';

const linesOf = (list: string) => list.trim().split('\n');

const pages = [
  ['profile_page', PROFILE_PAGES],
  ['short_link', SHORT_LINKS],
  ['store_page', STORE_PAGES],
  ['hosted_site', HOSTED_SITES],
] as const;

const mail = [
  ['free mail', FREE_MAIL],
  ['disposable mail', DISPOSABLE_MAIL],
  ['mail relays', MAIL_RELAYS],
  ['mail typos', MAIL_TYPOS],
] as const;

it.each<readonly [string, string]>([
  ...pages,
  ...mail,
  ['placeholder', PLACEHOLDER_HOSTS],
  ['link wrappers', LINK_WRAPPERS],
])('keeps the list %s sorted, well formed and without duplicates', (_name, list) => {
  const lines = linesOf(list);
  const wellFormed = /^(?:\*\.)?(?:[a-z0-9-]+\.)+[a-z0-9-]+(?:\/\S*)?$/;
  expect(lines).toEqual([...new Set(lines)].sort());
  expect(lines.filter((line) => !wellFormed.test(line))).toEqual([]);
});

/** Returns a URL that the line must refuse. */
function pageOf(line: string): string {
  if (line.startsWith('*.')) return `https://tenant-7.${line.slice('*.'.length)}`;
  return `https://${line}${line.includes('/') ? '' : '/jo'}${line.endsWith('/') ? 'jo' : ''}`;
}

const hostOf = (line: string) => line.replace(/^\*\./, '').replace(/\/.*$/, '');
const isRegistered = (host: string) => parse(host, { allowPrivateDomains: true }).domain === host;
const otherwise = new Set([...mail.map(([, list]) => list), PLACEHOLDER_HOSTS].flatMap(linesOf));

describe.each(pages)('the list %s', (kind, list) => {
  it('refuses the pages of every line', () => {
    const kinds: string[] = pages.map(([one]) => one);
    const passed = linesOf(list).filter((line) => !kinds.includes(read(pageOf(line))));
    expect(passed.filter((line) => !otherwise.has(hostOf(line)))).toEqual([]);
    const share = linesOf(list).filter((line) => read(pageOf(line)) === kind).length;
    expect(share / linesOf(list).length).toBeGreaterThan(0.95);
  });

  it('accepts the bare host, its home page and its email addresses as the company', () => {
    const hosts = linesOf(list)
      .map(hostOf)
      // Written alone, share.google counts as a brand name with a dot, like hey.apple.
      .filter((host) => isRegistered(host) && !otherwise.has(host) && host !== 'share.google');
    expect(hosts.length).toBeGreaterThan(100);
    for (const host of hosts) {
      const found = [host, `https://www.${host}/`, `jo@${host}`].map((text) => read(text));
      expect([host, ...found]).toEqual([host, host, host, host]);
    }
  });

  it('accepts other companies with a similar name', () => {
    const hosts = linesOf(list).map(hostOf).filter(isRegistered);
    for (const host of hosts.slice(0, 200))
      expect(read(`https://my-${host}/jo`)).toBe(`my-${host}`);
  });
});

it.each(mail)('refuses email addresses at each host of %s and its subdomains', (_name, list) => {
  const passed = linesOf(list).filter((host) => {
    const found = [read(`jo@${host}`), read(`jo@mx7.${host}`)];
    return !found.every((one) => one === 'free_mail' || one === 'placeholder');
  });
  expect(passed).toEqual([]);
});

it('accepts email addresses of companies, because no mail list contains them', () => {
  const companies =
    'easypost.com clerk.com name.com parrot.com ancestry.com singpost.com discovery.com alibaba.com ' +
    'sly.io comcast.com verizon.com att.com cox.com dell.com asus.com starbucks.com cnn.com bolt.com ' +
    'mailchimp.com mailgun.com mailjet.com mailerlite.com royalmail.com dailymail.co.uk gail.com ' +
    'cloud.com hotmart.com ao.com aon.com wahoo.com salesforce.com google.com microsoft.com apple.com ' +
    'amazon.com booking.com ebay.com airbnb.com hubspot.com pipedrive.com tcd.ie stanford.edu';
  for (const domain of companies.split(' '))
    expect([domain, read(`jo@${domain}`)]).toEqual([domain, domain]);
});

it('refuses placeholders as hosts, websites and email addresses, but accepts similar domains', () => {
  const passed = linesOf(PLACEHOLDER_HOSTS).filter((host) => {
    const found = [host, `https://www.${host}/x`, `jo@${host}`].map((text) => read(text));
    return !found.every((one) => one === 'placeholder' || one === 'public_suffix');
  });
  expect(passed).toEqual([]);
  for (const domain of ['abc.com', 'aa.com', 'aaa.com', 'test.de', 'abc.xyz', 'exampleco.com']) {
    expect(read(domain)).toBe(domain);
  }
});

it('follows a wrapped link to its target, and refuses it without one', () => {
  for (const line of linesOf(LINK_WRAPPERS)) {
    const link = `https://${line}${line.includes('/') ? '' : '/x'}`;
    const company = read(`${link}?u=https%3A%2F%2Fwww.acme.com%2Fde&h=1`);
    const profile = read(`${link}?u=https%3A%2F%2Fx.com%2Facme`);
    expect([line, company, profile]).toEqual([line, 'acme.com', 'profile_page']);
    expect(['short_link', ...pages.map(([kind]) => kind)]).toContain(read(link));
  }
});
