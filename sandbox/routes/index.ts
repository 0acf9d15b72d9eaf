import type { Endpoint } from '../endpoint';
import { companyEndpoints } from './companies';
import { enrichmentEndpoints } from './enrichment';
import { listEndpoints } from './lists';
import { technologyEndpoints } from './technologies';

/** Every endpoint of the service, in the interface's order. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...companyEndpoints,
  ...technologyEndpoints,
  ...enrichmentEndpoints,
  ...listEndpoints,
];
