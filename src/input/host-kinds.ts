import { decodePercent } from '../client/values';
import { lazy } from '../lazy';
import { isForeignPage } from './foreign-pages';
import { DISPOSABLE_MAIL } from './hosts/disposable-mail';
import { FREE_MAIL } from './hosts/free-mail';
import { HOSTED_SITES } from './hosts/hosted-sites';
import { LINK_WRAPPERS } from './hosts/link-wrappers';
import { MAIL_RELAYS } from './hosts/mail-relays';
import { MAIL_TYPOS } from './hosts/mail-typos';
import { PLACEHOLDER_HOSTS } from './hosts/placeholder-hosts';
import { PROFILE_PAGES } from './hosts/profile-pages';
import { SHORT_LINKS } from './hosts/short-links';
import { STORE_PAGES } from './hosts/store-pages';

/** Kinds of pages that are not a company's own site. */
export type PageKind = 'profile_page' | 'short_link' | 'store_page' | 'hosted_site';

/** One line of a host list. The head of each list explains the syntax of its lines. */
interface Rule {
  readonly kind: PageKind;
  /** The beginning of the path; undefined if the rule covers the whole host. */
  readonly path?: string;
  /** Whether the rule covers only subdomains of the host. */
  readonly isBelow: boolean;
}

/** The entries of all lists for one host. */
interface HostEntry {
  readonly rules: Rule[];
  /** Rules for links that contain the link they redirect to. */
  readonly wraps: Rule[];
  /** `free`: anyone can get an email address there. `alone`: and no company uses the host. */
  mail?: 'free' | 'alone';
  isPlaceholder?: true;
}

const PAGE_LISTS: ReadonlyArray<readonly [PageKind, string]> = [
  ['profile_page', PROFILE_PAGES],
  ['short_link', SHORT_LINKS],
  ['store_page', STORE_PAGES],
  ['hosted_site', HOSTED_SITES],
];

/** All lists by host. Most hosts are in no list, and a single lookup must be enough to find out. */
const known = lazy(() => {
  const hosts = new Map<string, HostEntry>();
  const getEntry = (host: string): HostEntry => {
    const there = hosts.get(host);
    if (there !== undefined) return there;
    const entry: HostEntry = { rules: [], wraps: [] };
    hosts.set(host, entry);
    return entry;
  };
  for (const [kind, list] of PAGE_LISTS) {
    for (const [host, rule] of toRules(kind, list)) getEntry(host).rules.push(rule);
  }
  for (const [host, rule] of toRules('short_link', LINK_WRAPPERS)) getEntry(host).wraps.push(rule);
  for (const host of splitLines(FREE_MAIL)) getEntry(host).mail = 'free';
  for (const list of [DISPOSABLE_MAIL, MAIL_RELAYS, MAIL_TYPOS]) {
    for (const host of splitLines(list)) getEntry(host).mail = 'alone';
  }
  for (const host of splitLines(PLACEHOLDER_HOSTS)) getEntry(host).isPlaceholder = true;
  return hosts;
});

function splitLines(list: string): string[] {
  return list.trim().split('\n');
}

function toRules(kind: PageKind, list: string): Array<readonly [host: string, rule: Rule]> {
  return splitLines(list).map((line) => {
    const isBelow = line.startsWith('*.');
    const name = isBelow ? line.slice('*.'.length) : line;
    const slash = name.indexOf('/');
    if (slash === -1) return [name, { kind, isBelow }];
    return [name.slice(0, slash), { kind, isBelow, path: name.slice(slash + 1) }];
  });
}

/** The list entries of a host or of one of its parent domains. */
interface NamedHostEntry extends HostEntry {
  readonly name: string;
}

/** Returns the list entries of a host and of its parent domains, the host itself first. */
export function findHostEntries(host: string): readonly NamedHostEntry[] {
  const found: NamedHostEntry[] = [];
  for (let name = host; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    const entry = known().get(name);
    if (entry !== undefined) found.push({ ...entry, name });
  }
  return found;
}

/** Subdomains of a provider that belong to the provider itself and not to a tenant. */
const OWN = new Set(
  (
    'www m mobile about academy blog business careers community company corporate developer developers ' +
    'docs engineering events help info investor investors ir jobs learn legal news newsroom partner ' +
    'partners press status support'
  ).split(' '),
);
/** Of these, subdomains whose pages are about the provider only. */
const CORPORATE = new Set(
  'about careers corporate investor investors ir newsroom press'.split(' '),
);
/** Subdomains allowed before the host of a line with a path: languages and devices. */
const SAME_SITE = /^(?:www|m|mobile|web|[a-z]{2})$/;

/** The host and path of a URL, or the host after the @ of an email address. */
export interface HostAndPath {
  readonly listed: readonly NamedHostEntry[];
  /** The host in lower case and ASCII, with its subdomains. */
  readonly host: string;
  /** The host without its subdomains. */
  readonly domain: string;
  /** The rest after the host: path, query and fragment. */
  readonly path: string;
  readonly isMail: boolean;
}

