import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { parseInstant, type Environment, type Instant } from '../../../kernel/index.js';
import type { InspectedFile } from '../../import/reading/import-files.js';
import type { ImportMap } from '../../import/mapping/import-map.js';
import type { ImportRecord, RecordKind } from '../../import/mapping/import-record.js';
import { CommandFailed, failed, WrongUsage } from '../failure.js';
import { envOption, keyOptions, siteOption } from '../options.js';
import type { KeyOptions } from '../server.js';
import type { Surroundings } from '../surroundings.js';
import { placePath } from '../webhooks/webhook-paths.js';
import { exitCodeOf, reported, type ImportMode } from './import-report.js';

const PLAIN = 'csv';
const CONCURRENCY_MAX = 16;
/** Records that --dry-run shows. */
const SAMPLES = 3;

interface ImportOptions extends KeyOptions {
  site: string;
  env: Environment;
  map: string;
  purpose?: ReadonlyMap<string, string | null>;
  kind?: string;
  givenAt?: Instant;
  zone?: string;
  dateFormat?: string;
  encoding?: string;
  dryRun?: boolean;
  check?: boolean;
  rejects?: string;
  resume?: boolean;
  concurrency: number;
}

export function addImportCommand(program: Command, { show, server, siteServer, progress }: Surroundings): void {
  const command = program
    .command('import <file...>')
    .description(
      'consents and preferences from elsewhere: CSV or JSON Lines, also gzip, of any size; a repeat records nothing twice',
    )
    .requiredOption(
      '--map <map>',
      'what the columns are: csv (they are called as the fields), onetrust, cookiebot, usercentrics, didomi, c15t, or a map of your own as a YAML file',
    )
    .addOption(siteOption())
    .addOption(envOption())
    .option(
      '--purpose <old=key>',
      'key of a purpose that the file calls otherwise; old= for none; repeatable',
      purposeNamed,
    )
    .option('--kind <kind>', 'kind of the identifiers, instead of that of the map: email, user_id, visitor_id, …')
    .option('--given-at <instant>', 'when it was said, for rows without a date; each record says so', instant)
    .option('--zone <zone>', 'zone of dates that name none, such as Europe/Berlin')
    .option('--date-format <format>', 'of dates: iso, unix, unix-ms, or such as "dd.MM.yyyy HH:mm"')
    .option('--encoding <encoding>', 'of files without a mark: utf-8 by default, windows-1252, …')
    .option('--dry-run', 'record nothing, and find all that is wrong; shows the first records as they would be sent')
    .option('--check', 'record nothing, and say whether all of the file is recorded; exit code 1 where it is not')
    .option('--rejects <file>', 'rejected rows as they came, with line and reason, into a new file of mode 0600')
    .option('--resume', 'go on where an interrupted import stopped')
    .addOption(
      new Option('--concurrency <n>', `batches under way at once, up to ${CONCURRENCY_MAX}`)
        .argParser(wholeNumber)
        .default(4),
    );
  for (const option of keyOptions()) command.addOption(option);
  command.action(async (files: string[], options: ImportOptions) => {
    const mode = modeOf(options);
    const run = await import('../../import/import.js');
    for (const file of files) statOf(file);
    const { text, map } = await mapOf(options);
    const purposes = options.purpose ?? new Map<string, string | null>();
    const source = { map, purposes, kind: options.kind ?? null, defaults: { dates: datesOf(options) } };
    const format = {
      encoding: options.encoding ?? map?.encoding ?? null,
      delimiter: map?.delimiter ?? null,
      header: map?.header ?? null,
    };
    if (!run.isEncoding(format.encoding ?? 'utf-8'))
      throw new WrongUsage('--encoding is the name of an encoding, such as windows-1252.');
    const inspected: InspectedFile[] = [];
    for (const file of files) inspected.push(await run.inspected(file, format));
    const [first] = inspected;
    for (const other of inspected)
      if (JSON.stringify(other.csv) !== JSON.stringify(first!.csv))
        throw new WrongUsage(`${other.path} has another header than ${first!.path}.`, 'Import them by two calls.');
    const maker = run.makerFor(source, first!.csv?.header ?? null, options.givenAt ?? null);
    if (Array.isArray(maker))
      throw new CommandFailed({
        code: 'map_does_not_fit',
        message: `The map ${options.map} does not fit ${first!.path}.`,
        hint: 'Correct the map, or rename the columns. Nothing was sent.',
        issues: maker,
      });

    const { key, keyFile, site, env } = options;
    const byKey = key !== undefined || keyFile !== undefined;
    const to = byKey ? await siteServer({ key, keyFile }) : await server();
    const root = byKey ? '/v1' : placePath({ site, env });
    const digest = await run.importDigest(files, [
      text,
      options.givenAt,
      options.kind,
      source.defaults,
      [...purposes],
      root,
      to.url,
    ]);
    const kept = mode === 'import' ? new run.ResumeFile(`${options.rejects ?? files[0]}.resume`, digest) : null;
    const from = options.resume ? foundIn(kept!) : null;
    const rejects =
      options.rejects === undefined ? null : new run.RejectsFile(options.rejects, first!.csv, from?.rejects ?? null);
    const samples: ImportRecord[] = [];
    const bar = progress(mode === 'import' ? 'importing' : 'checking');
    const tally = await run
      .runImport({
        files,
        format,
        maker,
        send: run.batchSender({
          server: to,
          pathOf: (kind: RecordKind) => `${root}/${kind === 'consent' ? 'consent' : 'preferences'}/batch`,
          dryRun: mode !== 'import',
          onWait: (why, seconds) => show.note(`waits ${seconds} s: ${why}`),
        }),
        concurrency: options.concurrency,
        rejects,
        resume: kept,
        done: from?.rows ?? 0,
        onProgress: (share, rows) => bar.show(share, rows, 'rows'),
        ...(mode === 'dry-run' && {
          onRecord: (record: ImportRecord) => void (samples.length < SAMPLES && samples.push(record)),
        }),
      })
      .finally(() => bar.end());
    kept?.remove();
    const about = { mode, files, map: options.map, site: byKey ? null : site, env: byKey ? null : env };
    reported(show, tally, {
      ...about,
      resumedAfter: from?.rows ?? 0,
      rejects: rejects && tally.rejectedRows > 0 ? options.rejects! : null,
      samples: samples.map(({ body }) => body),
    });
    show.exitCode = exitCodeOf(mode, tally);
  });

  function foundIn(kept: {
    path: string;
    find: () => { rows: number; rejects: number } | 'other' | null;
  }): { rows: number; rejects: number } | null {
    const found = kept.find();
    if (found === 'other')
      throw failed(
        'resume_other',
        `${kept.path} is of another import: of another file, map, option or place.`,
        'Call it as before, or without --resume: what is recorded already is not recorded twice.',
      );
    if (found === null) show.note(`no interrupted import: there is no ${kept.path}; begins at the first row`);
    return found;
  }
}

