import { attack } from './matrix';

attack('PartnerGraph');
