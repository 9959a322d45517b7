import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { CATALOGUE, catalogueRefusals, purposeOf, type Catalogue } from '../../catalogue/index.js';
import { READ_PROGRESS } from '../../log/tokens.js';
import { CLOCK, Refused, type Clock, type Position, type ReadProgress, type Scope } from '../../kernel/index.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { invalid } from '../../http/errors/refused.js';
import { periodsOf, type PeriodKind } from '../calendar.js';
import { lastDay, PERIODS_MAX, rangeOf, statisticsView, wholeRange, type ConsentStatistics } from '../view.js';
import { CountedConsent } from './counted.js';

/** How long a read that names the position of a write waits for the counts to hold it, in ms. */
const OWN_WRITE_WAIT_MS = 1_500;

/** How many agreed to a purpose, and how many did not. */
export class GetConsentStatistics extends Query<ConsentStatistics> {
  constructor(
    readonly scope: Scope,
    readonly purpose: string,
    /** ISO 3166-1; null: all countries together. */
    readonly country: string | null,
    readonly by: PeriodKind,
    readonly from: string | undefined,
    readonly to: string | undefined,
    /** The caller's own last write. */
    readonly written: Position | null,
  ) {
    super();
  }
}

@QueryHandler(GetConsentStatistics)
export class GetConsentStatisticsHandler implements IQueryHandler<GetConsentStatistics> {
  constructor(
    private readonly counted: CountedConsent,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(READ_PROGRESS) private readonly progress: ReadProgress,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute(asked: GetConsentStatistics): Promise<ConsentStatistics> {
    const { scope, purpose, country, by, from, to } = asked;
    await this.reached(asked.written);
    const catalogue = this.catalogue.of(scope);
    if (!purposeOf(catalogue, purpose))
      throw new Refused(catalogueRefusals.notFound(purpose, Object.keys(catalogue.purposes)));
    const last = lastDay(scope.env, this.clock());
    const range = rangeOf(by, from, to, last);
    if (range.from > range.to) throw invalid([{ path: 'from', message: `must not be after ${range.to}` }]);
    if (periodsOf(by, range, PERIODS_MAX + 1).length > PERIODS_MAX)
      throw invalid([{ path: 'from', message: `must be at most ${PERIODS_MAX} periods before the end` }]);
    const counts = await this.counted.of(scope, purpose, upTo(last, wholeRange(by, range)), country !== null);
    return statisticsView({ purpose, country, by, range }, counts, last, scope.env);
  }

  private async reached(written: Position | null): Promise<void> {
    if (written !== null && !(await this.progress.reached(written, OWN_WRITE_WAIT_MS)))
      throw new DependencyUnavailable('read model');
  }
}

/** Future expiries of grants are counted in advance, so days after the last one are cut off. */
const upTo = (last: string, { from, to }: { from: string; to: string }) => ({ from, to: to < last ? to : last });
