import { runCommandLine } from '../../libs/roles/cli/program.js';

process.exitCode = await runCommandLine(process.argv.slice(2), process.env, process);
