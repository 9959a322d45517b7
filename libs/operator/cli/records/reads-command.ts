import { InvalidArgumentError, type Command } from 'commander';
import { parseInstant, type Instant } from '../../../kernel/index.js';
import { environmentOf } from '../environment.js';
import { toTheMinute } from '../instants.js';
import { envOption, siteOption } from '../options.js';
import type { Surroundings } from '../surroundings.js';

/** Longest list that can be asked for. */
const MOST_READS = 100_000;

interface ReadsOptions {
  subject?: string;
  reader?: string;
  from?: Instant;
  to?: Instant;
  limit: number;
  site: string;
  env: string;
}

/** Under `assent audit`: lists who read which subject. */
export function addReadsCommand(audit: Command, { show, env, release }: Surroundings): void {
  audit
    .command('reads')
    .description('who read what of whom: secret keys over HTTP, operators at this command line; newest first')
    .option('--subject <ref>', 'of this one: <kind>:<value>, or subject:sub_…')
    .option('--reader <id>', 'by this one: key_…, or operator:<user>@<host>')
    .option('--from <timestamp>', 'read at or after, such as 2026-11-01T00:00:00Z', timestamp)
    .option('--to <timestamp>', 'read before', timestamp)
    .option('--limit <count>', 'longest list', wholeNumber, 200)
    .addOption(siteOption())
    .addOption(envOption())
    .action(async ({ subject, reader, from, to, limit, site, env: environment }: ReadsOptions) => {
      const [{ withEngines }, { showReads }] = await Promise.all([
        import('../../engines.js'),
        import('../../reads-shown.js'),
      ]);
      const shown = await withEngines(await release(), env, (engines) =>
        showReads(engines, {
          subject: subject ?? null,
          reader: reader ?? null,
          from: from ?? null,
          to: to ?? null,
          most: limit,
          site,
          env: environmentOf(environment),
        }),
      );
      show.result(shown, () => {
        show.table(
          ['HOUR', 'SUBJECT', 'READER', 'WHAT', 'READS', 'LAST'],
          shown.reads.map(({ hour, subjectId, reader: by, operation, reads, lastAt }) => [
            toTheMinute(hour),
            subjectId ?? '(all subjects)',
            by,
            operation,
            reads,
            toTheMinute(lastAt),
          ]),
        );
        if (shown.hasMore)
          show.line(`\nThere are more; ask for them with --limit, or with --to ${shown.reads.at(-1)!.hour}`);
      });
    });
}

function timestamp(text: string): Instant {
  const instant = parseInstant(text);
  if (instant === null) throw new InvalidArgumentError('It is a time such as 2026-11-01T00:00:00Z.');
  return instant;
}

function wholeNumber(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > MOST_READS)
    throw new InvalidArgumentError(`It is a whole number from 1 to ${MOST_READS}.`);
  return count;
}
