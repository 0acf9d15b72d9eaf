import { attack } from './matrix';

attack('ApiRequest');
