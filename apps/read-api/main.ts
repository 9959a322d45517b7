import { orExplain } from '../../libs/composition/process.js';
import { startRole } from '../../libs/composition/single-role.js';

await orExplain(startRole('read-api', process.env));
