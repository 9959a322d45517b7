import { Command, CommanderError, type Argument } from 'commander';
import type { Release } from '../release.js';
import { asProblem } from './engine-problem.js';
import { addAuditCommands } from './records/audit-commands.js';
import { addBackupCommands } from './upkeep/backup-commands.js';
import { addBrandCommands } from './sites/brand-commands.js';
import { addCatalogueCommands } from './catalogue/catalogue-commands.js';
import { addCompletionCommand } from './completion-command.js';
import { addDataRoleCommands } from './upkeep/data-role-commands.js';
import { addDoctorCommand } from './upkeep/doctor-command.js';
import { addEventCommands } from './webhooks/event-commands.js';
import { examplesOf, GROUPS } from './examples.js';
import { addExportCommand } from './records/export-command.js';
import { CommandFailed, EXIT, WrongUsage } from './failure.js';
import { addFrameworkCommands } from './sites/framework-commands.js';
import { addIdempotencyCommands } from './upkeep/idempotency-commands.js';
import { addImportCommand } from './records/import-command.js';
import { addInstallationCommands } from './upkeep/installation-commands.js';
import { idsLast } from './sites/key-ids.js';
import { addKeyCommands } from './sites/key-commands.js';
import { addLedgerCommands } from './records/ledger-commands.js';
import { addListenCommand } from './webhooks/listen-command.js';
import { addLogCommands } from './upkeep/log-commands.js';
import { addJournalCommand } from './sites/journal-command.js';
import { addOperatorCommands } from './sites/operator-commands.js';
import { addOperatorTokenCommands } from './sites/operator-token-commands.js';
import { addProjectionCommands } from './upkeep/projection-commands.js';
import { OPENING } from './opening.js';
import { Progress } from './progress.js';
import { addReceiptCommands } from './records/receipt-commands.js';
import { addScanCommand } from './catalogue/scan-command.js';
import { addRequestCommands } from './records/request-commands.js';
import { findServer, findSiteServer, type ServerOptions } from './server.js';
import { Show, type Sink } from './show.js';
import { addSiteCommands } from './sites/site-commands.js';
import { addSiteOriginCommands } from './sites/site-origin-commands.js';
import { addStatusCommand } from './upkeep/status-command.js';
import { addStatisticsCommands } from './records/statistics-commands.js';
import { addSubjectCommands } from './records/subject-commands.js';
import type { Surroundings } from './surroundings.js';
import { asksForJson, pathOf, usageProblem } from './usage.js';
import { addWebhookCommands } from './webhooks/webhook-commands.js';

/** No help is wider, however wide the terminal: long lines are hard to read. */
const HELP_WIDTH = 100;

const AFTER = `
Where the service is and who asks, in this order:
  --url, ASSENT_URL, then the address in <ASSENT_DATA>/demo.json (default ./data)
  --token-file, --token, ASSENT_OPERATOR_TOKEN, ASSENT_OPERATOR_TOKEN_FILE, then the token in
  demo.json, for its address only
  commands of a site's owner take a secret key instead: --key-file, --key, ASSENT_SECRET_KEY,
  ASSENT_SECRET_KEY_FILE, then that in demo.json

Commands on the engines ask no service. They use its settings: DATABASE_URL, ESDB_URL,
ASSENT_MASTER_KEY and the others; where DATABASE_URL is not set, the database of the service
that runs on ASSENT_DATA.

Exit code:
  0  done
  1  refused, failed, or found something wrong
  2  called wrongly
  3  catalogue diff: there are differences
  4  import: done, and some rows were rejected
  5  scan: nothing was scanned, such as where a page cannot be read

Colours only on a terminal, and not with NO_COLOR. Every command has --help with an example.`;

/** The release that the command belongs to. `release` brings the whole service with it, half a second. */
export interface Built {
  version: string;
  release: () => Promise<Release>;
}

/**
 * Runs the `assent` command and answers its exit code. Never throws, and never shows the token. Only commands that work on
 * the engines call `release`.
 */
