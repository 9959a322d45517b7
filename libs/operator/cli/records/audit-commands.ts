import { Option, type Command } from 'commander';
import { parseInstant } from '../../../kernel/index.js';
import type { ExportFormat, ExportWanted } from '../../export/export.js';
import { addBundleCommand } from './bundle-command.js';
import { environmentOf } from '../environment.js';
import { exportFormat } from './export-format.js';
import { newFile, standardOutput } from './export-sink.js';
import { WrongUsage } from '../failure.js';
import { envOption, onlyEnvOption, operatorOption, siteOption } from '../options.js';
import { addReadsCommand } from './reads-command.js';
import type { Surroundings } from '../surroundings.js';

const FORMATS: readonly [ExportFormat, ExportFormat] = ['jsonl', 'csv'];

interface ExportOptions {
  subject?: string;
  since?: string;
  through?: string;
  site?: string;
  env?: string;
  format?: string;
  withPersonalData?: boolean;
  out?: string;
  operator?: string;
}

export function addAuditCommands(program: Command, surroundings: Surroundings): void {
  const { show, env, release, progress } = surroundings;
  const audit = program.command('audit').description('what the log proves; works on the database and the log directly');

  audit
    .command('export')
    .description(
      'replay what was recorded, in the order of the log: one subject with its personal data, or everything since a time',
    )
    .option('--subject <ref>', 'whose: <kind>:<value>, or subject:sub_…')
    .option('--since <timestamp>', 'all that was recorded from then on, such as 2026-11-01T00:00:00Z')
    .option('--through <position>', 'only up to this position: the same log then gives the same bytes')
    .option('--site <site>', 'site; default with --subject: demo, with --since: all')
    .addOption(onlyEnvOption('environment; default with --subject: test, with --since: both'))
    .option('--with-personal-data', 'with --since: personal fields in clear')
    .addOption(
      new Option('--format <format>', 'of the lines; default: by the ending of --out, else jsonl').choices(FORMATS),
    )
    .option('--out <file>', 'into a new file of mode 0600; else to standard output')
    .addOption(operatorOption())
    .action(async (options: ExportOptions) => {
      const wanted = wantedOf(options);
      if (show.json && options.out === undefined)
        throw new WrongUsage('--json tells about the export, which then needs a file: --out <file>.');
      const [{ withEngines }, { exportLog }, { operatorOf }] = await Promise.all([
        import('../../engines.js'),
        import('../../export/export.js'),
        import('../../operations.js'),
      ]);
      const bar = progress('exporting');
      const sink = options.out === undefined ? standardOutput(show) : await newFile(options.out);
      const exported = await withEngines(await release(), env, (engines) =>
        exportLog(
          engines,
          { ...wanted, by: operatorOf(options.operator) },
          (text) => sink.write(text),
          (share, events) => bar.show(share, events, 'events'),
        ),
      )
        .catch(async (error: unknown) => {
          await sink.abandon();
          throw error;
        })
        .finally(() => bar.end());
      await sink.close();
      const result = {
        ...exported,
        through: String(exported.through),
        format: wanted.format,
        file: options.out ?? null,
      };
      if (show.json) show.result(result, () => undefined);
      else
        show.note(
          `${exported.events.toLocaleString('en')} events, ${exported.bytes.toLocaleString('en')} bytes, log through ${result.through}, sha256 ${exported.sha256}`,
        );
    });

  addBundleCommand(audit, surroundings);

  audit
    .command('verify')
    .description(
      'prove that read models equal the log: fold every subject again and compare; exit code 1 on any difference',
    )
    .option('--subject <ref>', 'only this one')
    .addOption(siteOption())
    .addOption(envOption())
    .action(async ({ subject, site, env: environment }: { subject?: string; site: string; env: string }) => {
      const scope = { site, env: environmentOf(environment) };
      const [{ withEngines }, { verifyAll, verifySubject }] = await Promise.all([
        import('../../engines.js'),
        import('../../verify/verify.js'),
      ]);
      const bar = progress('verifying');
      const verified = await withEngines(await release(), env, (engines) =>
        subject === undefined
          ? verifyAll(engines, (share, events) => bar.show(share, events, 'events'))
          : verifySubject(engines, subject, scope),
      ).finally(() => bar.end());
      show.result(verified, () => {
        show.table(
          ['SUBJECTS', 'EVENTS', 'ROWS', 'LOG THROUGH', 'SECONDS', 'DIFFERENCES'],
          [
            [
              verified.subjects,
              verified.events,
              verified.rows,
              verified.through,
              verified.seconds.toFixed(1),
              verified.differences === 0 ? 'none' : show.coloured('red', String(verified.differences)),
            ],
          ],
        );
        if (verified.skipped.length > 0) show.line(`left out by operators: ${verified.skipped.join('; ')}`);
        if (verified.first.length === 0) return;
        show.line('');
        show.table(
          ['DIFFERENCE', 'WHERE', ''],
          verified.first.map(({ kind, where, detail }) => [kind, where, detail]),
        );
      });
      if (verified.differences > 0) show.exitCode = 1;
    });

  addReadsCommand(audit, surroundings);
}

function wantedOf({
  subject,
  since,
  through,
  site,
  env,
  format,
  out,
  withPersonalData = false,
}: ExportOptions): Omit<ExportWanted, 'by'> {
  if ((subject === undefined) === (since === undefined))
    throw new WrongUsage('Say whose (--subject) or from when on (--since).');
  if (through !== undefined && !/^\d{1,19}$/.test(through)) throw new WrongUsage('A position is a whole number.');
  const common = {
    through: through === undefined ? null : BigInt(through),
    format: exportFormat(FORMATS, { format, out }),
  };
  if (subject !== undefined)
    return { ...common, of: { subject, scope: { site: site ?? 'demo', env: environmentOf(env ?? 'test') } } };
  const instant = parseInstant(since!);
  if (instant === null) throw new WrongUsage('--since is a time such as 2026-11-01T00:00:00Z.');
  if (env !== undefined && site === undefined) throw new WrongUsage('--env goes with --site.');
  return {
    ...common,
    of: { since: instant, site: site ?? null, env: env === undefined ? null : environmentOf(env), withPersonalData },
  };
}
