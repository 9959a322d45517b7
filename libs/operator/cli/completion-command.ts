import { Argument, type Command } from 'commander';
import { completionScript, SHELLS, type Shell } from './completion.js';
import type { Surroundings } from './surroundings.js';

export function addCompletionCommand(program: Command, { show }: Surroundings): void {
  program
    .command('completion')
    .description('a script that completes commands, options and their values in your shell')
    .addArgument(new Argument('<shell>', 'which').choices([...SHELLS]))
    .action(async (shell: Shell) => {
      const script = completionScript(shell, program);
      if (show.json) show.result({ shell, script }, () => undefined);
      // Awaited: a pipe takes a part at first, and the process would end before the rest is written.
      else await show.write(script);
    });
}
