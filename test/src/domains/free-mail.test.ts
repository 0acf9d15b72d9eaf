import { isFreeMailHost } from '../../../src/domains/free-mail';

it.each(['gmail.com', 'outlook.com', 'yahoo.com', 'gmx.de', 'icloud.com', 'qq.com'])(
  '%s is open to anybody',
  (host) => {
    expect(isFreeMailHost(host)).toBe(true);
  },
);

it.each(['stripe.com', 'google.com', 'microsoft.com', 'salesforce.com', 'mail.acme.com', ''])(
  '%p is not',
  (host) => {
    expect(isFreeMailHost(host)).toBe(false);
  },
);
