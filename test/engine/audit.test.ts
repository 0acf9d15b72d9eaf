/** What a user who chose the wrong field gets to see. */
import { runWorkflow, source } from './harness';
import { bulkEnrich, NAME } from './bulk-enrich/bulk-enrich';
import { credentialFor } from './shared/service';

it.each(['enrichCompanies', 'enrichPartnerships', 'normalizeDomains'])(
  '%s warns when not one row has a domain, and asks nothing',
  async (operation) => {
    const run = await runWorkflow({
      nodes: [source([{ website: 'acme.com' }]), bulkEnrich({ operation, domain: 'website' })],
      credentials: credentialFor('http://127.0.0.1:1'),
    });

    expect(run.error).toBeUndefined();
    expect(run.hints(NAME)).toContainEqual(
      expect.objectContaining({
        type: 'warning',
        message: expect.stringContaining('No row has a usable domain'),
      }),
    );
  },
);
