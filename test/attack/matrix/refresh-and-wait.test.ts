import { attack } from './matrix';

attack('RefreshAndWait');
