import { running } from '../shared/nodes';

/** Name of the node in the tested workflows. */
export const NAME = 'Company List';
export const TYPE = 'n8n-nodes-company-intelligence.companyList';

/** Lists that exist from the start and belong to the user. Everyone can use the first one. */
export const SHARED = 'lst_000001';
export const OWN = 'lst_000002';
/** A list of another organization, which the user cannot see. */
export const INVISIBLE = 'lst_000003';

export const companyList = running('companyList', NAME);
