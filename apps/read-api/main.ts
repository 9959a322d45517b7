import { orExplain } from '../../libs/roles/process.js';
import { startRole } from '../../libs/roles/single-role.js';

await orExplain(startRole('read-api', process.env));