export async function runCommandLine(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { stdout, stderr }: { stdout: Sink; stderr: Sink },
  { version, release }: Built,
): Promise<number> {
  const show = new Show(stdout, stderr, env);
  show.json = asksForJson(args);
  // A program that reads the output, such as head, may close it early.
  show.onClosed(() => process.exit(0));
  if (args.length === 0) {
    stdout.write(OPENING);
    return EXIT.ok;
  }
  const program = new Command('assent');
  const surroundings: Surroundings = {
    show,
    server: ({ token } = { token: true }) => findServer(program.opts<ServerOptions>(), env, token),
    siteServer: (key) => findSiteServer({ ...program.opts<ServerOptions>(), ...key }, env),
    env,
    release,
    progress: (what) => new Progress(stderr, what),
  };
  addCommands(program.version(version), surroundings);
  /** The command that the arguments name, as far as they could be read. */
  let called = program;
  for (const command of withSubcommands(program)) {
    command
      .exitOverride((error) => {
        called = command;
        throw error;
      })
      .configureOutput({
        writeOut: (text) => stdout.write(text),
        // The error is shown below, in one form for all. Here comes only the help of a group that was called alone.
        writeErr: (text) => show.json || stderr.write(text),
        outputError: () => undefined,
        getOutHelpWidth: () => Math.min(stdout.columns ?? HELP_WIDTH, HELP_WIDTH),
        getErrHelpWidth: () => Math.min(stderr.columns ?? HELP_WIDTH, HELP_WIDTH),
        getOutHasColors: () => false,
        getErrHasColors: () => false,
      });
  }
  program.hook('preAction', (_, command) => {
    called = command;
    // The arguments alone cannot say whether --json is the value of another option.
    show.json = command.optsWithGlobals<{ json?: boolean }>().json === true;
  });
  try {
    await program.parseAsync(idsLast(args), { from: 'user' });
    return show.exitCode;
  } catch (error) {
    return exitCodeOf(error, show, called, args);
  }
}

/** The whole tree of commands. */
export function addCommands(program: Command, surroundings: Surroundings): void {
  program
    .description('Operates an Assent service: sites, keys, purposes, subjects, and what it all stands on.')
    .option('--url <url>', 'address of the service')
    .option('--token-file <file>', 'file that holds the operator token; - for standard input')
    .option('--token <token>', 'operator token; other users of the machine can see it here, not in a file')
    .addHelpText('after', AFTER);
  for (const add of [
    addStatusCommand,
    addSiteCommands,
    addSiteOriginCommands,
    addBrandCommands,
    addKeyCommands,
    addOperatorTokenCommands,
    addOperatorCommands,
    addJournalCommand,
    addCatalogueCommands,
    addScanCommand,
    addWebhookCommands,
    addDoctorCommand,
    addProjectionCommands,
    addLedgerCommands,
    addLogCommands,
    addIdempotencyCommands,
    addInstallationCommands,
    addSubjectCommands,
    addRequestCommands,
    addStatisticsCommands,
    addFrameworkCommands,
    addAuditCommands,
    addReceiptCommands,
    addEventCommands,
    addListenCommand,
    addExportCommand,
    addImportCommand,
    addBackupCommands,
    addDataRoleCommands,
    addCompletionCommand,
  ])
    add(program, surroundings);
  program.addHelpCommand(
    new Command('help').argument('[command]').description('how a command is called').helpGroup(GROUPS['completion']!),
  );
  for (const command of program.commands) command.helpGroup(GROUPS[command.name()]!);
  for (const command of withSubcommands(program)) {
    const examples = examplesOf(pathOf(command).join(' '));
    command.configureHelp({ subcommandTerm });
    command.option('--json', 'print one JSON document, errors included');
    if (examples.length > 0)
      command.addHelpText('after', `\nExamples:\n${examples.map((text) => `  ${text}\n`).join('')}`);
  }
}

/** Every command has options; saying so of each would hide the names. */
const subcommandTerm = (command: Command): string =>
  [command.name(), ...command.registeredArguments.map((argument) => nameOf(argument))].join(' ');

const nameOf = (argument: Argument): string => {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
};

export const withSubcommands = (command: Command): Command[] => [command, ...command.commands.flatMap(withSubcommands)];

function exitCodeOf(error: unknown, show: Show, called: Command, args: readonly string[]): number {
  if (error instanceof CommandFailed) {
    show.failure(error);
    return error.exitCode;
  }
  if (error instanceof WrongUsage || error instanceof CommanderError) {
    const problem = usageProblem(error, called, args);
    if (problem === null) return EXIT.ok;
    // The help that was shown instead says it too.
    if (show.json || (error as CommanderError).code !== 'commander.help') show.usage(problem);
    return EXIT.usage;
  }
  show.failure(
    asProblem(error as Error) ??
      new CommandFailed({
        code: 'failed',
        message: (error as Error).message,
        hint: 'This is not a refusal of the service but a fault of the command or of this machine.',
        issues: [],
      }),
  );
  return EXIT.failed;
}
