import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addCatalogueCommands } from './catalogue-commands.js';
import { CommandFailed, EXIT, WrongUsage } from './failure.js';
import { addKeyCommands } from './key-commands.js';
import { findServer, type ServerOptions } from './server.js';
import { Show, type Sink } from './show.js';
import { addSiteCommands } from './site-commands.js';
import { addStatusCommand } from './status-command.js';
import type { Surroundings } from './surroundings.js';

/** Of the built file; importing the service for its version would cost the command half a second. */
const VERSION = (JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as { version: string }).version;

const AFTER = `
Where the service is and who asks, in this order:
  --url, ASSENT_URL, then the address in <ASSENT_DATA>/demo.json (default ./data)
  --token, ASSENT_OPERATOR_TOKEN, then the token in that file, for its address only

Exit code: 0 done, 1 refused or failed, 2 called wrongly.`;

/** Runs the `assent` command and answers its exit code. Never throws, never shows the token. */
export async function runCommandLine(args: readonly string[], env: NodeJS.ProcessEnv, { stdout, stderr }: { stdout: Sink; stderr: Sink }): Promise<number> {
  const show = new Show(stdout, stderr, env);
  const program = new Command('assent')
    .description('operate an Assent service')
    .version(VERSION)
    .option('--url <url>', 'address of the service')
    .option('--token <token>', 'operator token; better in ASSENT_OPERATOR_TOKEN, which other users of the machine cannot see')
    .option('--json', 'print one JSON document, errors included')
    .addHelpText('after', AFTER);
  const surroundings: Surroundings = { show, server: ({ token } = { token: true }) => findServer(program.opts<ServerOptions>(), env, token) };
  for (const add of [addStatusCommand, addCatalogueCommands, addSiteCommands, addKeyCommands]) add(program, surroundings);
  for (const command of withSubcommands(program)) {
    command.exitOverride().configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text), getOutHasColors: () => false, getErrHasColors: () => false });
    if (command !== program) command.option('--json', 'print one JSON document, errors included');
  }
  program.hook('preAction', (_, command) => void (show.json = command.optsWithGlobals<{ json?: boolean }>().json === true));
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    return exitCodeOf(error, show);
  }
}

const withSubcommands = (command: Command): Command[] => [command, ...command.commands.flatMap(withSubcommands)];

function exitCodeOf(error: unknown, show: Show): number {
  if (error instanceof CommandFailed) {
    show.failure(error);
    return EXIT.failed;
  }
  if (error instanceof WrongUsage) {
    show.usage(error.message);
    return EXIT.usage;
  }
  // Commander has said what is wrong by itself; help and version were asked for.
  if (error instanceof CommanderError) return error.code === 'commander.helpDisplayed' || error.code === 'commander.version' ? EXIT.ok : EXIT.usage;
  show.failure(new CommandFailed({ code: 'failed', message: (error as Error).message, hint: 'This is not a refusal of the service but a fault of the command or of this machine.', issues: [] }));
  return EXIT.failed;
}
