import { percentDecoded } from '../client/values';
import { lazily } from '../lazily';
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

/** What a line of a list says; the lists tell what their lines mean. */
interface Rule {
  readonly kind: PageKind;
  /** How the path begins; undefined where the whole host is meant. */
  readonly path?: string;
  /** Only hosts below it are meant. */
  readonly isBelow: boolean;
}

/** What the lists say of a host. */
interface Known {
  readonly rules: Rule[];
  /** Of links that hold the one they lead to. */
  readonly wraps: Rule[];
  /** Anybody can have an address there (`free`), and nobody has a company (`alone`). */
  mail?: 'free' | 'alone';
  isPlaceholder?: true;
}

const PAGES: ReadonlyArray<readonly [PageKind, string]> = [
  ['profile_page', PROFILE_PAGES],
  ['short_link', SHORT_LINKS],
  ['store_page', STORE_PAGES],
  ['hosted_site', HOSTED_SITES],
];

/** All lists by host: most hosts are in none, and one look must tell. */
const known = lazily(() => {
  const hosts = new Map<string, Known>();
  const at = (host: string): Known => {
    const there = hosts.get(host);
    if (there !== undefined) return there;
    const entry: Known = { rules: [], wraps: [] };
    hosts.set(host, entry);
    return entry;
  };
  for (const [kind, list] of PAGES) {
    for (const [host, rule] of rulesOf(kind, list)) at(host).rules.push(rule);
  }
  for (const [host, rule] of rulesOf('short_link', LINK_WRAPPERS)) at(host).wraps.push(rule);
  for (const host of linesOf(FREE_MAIL)) at(host).mail = 'free';
  for (const list of [DISPOSABLE_MAIL, MAIL_RELAYS, MAIL_TYPOS]) {
    for (const host of linesOf(list)) at(host).mail = 'alone';
  }
  for (const host of linesOf(PLACEHOLDER_HOSTS)) at(host).isPlaceholder = true;
  return hosts;
});

function linesOf(list: string): string[] {
  return list.trim().split('\n');
}

function rulesOf(kind: PageKind, list: string): Array<readonly [host: string, rule: Rule]> {
  return linesOf(list).map((line) => {
    const isBelow = line.startsWith('*.');
    const name = isBelow ? line.slice('*.'.length) : line;
    const slash = name.indexOf('/');
    if (slash === -1) return [name, { kind, isBelow }];
    return [name.slice(0, slash), { kind, isBelow, path: name.slice(slash + 1) }];
  });
}

/** A host, or one above it, and what is known of it. */
interface Listed extends Known {
  readonly name: string;
}

/** What the lists say of a host and those above it, the nearest first. */
export function listedOf(host: string): readonly Listed[] {
  const found: Listed[] = [];
  for (let name = host; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    const entry = known().get(name);
    if (entry !== undefined) found.push({ ...entry, name });
  }
  return found;
}

/** Hosts below a provider's domain that are its own. */
const OWN = new Set(
  (
    'www m mobile about academy blog business careers community company corporate developer developers ' +
    'docs engineering events help info investor investors ir jobs learn legal news newsroom partner ' +
    'partners press status support'
  ).split(' '),
);
/** Of them those whose pages are about the provider, and nobody else's. */
const CORPORATE = new Set(
  'about careers corporate investor investors ir newsroom press'.split(' '),
);
/** What may be before the host that a line with a path names: languages and devices. */
const SAME_SITE = /^(?:www|m|mobile|web|[a-z]{2})$/;

/** Where a URL leads, or what is behind the @ of an address. */
export interface Place {
  readonly listed: readonly Listed[];
  /** In lower case and ASCII, with its subdomains. */
  readonly host: string;
  /** The host without its subdomains. */
  readonly domain: string;
  /** What follows the host. */
  readonly path: string;
  readonly isMail: boolean;
}

/** The kind of page a place is, or tenant of whom; undefined for a company's own site. */
export function pageKindOf(place: Place): PageKind | undefined {
  for (const { name, rules } of place.listed) {
    const rule = rules.find((one) => isMeant(one, name, place));
    if (rule !== undefined) return rule.kind;
  }
  return undefined;
}

