import { InvalidArgumentError, type Command } from 'commander';
import { toTheMinute } from '../instants.js';
import type { Surroundings } from '../surroundings.js';
import type { Cell } from '../table.js';

interface Entry {
  at: string;
  operator: { id: string; name: string | null } | null;
  site: string | null;
  env: string | null;
  target: { type: string; id: string | null } | null;
  summary: string;
  reason: string | null;
}
interface JournalPage {
  data: Entry[];
  nextCursor: string | null;
}

const PATH = '/admin/v1/journal';
/** Longest list that can be asked for. */
const ENTRIES_MAX = 100_000;
/** Most that one page of the service holds. */
const PAGE_MAX = 200;

/** Lists who did what. */
export function addJournalCommand(program: Command, { show, server }: Surroundings): void {
  program
    .command('journal')
    .description('who did what: changes by operators, sign-ins, and looks at persons, newest first')
    .option('--operator <id>', 'only what this one did: opt_…, opr_…, or <user>@<host> of a command')
    .option('--site <name>', 'only what concerns this site')
    .option('--env <env>', 'only what concerns test or live')
    .option('--action <action>', 'only this action, such as subject_erased')
    .option('--from <timestamp>', 'done at or after, such as 2026-11-01T00:00:00Z')
    .option('--to <timestamp>', 'done before')
    .option('--limit <count>', 'longest list', wholeNumber, 50)
    .action(async ({ limit, ...filter }: Record<string, string> & { limit: number }) => {
      const service = await server();
      const data: Entry[] = [];
      let cursor: string | null = null;
      do {
        const query = new URLSearchParams({ ...filter, limit: String(Math.min(limit - data.length, PAGE_MAX)) });
        if (cursor !== null) query.set('cursor', cursor);
        const page: JournalPage = await service.get<JournalPage>(`${PATH}?${query}`);
        data.push(...page.data);
        cursor = page.nextCursor;
      } while (cursor !== null && data.length < limit);
      show.result({ data, nextCursor: cursor, hasMore: cursor !== null }, () => {
        show.table(['AT', 'OPERATOR', 'WHERE', 'WHAT', 'TO', 'WHY'], data.map(row));
        if (cursor !== null) show.line(`\nThere are more; ask for them with --limit, or with --to ${data.at(-1)!.at}`);
      });
    });
}

const row = ({ at, operator, site, env, summary, target, reason }: Entry): Cell[] => [
  toTheMinute(at),
  operator === null ? '' : (operator.name ?? operator.id),
  site === null ? '' : env === null ? site : `${site}/${env}`,
  summary,
  target?.id ?? '',
  reason ?? '',
];

function wholeNumber(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > ENTRIES_MAX)
    throw new InvalidArgumentError(`It is a whole number from 1 to ${ENTRIES_MAX}.`);
  return count;
}
