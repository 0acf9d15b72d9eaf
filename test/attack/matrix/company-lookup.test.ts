import { attack } from './matrix';

attack('CompanyLookup');