/** @param name the host of the rule. */
function isMeant(
  { kind, path: start, isBelow }: Rule,
  name: string,
  { host, domain, path, isMail }: Place,
): boolean {
  const below = host.slice(0, -name.length - 1);
  if (start !== undefined) {
    return !isMail && (below === '' || SAME_SITE.test(below)) && beginsWith(pageOf(path), start);
  }
  const isTenant = below !== '' && !OWN.has(below);
  if (isMail) return kind === 'hosted_site' && isTenant;
  if (CORPORATE.has(below)) return false;
  return isTenant || (!isBelow && (pageOf(path) !== '' || name !== domain));
}

/** The path of what follows a host, without query and fragment: empty for a bare host. */
function pageOf(path: string): string {
  const [page = ''] = path.replace(/^[/\\]*(?:#!)?[/\\]*/, '').split(/[?#]/, 1);
  return page.toLowerCase();
}

/** `maps` is the beginning of `maps/place`, not of `mapsurvey`. */
function beginsWith(page: string, start: string): boolean {
  if (!page.startsWith(start) || page === '') return false;
  return start === '' || !/[a-z0-9]$/.test(start) || !/^[a-z0-9]/.test(page.slice(start.length));
}

/** Whether a domain belongs to a mail provider that anybody can have an address with. */
export function isFreeMailHost(domain: string): boolean {
  return known().get(domain)?.mail !== undefined;
}

/**
 * Names under which mail is given away and nothing else is sold, in whatever country. Those of telephone
 * companies, portals and makers of software are left out: they are companies too.
 */
const ONLY_MAIL = new Set(
  (
    'aim aol arcor bk btinternet gmx icloud inbox live list mac mailbox me msn outlook passport pm ' +
    'posteo proton qq rocketmail sbcglobal t-online tuta tutanota wanadoo web windowslive ya yahoo ' +
    'yeah 126 163'
  ).split(' '),
);

/**
 * Whether a host is that of such a provider, and known for mail alone (`gmail.com`, `gmx.de`): its name
 * speaks of mail, or is one of a few. `bt.com` and `zoho.com` are not.
 */
export function isOnlyMail({ listed, domain }: Pick<Place, 'listed' | 'domain'>): boolean {
  if (listed.some(({ mail }) => mail === 'alone')) return true;
  const [label = ''] = domain.split('.', 1);
  const isKnown = listed.some(({ name, mail }) => name === domain && mail === 'free');
  return isKnown && (label.includes('mail') || ONLY_MAIL.has(label));
}

// --- Links that hold the one they lead to --------------------------------------------------------

/** A target in a link: `?u=https%3A%2F%2Facme.com`, `/__https://acme.com__;`, `?domain=acme.com`. */
const TARGET =
  /(?:https?:[/\\]{1,2}|[?&](?:domain|q|u|url|to|target|dest|destination|cache)=)(?!https?:)([^\s&"'<>]+)/i;

/**
 * What a link that wraps another one leads to.
 *
 * @returns undefined where nothing is wrapped, null where the target is not in it.
 */
export function wrappedIn(place: Place): string | null | undefined {
  const wraps = place.listed.some((one) =>
    one.wraps.some((rule) => isMeant(rule, one.name, { ...place, domain: '' })),
  );
  if (place.isMail || !wraps) return undefined;
  const { host, path } = place;
  const text = host.startsWith('urldefense.') && path.startsWith('/v2/') ? decodedV2(path) : path;
  const [, target = ''] = TARGET.exec(decoded(decoded(text))) ?? [];
  return target.includes('.') ? `https://${target.replace(/__;.*$|__$/, '')}` : null;
}

/** Version 2 of Proofpoint's writes `-` for `%` and `_` for `/`. */
function decodedV2(path: string): string {
  return path.replace(/-(?=[\dA-F]{2})/g, '%').replaceAll('_', '/');
}

function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (escaped) => percentDecoded(escaped) ?? escaped);
}
