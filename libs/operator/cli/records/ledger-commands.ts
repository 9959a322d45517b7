import type { Command } from 'commander';
import type { LedgerBreak } from '../../../ledger/index.js';
import { operatorOption } from '../options.js';
import type { Surroundings } from '../surroundings.js';

export function addLedgerCommands(program: Command, { show, env, release, progress }: Surroundings): void {
  const ledger = program
    .command('ledger')
    .description('whether what was recorded is still what it was; works on the database and the log directly');

  ledger
    .command('verify')
    .description(
      'read the log, recompute every leaf, every root and every checkpoint that was ever signed; exit code 1 where anything does not fit, and the first break of each tree by name',
    )
    .action(async () => {
      const [{ withEngines }, { verifyLedger }, { noteUpkeep }] = await Promise.all([
        import('../../engines.js'),
        release(),
        import('../../health/upkeep.js'),
      ]);
      const bar = progress('verifying the ledger');
      const verified = await withEngines(await release(), env, async (engines) => {
        const done = await verifyLedger(engines, (share, leaves) => bar.show(share, leaves, 'leaves'));
        const { leaves, breaks } = done;
        await noteUpkeep(engines.database, 'LEDGER_VERIFIED', { leaves, breaks: breaks.length });
        return done;
      }).finally(() => bar.end());
      show.result(verified, () => {
        show.table(
          ['TREES', 'LEAVES', 'FORGOTTEN', 'CHECKPOINTS', 'LOG THROUGH', 'SECONDS', 'BREAKS'],
          [
            [
              verified.trees,
              verified.leaves,
              verified.forgotten,
              verified.checkpoints,
              verified.through,
              verified.seconds.toFixed(1),
              verified.breaks.length === 0 ? 'none' : show.coloured('red', String(verified.breaks.length)),
            ],
          ],
        );
        if (verified.breaks.length === 0) return;
        show.line('');
        show.table(
          ['BREAK', 'LEDGER', 'LEAF', 'POSITION', 'EVENT', 'CHANGED', ''],
          verified.breaks.map((each) => [
            each.kind,
            `${each.site} ${each.env}`,
            each.leaf ?? '',
            each.position ?? '',
            eventOf(each),
            WHAT_CHANGED[each.changed],
            each.detail,
          ]),
        );
      });
      if (verified.breaks.length > 0) show.exitCode = 1;
    });

  ledger
    .command('rebuild')
    .description(
      'have its tables built anew from the log, by the service; it comes to every root that was signed, or stops there',
    )
    .addOption(operatorOption())
    .action(async ({ operator }: { operator?: string }) => {
      const [{ withEngines }, { rebuildLedger }, { operatorOf, recordOperation }] = await Promise.all([
        import('../../engines.js'),
        release(),
        import('../../operations.js'),
      ]);
      await withEngines(await release(), env, async (engines) => {
        await recordOperation(engines, {
          type: 'ProjectionRebuilt',
          data: {
            by: operatorOf(operator),
            projection: 'ledger',
            version: 1,
            rebuild: 0,
            position: '-1',
            parity: 'UNVERIFIED',
            rows: null,
            checksum: null,
          },
        });
        await rebuildLedger(engines);
      });
      show.result({ begun: true }, () =>
        show.line('Begun. The service builds it from the beginning of the log; see assent ledger verify afterwards.'),
      );
    });
}

const WHAT_CHANGED = { LOG: 'the log', LEDGER: 'the ledger', UNKNOWN: 'not known' } as const;
const eventOf = ({ type, stream, revision }: LedgerBreak): string =>
  type === null ? '' : `${type} ${stream} ${revision}`;
