import { runAssent } from '../../libs/composition/command-line.js';

process.exitCode = await runAssent(process.argv.slice(2), process.env, process);