/** Returns which kind of page or tenant a place is; undefined for a company's own site. */
export function findPageKind(place: HostAndPath): PageKind | undefined {
  for (const { name, rules } of place.listed) {
    const rule = rules.find((one) => matchesRule(one, name, place));
    if (rule !== undefined) return rule.kind;
  }
  const { host, domain, path, isMail } = place;
  const isSite = host === domain || SAME_SITE.test(host.slice(0, -domain.length - 1));
  const isForeign = isSite && !isMail && isForeignPage(domain, toPagePath(path));
  return isForeign ? 'profile_page' : undefined;
}

/**
 * Returns whether a rule covers a place.
 *
 * @param name the host of the rule.
 */
function matchesRule(
  { kind, path: start, isBelow }: Rule,
  name: string,
  { host, domain, path, isMail }: HostAndPath,
): boolean {
  const below = host.slice(0, -name.length - 1);
  if (start !== undefined) {
    return (
      !isMail && (below === '' || SAME_SITE.test(below)) && beginsWith(toPagePath(path), start)
    );
  }
  const isTenant = below !== '' && !OWN.has(below);
  if (isMail) return kind === 'hosted_site' && isTenant;
  if (CORPORATE.has(below)) return false;
  return isTenant || (!isBelow && (toPagePath(path) !== '' || name !== domain));
}

/**
 * Returns the path without leading slashes, query and fragment; empty for a bare host. A fragment with
 * a slash is a path (`/#/jo`, `/#p/jo`).
 */
function toPagePath(path: string): string {
  const [page = ''] = path.replace(/^[/\\]*(?:#!|#(?=[\w-]*\/))?[/\\]*/, '').split(/[?#]/, 1);
  return page.toLowerCase();
}

/** Returns whether a path begins with whole words: `maps` begins `maps/place`, but not `mapsurvey`. */
function beginsWith(page: string, start: string): boolean {
  if (!page.startsWith(start) || page === '') return false;
  return start === '' || !/[a-z0-9]$/.test(start) || !/^[a-z0-9]/.test(page.slice(start.length));
}

/** Returns whether a domain belongs to an email provider where anyone can get an address. */
export function isFreeMailHost(domain: string): boolean {
  return known().get(domain)?.mail !== undefined;
}

/**
 * Names of providers that only offer free email, under any country's top-level domain. Telephone
 * companies, portals and software makers are omitted, because they are companies too.
 */
const ONLY_MAIL = new Set(
  (
    'aim aol arcor bk btinternet gmx icloud inbox live list mac mailbox me msn outlook passport pm ' +
    'posteo proton qq rocketmail sbcglobal t-online tuta tutanota wanadoo web windowslive ya yahoo ' +
    'yeah 126 163'
  ).split(' '),
);

/**
 * Returns whether a host belongs to a provider that only offers email (`gmail.com`, `gmx.de`): its
 * name contains "mail" or is in the list above. `bt.com` and `zoho.com` offer more than email.
 */
export function isMailOnlyProvider({
  listed,
  domain,
}: Pick<HostAndPath, 'listed' | 'domain'>): boolean {
  if (listed.some(({ mail }) => mail === 'alone')) return true;
  const [label = ''] = domain.split('.', 1);
  const isKnown = listed.some(({ name, mail }) => name === domain && mail === 'free');
  return isKnown && (label.includes('mail') || ONLY_MAIL.has(label));
}

// --- Links that contain the link they redirect to ------------------------------------------------

/**
 * The target within a link: `?u=https%3A%2F%2Facme.com`, `/__https://acme.com__;`,
 * `?domain=acme.com`.
 */
const TARGET =
  /(?:https?:[/\\]{1,2}|[?&](?:domain|q|u|url|to|target|dest|destination|cache)=)(?!https?:)([^\s&"'<>]+)/i;

/**
 * Returns the target of a link that wraps another link.
 *
 * @returns the target's URL; undefined if the place wraps nothing, null if the link lacks the target.
 */
export function unwrapLink(place: HostAndPath): string | null | undefined {
  const wraps = place.listed.some((one) =>
    one.wraps.some((rule) => matchesRule(rule, one.name, { ...place, domain: '' })),
  );
  if (place.isMail || !wraps) return undefined;
  const { host, path } = place;
  const text =
    host.startsWith('urldefense.') && path.startsWith('/v2/') ? decodeProofpointV2(path) : path;
  const [, target = ''] = TARGET.exec(decodeOrSame(decodeOrSame(text))) ?? [];
  return target.includes('.') ? `https://${target.replace(/__;.*$|__$/, '')}` : null;
}

/** Decodes version 2 of Proofpoint's links, which write `-` for `%` and `_` for `/`. */
function decodeProofpointV2(path: string): string {
  return path.replace(/-(?=[\dA-F]{2})/g, '%').replaceAll('_', '/');
}

function decodeOrSame(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (escaped) => decodePercent(escaped) ?? escaped);
}
