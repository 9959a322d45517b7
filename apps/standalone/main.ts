import { startStandalone } from '../../libs/roles/standalone.js';

await startStandalone(process.env);
