import { createHash } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import {
  type Position,
  type ReadProgress,
  isRefusal,
  parseReference,
  type Reader,
  Refused,
  type Instant,
  type Work,
} from '../../kernel/index.js';
import { ReplayCost } from '../../streams/replay-cost.js';
import type { TagCache } from '../../engines/cache/tag-cache.js';
import { weakETag } from '../../http/answers/conditional.js';
import { passedBy, revalidated, type Tagged } from '../../http/answers/revalidated.js';
import { PREFERENCE_PROGRESS, PREFERENCE_TAGS } from '../streams.module.js';
import { PREFERENCES_VIEW_VERSION, type PreferencesView } from '../view.js';
import { PreferenceReader, turningPoints, type PreferenceSnapshot } from './reader.js';
import { PreferenceRows } from './rows.js';

export class GetPreferences extends Query<PreferencesAnswer> {
  constructor(
    readonly caller: Reader,
    readonly ref: string,
    readonly options: {
      fresh: boolean;
      asOf?: Instant;
      after: Position | null;
      ifNoneMatch: string | undefined;
      /** Takes down what is read from the log for `fresh` and `asOf`. */
      work: Work;
    },
  ) {
    super();
  }
}

/** `view` is null where the caller already has this answer. */
export interface PreferencesAnswer {
  etag: string;
  view: PreferencesView | null;
}

@QueryHandler(GetPreferences)
export class GetPreferencesHandler implements IQueryHandler<GetPreferences> {
  constructor(
    private readonly reader: PreferenceReader,
    private readonly rows: PreferenceRows,
    @Inject(PREFERENCE_TAGS) private readonly tags: TagCache,
    @Inject(PREFERENCE_PROGRESS) private readonly progress: ReadProgress,
  ) {}

  async execute(query: GetPreferences): Promise<PreferencesAnswer> {
    const { caller, options } = query;
    const reference = parseReference(query.ref);
    if (isRefusal(reference)) throw new Refused(reference);
    const { asOf, after, ifNoneMatch } = options;
    const at = asOf ?? this.reader.clock();
    const subjectId = await this.reader.subjectOf(caller, reference);
    const find = (read: (id: string) => Promise<PreferenceSnapshot>): Promise<PreferenceSnapshot> =>
      this.reader.find(caller, reference, read, subjectId);
    const cost = new ReplayCost(options.work);
    const { etag, snapshot } = await revalidated(this.tags, this.progress, {
      subjectId,
      fresh: options.fresh || asOf !== undefined,
      after,
      ifNoneMatch,
      turningPoints,
      etag: (state) => this.etag(query, state, at),
      fold: () =>
        find((id) =>
          asOf === undefined
            ? this.reader.fold(caller, id, options.work)
            : this.reader.foldAsOf(caller, id, { asOf }, cost),
        ),
      row: () => find((id) => this.reader.newest(caller, id, this.rows)),
    });
    return { etag, view: snapshot && (await this.reader.view(caller, snapshot, at)) };
  }

  /** By which rules; whose preferences they are (a merge changes that), their revision, moments that have passed, and the catalogue: all that an answer is made of. */
  private etag(
    { caller, options: { asOf } }: GetPreferences,
    { subjectId, revision, turningPoints: points }: Tagged,
    at: Instant,
  ): string {
    const instant = asOf === undefined ? '' : createHash('sha256').update(asOf).digest('base64url').slice(0, 12);
    return weakETag(
      `p${PREFERENCES_VIEW_VERSION}.${subjectId?.slice(-16) ?? ''}.${revision}.${passedBy(points, at)}-${this.reader.tag(caller, at)}-${instant}`,
    );
  }
}
