import { attack } from './matrix';

attack('CompanyList');
