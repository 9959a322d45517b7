import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { CATALOGUE, catalogueRefusals, purposeOf, type Catalogue } from '../../catalogue/index.js';
import { READ_PROGRESS } from '../../log/tokens.js';
import { CLOCK, Refused, type Clock, type Position, type ReadProgress, type Scope } from '../../kernel/index.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { invalid } from '../../http/errors/refused.js';
import { periodsOf } from '../calendar.js';
import {
  lastDay,
  PERIODS_MAX,
  rangeOf,
  SPLIT_PERIODS_MAX,
  statisticsView,
  wholeRange,
  type Asked,
  type ConsentStatistics,
} from '../view.js';
import { CountedConsent } from './counted.js';

/** How long a read that names the position of a write waits for the counts to hold it, in ms. */
const OWN_WRITE_WAIT_MS = 1_500;
/** Periods of all purposes together in one answer. */
const FIGURES_MAX = 10_000;

/** How many agreed, and how many did not. */
export class GetConsentStatistics extends Query<ConsentStatistics> {
  constructor(
    readonly scope: Scope,
    /** `purposes`: none for all. */
    readonly asked: Omit<Asked, 'range'>,
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

  async execute({ scope, asked, from, to, written }: GetConsentStatistics): Promise<ConsentStatistics> {
    await this.reached(written);
    const { by, split, imported } = asked;
    const purposes = this.purposes(scope, asked.purposes);
    const last = lastDay(scope.env, this.clock());
    const range = rangeOf(by, from, to, last);
    if (range.from > range.to) throw invalid([{ path: 'from', message: `must not be after ${range.to}` }]);
    const most =
      split !== null
        ? SPLIT_PERIODS_MAX
        : Math.max(1, Math.min(PERIODS_MAX, Math.floor(FIGURES_MAX / Math.max(1, purposes.length))));
    if (periodsOf(by, range, most + 1).length > most)
      throw invalid(
        [{ path: 'from', message: `must be at most ${most} periods before the end` }],
        'Ask for fewer periods, or for fewer purposes at a time.',
      );
    const counts = await this.counted.of(scope, purposes, upTo(last, wholeRange(by, range)), split, imported);
    return statisticsView({ ...asked, purposes, range }, counts, last, scope.env);
  }

  /** The named ones, each once; without a name all that the catalogue ever had. */
  private purposes(scope: Scope, named: readonly string[]): string[] {
    const catalogue = this.catalogue.of(scope);
    const unknown = named.find((purpose) => !purposeOf(catalogue, purpose));
    if (unknown !== undefined) throw new Refused(catalogueRefusals.notFound(unknown, Object.keys(catalogue.purposes)));
    return named.length > 0 ? [...new Set(named)] : Object.keys(catalogue.purposes).sort();
  }

  private async reached(written: Position | null): Promise<void> {
    if (written !== null && !(await this.progress.reached(written, OWN_WRITE_WAIT_MS)))
      throw new DependencyUnavailable('read model');
  }
}

/** Future expiries of grants are counted in advance, so days after the last one are cut off. */
const upTo = (last: string, { from, to }: { from: string; to: string }) => ({ from, to: to < last ? to : last });
