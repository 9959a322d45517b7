import { InvalidArgumentError, Option, type Command } from 'commander';
import { readFile } from 'node:fs/promises';
import type { Environment } from '../../../kernel/index.js';
import type { ShownSubject } from '../../subject-shown.js';
import { toTheMinute } from '../instants.js';
import { envOption, operatorOption, siteOption } from '../options.js';
import type { Surroundings } from '../surroundings.js';
import type { Format } from '../table.js';

/** Longest timeline that can be asked for. */
const MOST_EVENTS = 10_000;

interface ShowOptions {
  site: string;
  env: Environment;
  identifiers: 'masked' | 'clear';
  events: number;
  operator?: string;
}

const COLOURS: Readonly<Record<string, Format>> = {
  GRANTED: 'green',
  ACKNOWLEDGED: 'green',
  DENIED: 'red',
  WITHDRAWN: 'red',
  OBJECTED: 'red',
  PENDING: 'yellow',
  EXPIRED: 'yellow',
};

export function addSubjectCommands(program: Command, { show, env, release }: Surroundings): void {
  program
    .command('subjects')
    .description('what is known of one person; works on the database and the log directly')
    .command('show <ref>')
    .description(
      'who it is, what holds for each purpose and preference, and what happened, newest first; it is recorded who looked',
    )
    .addOption(siteOption())
    .addOption(envOption())
    .addOption(
      new Option('--identifiers <how>', 'how identifiers are shown').choices(['masked', 'clear']).default('masked'),
    )
    .option('--events <count>', 'longest timeline', wholeNumber, 50)
    .addOption(operatorOption())
    .action(async (ref: string, { site, env: environment, identifiers, events, operator }: ShowOptions) => {
      const subject = ref === '-' ? (await readFile('/dev/stdin', 'utf8')).trim() : ref;
      const [{ withEngines }, { showSubject }, { operatorOf }] = await Promise.all([
        import('../../engines.js'),
        import('../../subject-shown.js'),
        import('../../operations.js'),
      ]);
      const shown = await withEngines(await release(), env, (engines) =>
        showSubject(engines, {
          subject,
          scope: { site, env: environment },
          identifiers: identifiers === 'clear' ? 'CLEAR' : 'MASKED',
          most: events,
          by: operatorOf(operator),
        }),
      );
      show.result(shown, () => inWords(shown));
    });

  function inWords({ id, site, env: environment, family, ...shown }: ShownSubject): void {
    const coloured = (state: unknown) => show.coloured(COLOURS[String(state)] ?? [], String(state));
    const time = (at: unknown): string =>
      at === null || at === undefined ? '' : toTheMinute(new Date(at as string).toISOString());
    show.line(`${show.paint('bold', id)}  ${site} ${environment}`);
    if (family.length > 0) show.line(`merged with it: ${family.join(', ')}`);
    show.line('');
    show.table(
      ['IDENTIFIER', 'VALUE', 'VERIFIED', 'SINCE'],
      shown.identifiers.map(({ kind, value, verified, addedAt }) => [
        kind,
        value ?? '(forgotten)',
        verified ? 'yes' : 'no',
        time(addedAt),
      ]),
    );
    if (shown.consents.length > 0) {
      show.line('');
      show.table(
        ['PURPOSE', 'STATE', 'VERSION', 'GIVEN', 'UNTIL'],
        shown.consents.map((each) => [
          String(each['purpose']),
          coloured(each['state']),
          String(each['purpose_version']),
          time(each['given_at']),
          time(each['expires_at']),
        ]),
      );
    }
    if (shown.preferences.length > 0) {
      show.line('');
      show.table(
        ['CHANNEL', 'TOPIC', 'STATE', 'SINCE', 'MAY BE SENT'],
        shown.preferences.map((each) => [
          String(each['channel']),
          String(each['topic']),
          coloured(each['state']),
          time(each['since']),
          each['sendable'] === true ? 'yes' : `no: ${String(each['blocked_by'])}`,
        ]),
      );
    }
    show.line('');
    show.table(
      ['WHEN', 'WHAT', '', 'BY'],
      shown.timeline.map(({ at, type, what, actor }) => {
        const decision = Object.keys(COLOURS).find((word) => what.includes(` ${word}`));
        return [toTheMinute(at), type, decision === undefined ? what : show.coloured(COLOURS[decision]!, what), actor];
      }),
    );
    const left = shown.events - shown.timeline.length;
    if (left > 0) show.line(`\n${left} older; ask for more with --events`);
  }
}

function wholeNumber(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > MOST_EVENTS)
    throw new InvalidArgumentError(`It is a whole number from 1 to ${MOST_EVENTS}.`);
  return count;
}
