import type { ICredentialType } from 'n8n-workflow';

import { authenticate, freeTest, icon, keyFields } from './shared/key';

/** A key that belongs to one user. The only kind that lists accept. */
export class CompanyIntelligenceUserApi implements ICredentialType {
  name = 'companyIntelligenceUserApi';

  displayName = 'Company Intelligence User API';

  icon = icon;

  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-company-intelligence';

  properties = keyFields(
    'A key that belongs to you as a user. It works everywhere, lists included.',
  );

  authenticate = authenticate;

  // Only user keys may read the catalog, so this proves the kind of the key as well.
  test = freeTest(
    '/v1/lists/filter-fields',
    {},
    'This is an organization key. Use the credential type "Company Intelligence Organization API" for it, or paste a user key.',
  );
}
