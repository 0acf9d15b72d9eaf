import { attack } from './matrix';

attack('BulkEnrich');
