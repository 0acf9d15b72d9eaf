import { readFileSync } from 'node:fs';

import { decodePercent } from '../values/text';

/** Not a company's own site. */
type PageKind = 'profile_page' | 'short_link' | 'store_page' | 'hosted_site';

/** The head of each list explains its syntax. */
interface Rule {
  readonly kind: PageKind;
  /** Undefined if the rule covers the whole host. */
  readonly path?: string;
  /** Whether the rule covers only subdomains of the host. */
  readonly isBelow: boolean;
  /** The links contain the link they redirect to. */
  readonly isWrapper: boolean;
}

interface HostEntry {
  readonly rules: Rule[];
  /** `free`: anyone can get an email address there. `alone`: and no company uses the host. */
  mail?: 'free' | 'alone';
  isPlaceholder?: true;
}

/** All lists by host. Most hosts are in no list, and a single lookup must be enough to find out. */
let known: ReadonlyMap<string, HostEntry> | undefined;

function loadHosts(): ReadonlyMap<string, HostEntry> {
  const hosts = new Map<string, HostEntry>();
  const getEntry = (host: string): HostEntry => {
    const entry = hosts.get(host) ?? { rules: [] };
    hosts.set(host, entry);
    return entry;
  };
  const addRules = (kind: PageKind, path: string, isWrapper = false): void => {
    for (const line of readLines(path)) {
      const { host, ...rule } = parseLine(line);
      getEntry(host).rules.push({ kind, isWrapper, ...rule });
    }
  };
  // The build copies files that `require.resolve` names by a literal (scripts/lib/bundle.mjs).
  addRules('profile_page', require.resolve('./hosts/profile-pages.txt'));
  addRules('short_link', require.resolve('./hosts/short-links.txt'));
  addRules('store_page', require.resolve('./hosts/store-pages.txt'));
  addRules('hosted_site', require.resolve('./hosts/hosted-sites.txt'));
  addRules('short_link', require.resolve('./hosts/link-wrappers.txt'), true);
  const addMail = (mail: 'free' | 'alone', path: string): void => {
    for (const host of readLines(path)) getEntry(host).mail = mail;
  };
  addMail('free', require.resolve('./hosts/free-mail.txt'));
  addMail('alone', require.resolve('./hosts/mail-relays.txt'));
  for (const host of readLines(require.resolve('./hosts/placeholder-hosts.txt'))) {
    getEntry(host).isPlaceholder = true;
  }
  return hosts;
}

