import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addAuditCommands } from './audit-commands.js';
import { addBackupCommands } from './backup-commands.js';
import { addBrandCommands } from './brand-commands.js';
import { addCatalogueCommands } from './catalogue-commands.js';
import type { Release } from '../release.js';
import { CommandFailed, EXIT, failed, WrongUsage, type Problem } from './failure.js';
import { addDataRoleCommands } from './data-role-commands.js';
import { addDoctorCommand } from './doctor-command.js';
import { addExportCommand } from './export-command.js';
import { addIdempotencyCommands } from './idempotency-commands.js';
import { addInstallationCommands } from './installation-commands.js';
import { addKeyCommands } from './key-commands.js';
import { addOperatorTokenCommands } from './operator-token-commands.js';
import { addProjectionCommands } from './projection-commands.js';
import { Progress } from './progress.js';
import { findServer, type ServerOptions } from './server.js';
import { Show, type Sink } from './show.js';
import { addSiteCommands } from './site-commands.js';
import { addSiteOriginCommands } from './site-origin-commands.js';
import { addStatusCommand } from './status-command.js';
import type { Surroundings } from './surroundings.js';

/** Of the built file; importing the service for its version would cost the command half a second. */
const VERSION = (
  JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

const AFTER = `
Where the service is and who asks, in this order:
  --url, ASSENT_URL, then the address in <ASSENT_DATA>/demo.json (default ./data)
  --token, ASSENT_OPERATOR_TOKEN, then the token in that file, for its address only

Commands on the engines (migrate, demo, projections, idempotency, audit, export, backup, restore, data-role, doctor) ask
no service. They use its settings: DATABASE_URL, ESDB_URL, ASSENT_MASTER_KEY and the others; where DATABASE_URL is not
set, the database of the service that runs on ASSENT_DATA.

Exit code: 0 done, 1 refused or failed, 2 called wrongly.`;

/** Runs the `assent` command and answers its exit code. Never throws, never shows the token. `release` is called only by commands that work on the engines. */
export async function runCommandLine(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { stdout, stderr }: { stdout: Sink; stderr: Sink },
  release: () => Promise<Release>,
): Promise<number> {
  const show = new Show(stdout, stderr, env);
  const program = new Command('assent')
    .description('operate an Assent service')
    .version(VERSION)
    .option('--url <url>', 'address of the service')
    .option(
      '--token <token>',
      'operator token; better in ASSENT_OPERATOR_TOKEN, which other users of the machine cannot see',
    )
    .option('--json', 'print one JSON document, errors included')
    .addHelpText('after', AFTER);
  const surroundings: Surroundings = {
    show,
    server: ({ token } = { token: true }) => findServer(program.opts<ServerOptions>(), env, token),
    env,
    release,
    progress: (what) => new Progress(stderr, what),
  };
  for (const add of [
    addStatusCommand,
    addCatalogueCommands,
    addSiteCommands,
    addSiteOriginCommands,
    addBrandCommands,
    addKeyCommands,
    addOperatorTokenCommands,
    addInstallationCommands,
    addProjectionCommands,
    addIdempotencyCommands,
    addAuditCommands,
    addExportCommand,
    addBackupCommands,
    addDataRoleCommands,
    addDoctorCommand,
  ])
    add(program, surroundings);
  for (const command of withSubcommands(program)) {
    command
      .exitOverride()
      .configureOutput({
        writeOut: (text) => stdout.write(text),
        writeErr: (text) => stderr.write(text),
        getOutHasColors: () => false,
        getErrHasColors: () => false,
      });
    if (command !== program) command.option('--json', 'print one JSON document, errors included');
  }
  program.hook(
    'preAction',
    (_, command) => void (show.json = command.optsWithGlobals<{ json?: boolean }>().json === true),
  );
  try {
    await program.parseAsync(args, { from: 'user' });
    return show.exitCode;
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
  if (error instanceof CommanderError)
    return error.code === 'commander.helpDisplayed' || error.code === 'commander.version' ? EXIT.ok : EXIT.usage;
  const known = asProblem(error as Error);
  if (known) {
    show.failure(known);
    return EXIT.failed;
  }
  show.failure(
    new CommandFailed({
      code: 'failed',
      message: (error as Error).message,
      hint: 'This is not a refusal of the service but a fault of the command or of this machine.',
      issues: [],
    }),
  );
  return EXIT.failed;
}

/** Errors of the engines, recognised by name: importing their classes would cost half a second, and most commands do without. */
function asProblem(error: Error): CommandFailed | null {
  if (error.name === 'Refused') return new CommandFailed((error as Error & { refusal: Problem }).refusal);
  if (error.name === 'StartRefused') return new CommandFailed(ofStart(error.message));
  if (error.name === 'DependencyUnavailable')
    return failed(
      'dependency_unavailable',
      `The ${(error as Error & { dependency: string }).dependency} does not answer.`,
      'Check with assent doctor.',
    );
  if (error.name === 'LogUnavailable')
    return failed(
      'dependency_unavailable',
      `${error.message[0]!.toUpperCase()}${error.message.slice(1)}.`,
      'Check with assent doctor.',
    );
  return null;
}

/** `What is wrong; what to do.`, or several settings, one a line: `- NAME what is wrong with it.` */
function ofStart(text: string): Problem {
  const [first = '', ...lines] = text.split('\n');
  const issues = lines
    .map((line) => /^- (\S+) (.*)$/.exec(line))
    .flatMap((found) => (found ? [{ path: found[1]!, message: found[2]! }] : []));
  if (issues.length > 0)
    return { code: 'not_possible', message: first.replace(/:$/, '.'), hint: 'Correct these settings.', issues };
  const at = first.indexOf('; ');
  if (at < 0)
    return { code: 'not_possible', message: first, hint: 'See the settings in the documentation.', issues: [] };
  return {
    code: 'not_possible',
    message: `${first.slice(0, at)}.`,
    hint: first[at + 2]!.toUpperCase() + first.slice(at + 3),
    issues: [],
  };
}
