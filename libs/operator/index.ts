export { runCommandLine } from './cli/program.js';
