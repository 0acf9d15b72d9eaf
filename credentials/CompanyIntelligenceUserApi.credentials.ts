import type { ICredentialType } from 'n8n-workflow';

import { authenticate, icon, keyFields } from './shared/key';

/** A key that belongs to one user. Lists accept no other kind. */
export class CompanyIntelligenceUserApi implements ICredentialType {
  name = 'companyIntelligenceUserApi';

  displayName = 'Company Intelligence User API';

  icon = icon;

  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-company-intelligence';

  properties = keyFields(
    'A key that belongs to you as a user. It works for everything, including lists.',
  );

  authenticate = authenticate;
}
