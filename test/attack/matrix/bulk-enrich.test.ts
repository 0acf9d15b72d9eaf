import { attack } from './matrix';

// The node with the most variants, in a file of its own, because files run at the same time.
attack('BulkEnrich');