function modeOf({ dryRun, check, resume }: ImportOptions): ImportMode {
  if (dryRun && check) throw new WrongUsage('Either --dry-run or --check.');
  if (resume && (dryRun || check)) throw new WrongUsage('--resume goes with an import, not with --dry-run or --check.');
  return dryRun ? 'dry-run' : check ? 'check' : 'import';
}

function statOf(file: string): void {
  try {
    if (statSync(file).isFile()) return;
  } catch (error) {
    throw new WrongUsage(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  throw new WrongUsage(`${file} is no file.`);
}

const datesOf = ({ zone, dateFormat }: ImportOptions): { zone?: string; formats?: string[] } => ({
  ...(zone !== undefined && { zone }),
  ...(dateFormat !== undefined && { formats: [dateFormat] }),
});

/** The map that `--map` names, and what it was read from; null for a plain file. */
async function mapOf(options: ImportOptions): Promise<{ map: ImportMap | null; text: string }> {
  const [{ formatFault, isZone, PRESETS, presetNamed, readImportMap }, { readYamlFile }] = await Promise.all([
    import('../../import/import.js'),
    import('../../../catalogue/services.js'),
  ]);
  const { map: name, zone, dateFormat } = options;
  if (zone !== undefined && !isZone(zone)) throw new WrongUsage('--zone is an IANA time zone, such as Europe/Berlin.');
  const fault = dateFormat === undefined ? null : formatFault(dateFormat);
  if (fault)
    throw new WrongUsage(
      `--date-format ${fault}.`,
      'Write iso, unix, unix-ms, or a pattern such as "dd.MM.yyyy HH:mm".',
    );
  if (name === PLAIN) return { map: null, text: name };
  const defaults = { dates: datesOf(options) };
  if (Object.hasOwn(PRESETS, name))
    return { map: readImportMap(presetNamed(name), defaults) as ImportMap, text: PRESETS[name]! };
  if (!/\.(ya?ml|json)$/i.test(name))
    throw new WrongUsage(`--map is csv, ${Object.keys(PRESETS).join(', ')}, or a file that ends with .yaml.`);
  const file = await readYamlFile(dirname(name), basename(name));
  const map = file.problem === null ? readImportMap(file.content, defaults) : null;
  if (map !== null && !Array.isArray(map)) return { map, text: JSON.stringify(file.problem === null && file.content) };
  const issues =
    file.problem === null
      ? (map as { path: string; message: string }[]).map((issue) => ({
          ...issue,
          file: name,
          line: file.lineOf(issue.path),
        }))
      : [file.problem];
  throw new CommandFailed({
    code: 'map_unusable',
    message: `The map ${name} cannot be used, for ${issues.length} ${issues.length === 1 ? 'reason' : 'reasons'}.`,
    hint: 'Correct what is named here. The guide "Bring your consents with you" describes maps. Nothing was sent.',
    issues: issues.map(({ line, ...issue }) => ({ ...issue, ...(line !== null && { line }) })),
  });
}

function purposeNamed(
  text: string,
  before: ReadonlyMap<string, string | null> = new Map(),
): Map<string, string | null> {
  const at = text.lastIndexOf('=');
  if (at < 1) throw new InvalidArgumentError('It is old=key, such as statistics=analytics.');
  return new Map([...before, [text.slice(0, at), text.slice(at + 1) || null]]);
}

function instant(text: string): Instant {
  const at = parseInstant(text);
  if (at === null) throw new InvalidArgumentError('It is a time such as 2026-11-01T00:00:00Z.');
  return at;
}

function wholeNumber(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > CONCURRENCY_MAX)
    throw new InvalidArgumentError(`It is a whole number from 1 to ${CONCURRENCY_MAX}.`);
  return count;
}
