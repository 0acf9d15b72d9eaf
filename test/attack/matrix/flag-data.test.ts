import { attack } from './matrix';

attack('FlagData');
