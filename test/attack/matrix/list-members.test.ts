import { attack } from './matrix';

attack('ListMembers');
