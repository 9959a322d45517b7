import { dirname } from 'node:path';
import type { Command } from 'commander';
import { parseInstant, type Instant } from '../../../kernel/index.js';
import type { BundleWanted } from '../../bundle/question.js';
import { environmentOf } from '../environment.js';
import { newFile } from './export-sink.js';
import { WrongUsage } from '../failure.js';
import { envOption, operatorOption, siteOption } from '../options.js';
import type { Surroundings } from '../surroundings.js';

interface BundleOptions {
  subject?: string;
  since?: string;
  through?: string;
  site: string;
  env: string;
  readsUntil?: string;
  withPersonalData?: boolean;
  out: string;
  operator?: string;
}

export function addBundleCommand(audit: Command, { show, env, release, progress }: Surroundings): void {
  audit
    .command('bundle')
    .description(
      'one archive for an auditor: records, texts that were shown, receipts, keys, rules, a page to read, and a verifier that needs nothing but Node.js; people stay pseudonyms',
    )
    .option('--subject <ref>', 'about whom: <kind>:<value>, or subject:sub_…')
    .option('--since <timestamp>', 'all that was recorded from then on, such as 2026-11-01T00:00:00Z')
    .option('--through <position>', 'only up to this position: the same log then gives the same bytes')
    .addOption(siteOption())
    .addOption(envOption())
    .option(
      '--reads-until <timestamp>',
      'list who read what in the hours before, and which deliveries had ended; default: before the last event',
    )
    .option('--with-personal-data', 'personal fields of records in clear; what was erased stays erased')
    .requiredOption('--out <file>', 'into a new file of mode 0600')
    .addOption(operatorOption())
    .action(async (options: BundleOptions) => {
      const wanted = wantedOf(options);
      const [{ withEngines }, { makeBundle }, { operatorOf }] = await Promise.all([
        import('../../engines.js'),
        import('../../bundle/make-bundle.js'),
        import('../../operations.js'),
      ]);
      const bar = progress('bundling');
      const sink = await newFile(options.out);
      const used = await release();
      const made = await withEngines(used, env, (engines) =>
        makeBundle(
          engines,
          { signer: used.signerOf(engines), proven: used.ledgerOf(engines) },
          { ...wanted, by: operatorOf(options.operator) },
          dirname(options.out),
          (chunk) => sink.write(chunk),
          (share, events) => bar.show(share, events, 'events'),
        ),
      )
        .catch(async (error: unknown) => {
          await sink.abandon();
          throw error;
        })
        .finally(() => bar.end());
      await sink.close();
      const { records, receipts, texts, bytes, sha256 } = made;
      show.result({ ...made, file: options.out }, () => {
        show.table(
          ['EVENTS', 'RECEIPTS', 'TEXTS', 'BYTES', 'LOG THROUGH', 'SHA-256'],
          [[records, receipts, texts, bytes, made.through ?? '', sha256]],
        );
        show.line('unpack it, and run: node verify.mjs');
      });
    });
}

function wantedOf({
  subject,
  since,
  through,
  readsUntil,
  site,
  env,
  withPersonalData = false,
}: BundleOptions): Omit<BundleWanted, 'by'> {
  if ((subject === undefined) === (since === undefined))
    throw new WrongUsage('Say about whom (--subject) or from when on (--since).');
  if (through !== undefined && !/^\d{1,19}$/.test(through)) throw new WrongUsage('A position is a whole number.');
  const [from, reads] = [instant('--since', since), instant('--reads-until', readsUntil)];
  return {
    of: subject === undefined ? { since: from! } : { subject },
    scope: { site, env: environmentOf(env) },
    through: through === undefined ? null : BigInt(through),
    readsUntil: reads,
    withPersonalData,
  };
}

function instant(option: string, text: string | undefined): Instant | null {
  const at = text === undefined ? null : parseInstant(text);
  if (text !== undefined && at === null) throw new WrongUsage(`${option} is a time such as 2026-11-01T00:00:00Z.`);
  return at;
}
