import { runAssent } from '../../libs/roles/command-line.js';

process.exitCode = await runAssent(process.argv.slice(2), process.env, process);
