import type { Command } from 'commander';
import type { LogStatus } from '../../log-acceptance.js';
import { WrongUsage } from '../failure.js';
import { operatorOption } from '../options.js';
import type { Surroundings } from '../surroundings.js';

interface By {
  operator?: string;
}

/** What the operator types for a log without an event. */
const EMPTY = 'empty';

export function addLogCommands(program: Command, { show, env, release, progress }: Surroundings): void {
  const log = program
    .command('log')
    .description('whether the event log is the one that the service knows; works on the database and the log directly');

  log
    .command('status')
    .description(
      'what the log lacks of what is known of it, and what was lost; exit code 1 where it has to be accepted',
    )
    .action(async () => {
      const [{ withEngines }, { logStatus }] = await operator();
      const bar = progress('reading the log');
      const status = await withEngines(
        await release(),
        env,
        (engines) => logStatus(engines, (share, events) => bar.show(share, events, 'events')),
        { anyLog: true },
      ).finally(() => bar.end());
      show.result(status, () => {
        show.table([status.difference === null ? 'LOG' : 'LOG NOT ACCEPTED', ''], rowsOf(status));
        if (status.difference !== null)
          show.line(
            `\nWhat was recorded after the last event is lost with this log. Bring the right log back, or make this one the truth from now on: assent log accept ${status.last?.position ?? EMPTY}`,
          );
      });
      if (status.difference !== null) show.exitCode = 1;
    });

  log
    .command('accept <position>')
    .description(
      `this log is the truth from now on: everything that was made of the one before is made anew; the position of its last event (or "${EMPTY}") says that you have looked`,
    )
    .addOption(operatorOption())
    .action(async (position: string, { operator: who }: By) => {
      if (position !== EMPTY && !/^\d{1,19}$/.test(position))
        throw new WrongUsage(`A position is a whole number, or "${EMPTY}"; "${position}" is not.`);
      const [{ withEngines }, { acceptLog }, { operatorOf }] = await operator();
      const bar = progress('reading the log');
      const accepted = await withEngines(
        await release(),
        env,
        (engines) =>
          acceptLog(engines, position === EMPTY ? null : BigInt(position), operatorOf(who), (share, events) =>
            bar.show(share, events, 'events'),
          ),
        { anyLog: true },
      ).finally(() => bar.end());
      show.result({ accepted: true, ...accepted }, () => {
        show.table(['LOG ACCEPTED', ''], rowsOf(accepted));
        show.line('\nRunning processes begin anew now; read models are built from this log.');
      });
    });
}

function rowsOf({ difference, last, known, events, erasuresLost }: LogStatus): string[][] {
  const end = (of: LogStatus['last']): string =>
    of === null ? 'none' : `recorded at ${of.recordedAt}, position ${of.position}`;
  return [
    ['difference', difference ?? 'none'],
    ['events', events.toLocaleString('en')],
    ['last event', end(last)],
    ['last known event', end(known)],
    ['erasures lost', [erasuresLost.subjects.toLocaleString('en'), ...erasuresLost.first].join(' ')],
  ];
}

/** Loads the engines only for these commands: most do without them. */
const operator = () =>
  Promise.all([import('../../engines.js'), import('../../log-acceptance.js'), import('../../operations.js')]);
