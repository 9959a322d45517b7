import { orExplain } from '../../libs/composition/process.js';
import { startStandalone } from '../../libs/composition/standalone.js';

await orExplain(startStandalone(process.env));
