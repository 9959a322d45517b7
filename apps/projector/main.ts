import { orExplain } from '../../libs/composition/process.js';
import { startRole } from '../../libs/composition/single-role.js';

await orExplain(startRole('projector', process.env));
