import type { Endpoint } from '../endpoint';
import { companyEndpoints } from './companies';
import { enrichmentEndpoints } from './enrichment';
import { requestEndpoints } from './requests';
import { accessEndpoints } from './lists/access';
import { definitionEndpoints } from './lists/definitions';
import { manageEndpoints } from './lists/manage';
import { memberEndpoints } from './lists/members';
import { partnershipEndpoints } from './partnerships';
import { technologyEndpoints } from './technologies';

/** Every endpoint of the service: the 34 of the API spec, and a chosen one. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...companyEndpoints,
  ...requestEndpoints,
  ...technologyEndpoints,
  ...partnershipEndpoints,
  ...enrichmentEndpoints,
  ...manageEndpoints,
  ...definitionEndpoints,
  ...memberEndpoints,
  ...accessEndpoints,
];
