import type { Command } from 'commander';
import type { KeysRebuilt, KeysVerified } from '../../idempotency.js';
import { failed } from '../failure.js';
import type { Surroundings } from '../surroundings.js';

export function addIdempotencyCommands(program: Command, { show, env, release, progress }: Surroundings): void {
  program
    .command('idempotency')
    .description('the index of idempotency keys; works on the database and the log directly')
    .command('rebuild')
    .description(
      'write the index of idempotency keys, and of erased subjects, from the log: after its tables were lost',
    )
    .option('--verify', 'only compare the index with the log, and change nothing')
    .action(async ({ verify = false }: { verify?: boolean }) => {
      const [{ withEngines }, { rebuildKeys, verifyKeys }] = await Promise.all([
        import('../../engines.js'),
        import('../../idempotency.js'),
      ]);
      const bar = progress(verify ? 'comparing keys' : 'rebuilding keys');
      const look = (share: number, events: number): void => bar.show(share, events, 'events');
      const built = await release();
      if (!verify) {
        const done = await withEngines(built, env, (engines) => rebuildKeys(engines, look)).finally(() => bar.end());
        show.result(asJson(done), () => show.table(['KEYS REBUILT', ''], [...readRows(done), ...writtenRows(done)]));
        return;
      }
      const found = await withEngines(built, env, (engines) => verifyKeys(engines, look)).finally(() => bar.end());
      const equal = found.missing + found.other + found.erasedMissing === 0;
      show.result({ ...asJson(found), equal }, () =>
        show.table(
          [`KEYS ${equal ? 'EQUAL' : 'DIFFERENT'}`, ''],
          [
            ...readRows(found),
            ['missing', String(found.missing)],
            ['other', String(found.other)],
            ['erasures missing', String(found.erasedMissing)],
            ...found.first.map(({ key, fault }) => [fault.toLowerCase(), key]),
          ],
        ),
      );
      if (equal) return;
      if (show.json) show.exitCode = 1;
      else
        throw failed(
          'keys_differ',
          'The index of idempotency keys is not what the log says.',
          'Write it from the log: assent idempotency rebuild.',
        );
    });
}

const asJson = <T extends KeysRebuilt | KeysVerified>(read: T) => ({ ...read, through: String(read.through) });

const readRows = ({ events, keys, erased, through }: KeysRebuilt | KeysVerified): string[][] => [
  ['log read', `${events.toLocaleString('en')} events, through position ${through}`],
  ['keys on events', keys.toLocaleString('en')],
  ['erased subjects', erased.toLocaleString('en')],
];

const writtenRows = ({ written, erasedWritten }: KeysRebuilt): string[][] => [
  ['keys written', written.toLocaleString('en')],
  ['erasures written', erasedWritten.toLocaleString('en')],
];
