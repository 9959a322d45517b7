import { orExplain } from '../../libs/roles/process.js';
import { startStandalone } from '../../libs/roles/standalone.js';

await orExplain(startStandalone(process.env));
