import providers from 'email-providers/all.json';

const FREE_MAIL_HOSTS: ReadonlySet<string> = new Set(providers);

/** Whether a domain belongs to a mail provider that anybody can have an address with. */
export function isFreeMailHost(domain: string): boolean {
  return FREE_MAIL_HOSTS.has(domain);
}
