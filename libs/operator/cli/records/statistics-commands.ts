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
    .command('consent <purpose>')
    .description(
      'how many agreed to a purpose and how many did not; counts that would tell of fewer than ten are hidden',
    )
    .addOption(siteOption())
    .addOption(envOption())
    .addOption(new Option('--by <period>', 'what is counted together; default: day').choices(['day', 'week', 'month']))
    .option('--country <code>', 'only this country, by month')
    .option('--from <day>', 'from the period with this day, such as 2026-11-01')
    .option('--to <day>', 'to the period with this day')
    .option('--csv', 'print lines for a spreadsheet')
    .action(async (purpose: string, { site, env, csv, json, ...asked }: ConsentOptions) => {
      if (csv && json) throw new WrongUsage('Either --csv or --json.');
      const query = new URLSearchParams({ purpose });
      for (const name of ['by', 'country', 'from', 'to'] as const)
        if (asked[name] !== undefined) query.set(name, asked[name]);
      const path = `/admin/v1/sites/${encodeURIComponent(site)}/${env}/statistics/consent?${query}`;
      const found = await (await server()).get<ConsentStatisticsDto>(path);
      if (csv) return void (await show.write(inLines(found)));
      show.result(found, () => inWords(found));
    });

  function inWords({ through, by, country, smallest, periods }: ConsentStatisticsDto): void {
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
    const of = country === null ? '' : ` of ${country}`;
    const isHidden = periods.some(({ suppressed }) => suppressed.length > 0);
    show.line('');
    show.line(`Days of UTC${of}, counted up to ${through}.`);
    if (isHidden) show.line(`hidden: it would tell of fewer than ${smallest}.`);
  }

  const number = (
    period: StatisticsPeriodDto,
    what: 'grants' | 'refusals' | 'withdrawals' | 'expiries' | 'shown',
  ): Cell => (period[what] === null ? show.coloured('dim', 'hidden') : String(period[what]));

  const share = (of: number): Cell => show.coloured(of >= 0.5 ? 'green' : 'red', `${(of * 100).toFixed(1)} %`);
}

const inLines = ({ periods }: ConsentStatisticsDto): string =>
  [
    csvLine(['from', 'to', ...COLUMNS]),
    ...periods.map((period) => csvLine([period.from, period.to, ...COLUMNS.map((column) => period[column])])),
  ].join('');