export function readLines(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

function parseLine(line: string): { host: string; path?: string; isBelow: boolean } {
  const isBelow = line.startsWith('*.');
  const name = isBelow ? line.slice('*.'.length) : line;
  const slash = name.indexOf('/');
  if (slash === -1) return { host: name, isBelow };
  return { host: name.slice(0, slash), path: name.slice(slash + 1), isBelow };
}

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

interface NamedHostEntry extends HostEntry {
  readonly name: string;
}

/** The host first, then its parent domains. */
export function findHostEntries(host: string, domain: string): readonly NamedHostEntry[] {
  known ??= loadHosts();
  const found: NamedHostEntry[] = [];
  const ending = domain.slice(domain.indexOf('.'));
  for (let name = host; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    const anyEnding = name.endsWith(ending) ? `${name.slice(0, -ending.length)}.*` : '';
    for (const entry of [known.get(name), known.get(anyEnding)]) {
      if (entry !== undefined) found.push({ ...entry, name });
    }
  }
  return found;
}

/** Subdomains and first parts of paths that are about the owner of a host. */
const OWN_PAGES = toSet(
  'about about-us about_us aboutus affiliates blog business career careers case-studies ' +
    'changelog company contact contact-us contact_us contactus cookies corp corporate ' +
    'customers datenschutz developer developers download downloads enterprise faq features ' +
    'gdpr get-started guides help hire hiring impressum imprint integrations investor ' +
    'investors ir jobs join-us karriere kontakt lavora-con-noi legal news newsletter newsroom openings ' +
    'partner ' +
    'partners plans platform press pricing pricing-plans privacy privacy-policy product ' +
    'products referral register research resources roadmap security services sitemap solutions status support sustainability teach team teams terms terms-of-service ' +
    'tos tour trust ueber-uns unternehmen use-cases vacatures webinars why work-here ' +
    'work-with-us',
);
/** Of these, pages that leads copy from the foot of their profile on a platform. */
const LEGAL_PAGES = toSet(
  'cookies datenschutz gdpr impressum imprint legal policies privacy privacy-policy terms ' +
    'terms-of-service tos',
);
/** Of these, pages about others if more follows: on hosts of tenants, and on hosts that are about others. */
const HOSTED_PAGES = toSet('company jobs');
const PAGES_OF_OTHERS = toSet('business company jobs news product products services');
/** Subdomains that belong to a provider itself, but whose pages can be about others. */
const SHARED_SUBDOMAINS = toSet(
  'academy community docs engineering events info jobs learn legal news partner partners ' +
    'product products services team',
);
/** Subdomains that belong to a provider itself, unless tenants have subdomains there. */
const OWN_SUBDOMAINS = toSet(
  'adv advertise advertising ads brand design foundation innovation insights lab labs tech',
);
/** Subdomains that show the same site: languages and devices. */
const SAME_SITE = /^(?:www|m|mobile|web|[a-z]{2})$/;
/** Parts of a path that name nothing: languages, regions, the home page. */
const LANGUAGE =
  /^(?:(?:ar|bg|cs|da|de|el|en|es|et|fi|fr|he|hr|hu|id|it|ja|ko|lt|lv|nb|nl|no|pl|pt|ro|ru|sk|sl|sr|sv|th|tr|uk|vi|zh)(?:[-_][a-z]{2,4})?|[a-z]{2}[-_][a-z]{2}|at|au|be|br|ca|ch|eu|gb|in|mx|us|intl|global|home|index)$/;

export interface HostAndPath {
  readonly listed: readonly NamedHostEntry[];
  readonly host: string;
  readonly domain: string;
  /** With query and fragment. */
  readonly path: string;
  readonly isMail: boolean;
}

export function findPageKind(place: HostAndPath): PageKind | undefined {
  for (const { name, rules } of place.listed) {
    const rule =
      rules.find((one) => matchesPath(one, name, place)) ??
      rules.find((one) => one.path === undefined && matchesHost(one, name, place));
    if (rule !== undefined) return rule.kind;
  }
  return undefined;
}

/** With a profile, shop or link of others; undefined for hosts, tenants and other pages. */
export function findPublicPage(place: HostAndPath): PageKind | undefined {
  const kind = toPagePath(place.path) === '' ? undefined : findPageKind(place);
  return kind === 'hosted_site' ? undefined : kind;
}

function matchesPath(
  { kind, path: start }: Rule,
  name: string,
  { host, path, isMail }: HostAndPath,
): boolean {
  const below = host.slice(0, -name.length - 1);
  if (start === undefined || isMail || !(below === '' || SAME_SITE.test(below))) return false;
  const page = toPagePath(path);
  return start === '' ? !isOwnPage(page, kind) : beginsWith(page, start);
}

function matchesHost(
  { kind, isBelow }: Rule,
  name: string,
  { host, domain, path, isMail }: HostAndPath,
): boolean {
  const below = host.slice(0, -name.length - 1);
  const isShared = SHARED_SUBDOMAINS.has(below);
  // A tenant can have a name of two letters.
  const isSite =
    below === '' || (SAME_SITE.test(below) && (kind !== 'hosted_site' || below.length !== 2));
  const isLegal = isPlatform(kind) && LEGAL_PAGES.has(below);
  const isOwn =
    (OWN_PAGES.has(below) && !isLegal) || (kind !== 'hosted_site' && OWN_SUBDOMAINS.has(below));
  const isTenant = !isSite && !isShared && !isOwn;
  if (isMail) return kind === 'hosted_site' && isTenant;
  if (isTenant) return true;
  if (isBelow) return false;
  const page = toPagePath(path);
  if (name !== domain || isShared) return name !== domain || page !== '';
  return isSite && !isOwnPage(page, kind);
}

function isPlatform(kind: PageKind): boolean {
  return kind === 'profile_page' || kind === 'short_link';
}

function isOwnPage(page: string, kind: PageKind): boolean {
  const parts = page.split('/').map((part) => part.replace(/\.(?:html?|php|aspx?)$/, ''));
  const named = parts.filter((part) => part !== '' && !LANGUAGE.test(part));
  const [first, second] = named;
  if (first === undefined) return true;
  if (isPlatform(kind) && named.some((part) => LEGAL_PAGES.has(part))) return false;
  if (!OWN_PAGES.has(first)) return false;
  if (second === undefined || OWN_PAGES.has(second)) return true;
  const isOfOthers = kind === 'hosted_site' ? HOSTED_PAGES : PAGES_OF_OTHERS;
  return !isOfOthers.has(first);
}

/** A fragment with a slash is a path (`/#/jo`, `/#p/jo`). */
function toPagePath(path: string): string {
  const [page = ''] = path.replace(/^[/\\]*(?:#!|#(?=[\w-]*\/))?[/\\]*/, '').split(/[?#]/, 1);
  return page.toLowerCase();
}

/** With whole words: `maps` begins `maps/place`, but not `mapsurvey`. */
function beginsWith(page: string, start: string): boolean {
  if (!page.startsWith(start)) return false;
  return !/[a-z0-9]$/.test(start) || !/^[a-z0-9]/.test(page.slice(start.length));
}

export function isFreeMailHost(domain: string): boolean {
  known ??= loadHosts();
  return known.get(domain)?.mail !== undefined;
}

/** Names of providers that only offer free email. Telephone companies and portals are companies too. */
const ONLY_MAIL = toSet(
  'aim aol arcor bk btinternet gmx icloud inbox live list mac mailbox me msn outlook passport pm ' +
    'posteo proton qq rocketmail sbcglobal t-online tuta tutanota wanadoo web windowslive ya yahoo ' +
    'yeah 126 163',
);

/** `gmail.com`, `gmx.de`, but not `bt.com` or `zoho.com`. */
export function isMailOnlyProvider({
  listed,
  domain,
}: Pick<HostAndPath, 'listed' | 'domain'>): boolean {
  if (listed.some(({ mail }) => mail === 'alone')) return true;
  const [label = ''] = domain.split('.', 1);
  const isKnown = listed.some(({ name, mail }) => name === domain && mail === 'free');
  return isKnown && (label.includes('mail') || ONLY_MAIL.has(label));
}

/** Authorities and universities with a host below a city's or provider's domain. */
const PUBLIC_BODY =
  /(?:^|\.)(?:polizei|police|polici?a|polizia|politie|feuerwehr|stadt|rathaus|gemeinde|senat|sen[a-z]{2,8}|ba-[\w-]+|verwaltung|landtag|justiz|finanzamt|edu|gov|uni|univ|universi\w+|uni-[\w-]+|tu|fh|hs|hochschule|schulen?)$/;

export function isPublicBody(host: string, domain: string): boolean {
  const below = host.slice(0, -domain.length - 1);
  return below !== '' && PUBLIC_BODY.test(below) && isFreeMailHost(domain);
}

/** The target within a link: `?u=https%3A%2F%2Facme.com`, `/__https://acme.com__;`. */
const TARGET = /https?:[/\\]{1,2}(?!https?:)([^\s&"'<>]+)/i;
/** The target in the links of email filters that encode it in their own way or name only its host. */
const ENCODED_TARGETS: ReadonlyArray<readonly [RegExp, (found: string) => string]> = [
  // Proofpoint's second version: https-3A__www.acme.com_about
  [/https?-3A_[^&]+/, (found) => decodeOrSame(found.replace(/-/g, '%').replace(/_/g, '/'))],
  [/aHR0c[\w+/=-]+/, (found) => Buffer.from(found, 'base64').toString()],
  [/(?<=[?&]domain=)[^&#]+/, (found) => `https://${found}`],
];
/** The page to which a login or consent page leads. */
const NEXT_PAGE =
  /[?&](?:next|continue|destination|(?:session_?)?redirect(?:_?ur[il]|_?to)?|return_?(?:url|to)?)=(https?(?::|%3a)[^&#]*)/i;

export function unwrapLink(place: HostAndPath): string | undefined {
  const { path, isMail, listed } = place;
  const isWrapper = listed.some(({ name, rules }) =>
    rules.some(
      (rule) => rule.isWrapper && (rule.path === undefined || matchesPath(rule, name, place)),
    ),
  );
  if (isMail || !isWrapper) return undefined;
  const encoded = ENCODED_TARGETS.map(([form, decode]) => decode(form.exec(path)?.[0] ?? ''));
  return [decodeOrSame(decodeOrSame(path)), ...encoded].map(findTarget).find((target) => target);
}

export function findNextPage({ path, isMail }: HostAndPath): string | undefined {
  const [, next] = NEXT_PAGE.exec(path) ?? [];
  return next === undefined || isMail ? undefined : findTarget(decodeOrSame(decodeOrSame(next)));
}

function findTarget(text: string): string | undefined {
  const [, target = ''] = TARGET.exec(text) ?? [];
  return target.includes('.') ? `https://${target.replace(/__;.*$|__$/, '')}` : undefined;
}

function decodeOrSame(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (escaped) => decodePercent(escaped) ?? escaped);
}
