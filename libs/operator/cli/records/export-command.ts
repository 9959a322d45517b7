import { Option, type Command } from 'commander';
import { parseInstant } from '../../../kernel/index.js';
import type { FlatExportWanted, FlatFormat } from '../../export/flat-export.js';
import { environmentOf } from '../environment.js';
import { exportFormat } from './export-format.js';
import { newFile, standardOutput } from './export-sink.js';
import { WrongUsage } from '../failure.js';
import { onlyEnvOption } from '../options.js';
import type { Surroundings } from '../surroundings.js';

const FORMATS: readonly [FlatFormat, FlatFormat] = ['csv', 'parquet'];

interface ExportOptions {
  format?: string;
  out?: string;
  site?: string;
  env?: string;
  since?: string;
}

export function addExportCommand(program: Command, { show, env, release, progress }: Surroundings): void {
  program
    .command('export <view>')
    .description(
      'a flat table of what stands now, as one file: current_consent, decisions, purposes or current_preferences; works on the database directly',
    )
    .addOption(
      new Option('--format <format>', 'of the file; default: by the ending of --out, else csv').choices(FORMATS),
    )
    .option('--out <file>', 'into a new file of mode 0600; else to standard output')
    .option('--site <site>', 'only of this site')
    .addOption(onlyEnvOption('only of this environment'))
    .option('--since <timestamp>', 'only what was recorded from then on, such as 2026-11-01T00:00:00Z')
    .action(async (name: string, options: ExportOptions) => {
      if (options.out === undefined && show.json)
        throw new WrongUsage('--json tells about the export, which then needs a file: --out <file>.');
      const wanted = wantedOf(options);
      const [{ withDatabase }, { exportView, viewNamed }, { projections }] = await Promise.all([
        import('../../engines.js'),
        import('../../export/flat-export.js'),
        release(),
      ]);
      const view = viewNamed(projections, name);
      if (wanted.since !== null && !('recorded_at' in view.columns))
        throw new WrongUsage(`--since does not go with ${name}, whose rows do not say when they were recorded.`);
      const bar = progress(`exporting ${name}`);
      const sink = options.out === undefined ? standardOutput(show) : await newFile(options.out);
      const exported = await withDatabase(env, (database) =>
        exportView(
          database,
          view,
          wanted,
          (chunk) => sink.write(chunk),
          (share, rows) => bar.show(share, rows, 'rows'),
        ),
      )
        .catch(async (error: unknown) => {
          await sink.abandon();
          throw error;
        })
        .finally(() => bar.end());
      await sink.close();
      const { rows, bytes, sha256 } = exported;
      if (show.json)
        show.result({ view: name, ...exported, format: wanted.format, file: options.out }, () => undefined);
      else show.note(`${rows.toLocaleString('en')} rows, ${bytes.toLocaleString('en')} bytes, sha256 ${sha256}`);
    });
}

function wantedOf({ format, out, site, env, since }: ExportOptions): FlatExportWanted {
  const from = since === undefined ? null : parseInstant(since);
  if (since !== undefined && from === null)
    throw new WrongUsage('--since is a time in UTC or with an offset, such as 2026-11-01T00:00:00Z.');
  return {
    site: site ?? null,
    env: env === undefined ? null : environmentOf(env),
    since: from,
    format: exportFormat(FORMATS, { format, out }),
  };
}
