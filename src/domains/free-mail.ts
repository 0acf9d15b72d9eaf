import providers from 'email-providers/all.json';

const FREE_MAIL_HOSTS: ReadonlySet<string> = new Set(providers);

/**
 * Names under which mail is given away and nothing else is sold, in whatever country. Those of telephone
 * companies, portals and makers of software are left out: they are companies too.
 */
const ONLY_MAIL = new Set(
  (
    'aim aol arcor bk btinternet gmx icloud inbox live list mac mailbox me msn outlook passport pm ' +
    'posteo proton qq rocketmail sbcglobal t-online tuta wanadoo web windowslive ya yahoo yeah 126 163'
  ).split(' '),
);

/** Whether a domain belongs to a mail provider that anybody can have an address with. */
export function isFreeMailHost(domain: string): boolean {
  return FREE_MAIL_HOSTS.has(domain);
}

/**
 * Whether a domain is that of such a provider, and known for mail alone (`gmail.com`, `gmx.de`): its
 * name speaks of mail, or is one of a few. `bt.com` and `zoho.com` are not.
 */
export function isOnlyMail(domain: string): boolean {
  const [name = ''] = domain.split('.', 1);
  return isFreeMailHost(domain) && (name.includes('mail') || ONLY_MAIL.has(name));
}
