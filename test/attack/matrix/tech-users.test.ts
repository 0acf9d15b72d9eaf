import { attack } from './matrix';

attack('TechUsers');
