import type { Command } from 'commander';
import type { ProjectionStatus } from '../../projections.js';
import { failed, WrongUsage } from '../failure.js';
import { operatorOption } from '../options.js';
import type { Cell, CellLine } from '../table.js';
import type { Surroundings } from '../surroundings.js';

interface By {
  operator?: string;
}

export function addProjectionCommands(program: Command, { show, env, release, progress }: Surroundings): void {
  const projections = program
    .command('projections')
    .description(
      'read models: how far they are, and how to set them right; works on the database and the log directly',
    );
  const state = ({ state }: ProjectionStatus): CellLine =>
    state === 'stopped' || state === 'awaiting' || state === 'missing'
      ? show.coloured('red', state)
      : state === 'building'
        ? show.coloured('yellow', state)
        : state;
  const poison = ({ poison: found }: ProjectionStatus): string =>
    found ? `${found.type ?? 'unknown'} at ${found.position}: ${found.error ?? ''}` : '';

  projections
    .command('status')
    .description('every read model and its generations; exit code 1 where one stands still')
    .action(async () => {
      const { withEngines, projectionStatus } = await operator();
      const data = await withEngines(await release(), env, projectionStatus);
      show.result({ data }, () =>
        show.table(
          ['PROJECTION', 'VERSION', 'BUILT', 'LIVE', 'STATE', 'POSITION', 'LOG AT', 'LAG', 'STOPPED BY'],
          data.map((each) => [
            each.name,
            each.version === each.wanted ? each.version : `${each.version} (release has ${each.wanted})`,
            each.rebuild,
            each.live ? 'yes' : 'no',
            state(each),
            each.position,
            each.head,
            `${each.lagSeconds} s${each.lagEvents === null ? '' : `, ${each.lagEvents} events`}`,
            poison(each),
          ]),
        ),
      );
      if (data.some((each) => each.poison !== null || each.state === 'missing')) show.exitCode = 1;
    });

  projections
    .command('rebuild <name>')
    .description(
      'build a read model anew from the log, beside the old one, and switch; reads never stop, nothing is sent',
    )
    .option('--verify', 'compare old and new rows at the same position, and keep the old ones where they differ')
    .addOption(operatorOption())
    .action(async (name: string, { verify = false, operator: who }: By & { verify?: boolean }) => {
      const { withEngines, rebuildProjection, operatorOf } = await operator();
      const bar = progress(`rebuilding ${name}`);
      const rebuilt = await withEngines(await release(), env, (engines) =>
        rebuildProjection(engines, name, operatorOf(who), verify, ({ position, head, folded }) =>
          bar.show(Number(position + 1n) / Number(head + 1n), folded, 'events'),
        ),
      ).finally(() => bar.end());
      const { generation, replaced, switched, position, events, builtMs, parity } = rebuilt;
      const eventsPerSecond = Math.round((events / Math.max(builtMs, 1)) * 1000);
      const result = {
        name,
        generation,
        replaced,
        switched,
        position: String(position),
        events,
        seconds: Math.round(builtMs) / 1000,
        eventsPerSecond,
        parity: parity && { ...parity, position: String(parity.position) },
      };
      show.result(result, () => {
        const rows: Cell[][] = [
          [
            'events',
            `${events.toLocaleString('en')} in ${(builtMs / 1000).toFixed(1)} s, ${eventsPerSecond.toLocaleString('en')} a second`,
          ],
          ['generation', `version ${generation.version}, built anew ${generation.rebuild} times`],
          ['position', String(position)],
        ];
        if (parity)
          rows.push(
            [parity.equal ? 'equal at' : show.coloured('red', 'differs at'), `position ${parity.position}`],
            ['old rows', `${parity.old.rows}, checksum ${parity.old.checksum}`],
            ['new rows', `${parity.new.rows}, checksum ${parity.new.checksum}`],
          );
        if (parity && !parity.equal) rows.push(['first keys', parity.keys.join(' ')]);
        show.table([`${name.toUpperCase()} ${switched ? 'REBUILT' : 'NOT REPLACED'}`, ''], rows);
      });
      if (switched) return;
      if (show.json) show.exitCode = 1;
      else
        throw failed(
          'rows_differ',
          'The new rows differ from the old ones, which are still shown.',
          'Find out why: were rows changed by hand, or is the fold another without a new version? To replace them all the same, rebuild without --verify.',
        );
    });

  projections
    .command('resume <name>')
    .description('let a read model try again the event that stopped it')
    .addOption(operatorOption())
    .action(async (name: string, { operator: who }: By) => {
      const { withEngines, resumeProjection, operatorOf } = await operator();
      await withEngines(await release(), env, (engines) => resumeProjection(engines, name, operatorOf(who)));
      show.result({ name, resumed: true }, () => show.line(`${name} tries again; see assent projections status.`));
    });

  projections
    .command('skip <name> <position>')
    .description('leave out the event that stops a read model, for good; the position says that you have looked at it')
    .option('--everywhere', 'leave it out of all read models, folds and histories: the event itself must not count')
    .addOption(operatorOption())
    .action(
      async (name: string, position: string, { everywhere = false, operator: who }: By & { everywhere?: boolean }) => {
        if (!/^\d{1,19}$/.test(position)) throw new WrongUsage(`A position is a whole number; "${position}" is not.`);
        const { withEngines, skip, operatorOf } = await operator();
        const skipped = await withEngines(await release(), env, (engines) =>
          skip(engines, name, BigInt(position), operatorOf(who), everywhere),
        );
        show.result({ name, skipped }, () =>
          show.line(
            `${skipped.everywhere ? 'Every reader of the log' : name} leaves out ${skipped.type ?? 'the event'} at ${skipped.position}, and ${name} goes on.`,
          ),
        );
      },
    );
}

/** Loads the engines only for these commands: most do without them. */
async function operator() {
  const [engines, projections, skipping, operations] = await Promise.all([
    import('../../engines.js'),
    import('../../projections.js'),
    import('../../skip.js'),
    import('../../operations.js'),
  ]);
  return { ...engines, ...projections, ...skipping, ...operations };
}
