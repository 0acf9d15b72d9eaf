import { running } from '../shared/nodes';

/** Name of the node in the tested workflows. */
export const NAME = 'Company List';

/** Lists that exist from the start and belong to the user. Everyone can use the first one. */
export const SHARED = 'lst_000001';
export const OWN = 'lst_000002';

export const companyList = running('companyList', NAME);
