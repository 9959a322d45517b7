import { Option, type Command } from 'commander';
import type { Environment } from '../../../kernel/index.js';
import type { ConsentStatisticsDto, StatisticsPeriodDto } from '../../../statistics/dto.js';
import { csvLine } from '../../export/csv.js';
import { WrongUsage } from '../failure.js';
import { envOption, siteOption } from '../options.js';
import type { Cell } from '../show.js';
import type { Surroundings } from '../surroundings.js';

interface ConsentOptions {
  site: string;
  env: Environment;
  by?: string;
  country?: string;
  split?: string;
  imported?: string;
  from?: string;
  to?: string;
  csv?: boolean;
  json?: boolean;
}

const COLUMNS = ['grants', 'refusals', 'withdrawals', 'expiries', 'grantShare', 'shown', 'unanswered'] as const;

export function addStatisticsCommands(program: Command, { show, server }: Surroundings): void {
  program
    .command('statistics')
    .description('counts, which name no person')
    .command('consent [purpose...]')
    .description(
      'how many agreed to purposes (without a name: to all) and how many did not; counts that would tell of fewer than ten are hidden',
    )
    .addOption(siteOption())
    .addOption(envOption())
    .addOption(new Option('--by <period>', 'what is counted together; default: day').choices(['day', 'week', 'month']))
    .option('--country <code>', 'only this country, by month')
    .addOption(
      new Option('--split <what>', 'each value of it by itself, by month').choices([
        'country',
        'method',
        'surface',
        'locale',
        'bannerVersion',
        'purposeVersion',
      ]),
    )
    .addOption(
      new Option('--imported <which>', 'imported and migrated records only, or none; default: without').choices([
        'only',
        'without',
      ]),
    )
    .option('--from <day>', 'from the period with this day, such as 2026-11-01')
    .option('--to <day>', 'to the period with this day')
    .option('--csv', 'print lines for a spreadsheet')
    .action(async (purposes: string[], { site, env, csv, json, ...asked }: ConsentOptions) => {
      if (csv && json) throw new WrongUsage('Either --csv or --json.');
      const query = new URLSearchParams(purposes.map((purpose): [string, string] => ['purpose', purpose]));
      for (const name of ['by', 'country', 'split', 'imported', 'from', 'to'] as const)
        if (asked[name] !== undefined) query.set(name, asked[name]);
      const path = `/admin/v1/sites/${encodeURIComponent(site)}/${env}/statistics/consent?${query}`;
      const found = await (await server()).get<ConsentStatisticsDto>(path);
      if (csv) return void (await show.write(inLines(found)));
      show.result(found, () => inWords(found));
    });

  function inWords({ through, by, country, smallest, periods, series }: ConsentStatisticsDto): void {
    table(null, by, periods);
    for (const { purpose, value, periods: own } of series) table(value ?? purpose, by, own);
    const of = country === null ? '' : ` of ${country}`;
    const isHidden = [periods, ...series.map((each) => each.periods)].some((each) =>
      each.some(({ suppressed }) => suppressed.length > 0),
    );
    show.line('');
    show.line(`Days of UTC${of}, counted up to ${through}.`);
    if (isHidden) show.line(`hidden: it would tell of fewer than ${smallest}.`);
  }

  function table(name: string | null, by: string, periods: readonly StatisticsPeriodDto[]): void {
    if (name !== null) {
      show.line('');
      show.line(name);
    }
    show.table(
      [by.toUpperCase(), 'GRANTS', 'REFUSALS', 'SHARE', 'WITHDRAWALS', 'EXPIRIES', 'SHOWN', 'UNANSWERED'],
      periods.map((period): Cell[] => [
        by === 'month' ? period.from.slice(0, 7) : period.from,
        number(period, 'grants'),
        number(period, 'refusals'),
        period.grantShare === null ? '' : share(period.grantShare),
        number(period, 'withdrawals'),
        number(period, 'expiries'),
        number(period, 'shown'),
        period.unanswered === null ? '' : String(period.unanswered),
      ]),
    );
  }

  const number = (
    period: StatisticsPeriodDto,
    what: 'grants' | 'refusals' | 'withdrawals' | 'expiries' | 'shown',
  ): Cell => {
    if (period[what] !== null) return String(period[what]);
    return period.suppressed.includes(what) ? show.coloured('dim', 'hidden') : '';
  };

  const share = (of: number): Cell => show.coloured(of >= 0.5 ? 'green' : 'red', `${(of * 100).toFixed(1)} %`);
}

/** One line for each period; of several purposes or values, for each of each of them, after those of all. */
const inLines = ({ periods, purpose, country, series }: ConsentStatisticsDto): string =>
  [
    csvLine(['purpose', 'value', 'from', 'to', ...COLUMNS]),
    ...[{ purpose, value: country, periods }, ...series].flatMap((each) =>
      each.periods.map((period) =>
        csvLine([each.purpose, each.value, period.from, period.to, ...COLUMNS.map((column) => period[column])]),
      ),
    ),
  ].join('');
