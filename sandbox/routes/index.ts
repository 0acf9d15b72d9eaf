import type { Endpoint } from '../endpoint';
import { companyEndpoints } from './companies';
import { enrichmentEndpoints } from './enrichment';
import { flagEndpoints } from './flags';
import { jobEndpoints } from './jobs';
import { accessEndpoints } from './lists/access';
import { definitionEndpoints } from './lists/definitions';
import { manageEndpoints } from './lists/manage';
import { memberEndpoints } from './lists/members';
import { openEndpoints } from './open';
import { partnershipEndpoints } from './partnerships';
import { technologyEndpoints } from './technologies';

/** Every endpoint of the service: first the 34 of the API spec, then the chosen ones. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...companyEndpoints,
  ...jobEndpoints,
  ...flagEndpoints,
  ...technologyEndpoints,
  ...partnershipEndpoints,
  ...enrichmentEndpoints,
  ...manageEndpoints,
  ...definitionEndpoints,
  ...memberEndpoints,
  ...accessEndpoints,
  ...openEndpoints,
];
