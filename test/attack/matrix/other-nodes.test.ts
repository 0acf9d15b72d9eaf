import { FOLDERS } from '../operations/variants';
import { attack } from './matrix';

for (const folder of FOLDERS.filter((one) => one !== 'BulkEnrich')) attack(folder);
