import type { ICredentialType } from 'n8n-workflow';

import { authenticate, icon, keyFields } from './shared/key';

/** A key that belongs to an organization. It works for everything except lists. */
export class CompanyIntelligenceOrganizationApi implements ICredentialType {
  name = 'companyIntelligenceOrganizationApi';

  displayName = 'Company Intelligence Organization API';

  icon = icon;

  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-company-intelligence';

  properties = keyFields(
    'A key that belongs to your organization. It works for everything except lists.',
  );

  authenticate = authenticate;
}
