// Ends whatever still runs out of the folder of a test run, and removes the folder, which is the first argument.
import { closeRunFolder } from './leftovers.mjs';

await closeRunFolder(process.argv[2], 0);
