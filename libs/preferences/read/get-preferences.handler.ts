import { createHash } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Position } from '../../event-log/port.js';
import type { ReadProgress } from '../../event-log/tokens.js';
import { isRefusal, parseReference, Refused, type Instant, type Scope } from '../../kernel/index.js';
import type { SubjectTag, TagCache } from '../../platform/cache/tag-cache.js';
import { ifNoneMatchHits, weakETag } from '../../platform/http/conditional.js';
import { PREFERENCE_PROGRESS, PREFERENCE_TAGS } from '../streams.module.js';
import type { PreferencesView } from '../view.js';
import { PreferenceReader, turningPoints, type PreferenceSnapshot } from './reader.js';
import { PreferenceRows } from './rows.js';

/** How long a read waits for the projector to reach the caller's own write before it folds the stream instead. */
const OWN_WRITE_WAIT_MS = 50;

export class GetPreferences {
  constructor(
    readonly scope: Scope,
    readonly ref: string,
    readonly options: { fresh: boolean; asOf?: Instant; after: Position | null; ifNoneMatch: string | undefined },
  ) {}
}

/** `view` is null where the caller already has this answer. */
export interface PreferencesAnswer {
  etag: string;
  view: PreferencesView | null;
}

@QueryHandler(GetPreferences)
export class GetPreferencesHandler implements IQueryHandler<GetPreferences, PreferencesAnswer> {
  constructor(
    private readonly reader: PreferenceReader,
    private readonly rows: PreferenceRows,
    @Inject(PREFERENCE_TAGS) private readonly tags: TagCache,
    @Inject(PREFERENCE_PROGRESS) private readonly progress: ReadProgress,
  ) {}

  async execute(query: GetPreferences): Promise<PreferencesAnswer> {
    const { scope, options } = query;
    const reference = parseReference(query.ref);
    if (isRefusal(reference)) throw new Refused(reference);
    const { asOf, after } = options;
    const at = asOf ?? this.reader.clock();
    const subjectId = await this.reader.subjectOf(scope, reference);
    const find = (read: (id: string) => Promise<PreferenceSnapshot>): Promise<PreferenceSnapshot> =>
      this.reader.find(scope, reference, read, subjectId);
    if (asOf !== undefined)
      return this.show(query, await find((id) => this.reader.foldAsOf(scope, id, asOf, undefined)), at);
    if (options.fresh || subjectId === null || !(await this.hasReached(after)))
      return this.show(query, await find((id) => this.reader.fold(scope, id)), at);
    const tag = await this.tags.find(subjectId);
    if (tag && tag.through >= (after ?? 0n)) {
      const etag = this.etag(query, { subjectId, ...tag }, at);
      if (ifNoneMatchHits(options.ifNoneMatch, etag)) return { etag, view: null };
    }
    const through = this.progress.position();
    const snapshot = await find(async (id) => this.reader.newest(scope, await this.rows.find(id)));
    if (snapshot.subjectId !== null)
      this.tags.raise(snapshot.subjectId, {
        revision: snapshot.revision,
        turningPoints: turningPoints(snapshot),
        through,
      });
    return this.show(query, snapshot, at);
  }

  private async hasReached(after: Position | null): Promise<boolean> {
    return after === null || this.progress.position() >= after || this.progress.reached(after, OWN_WRITE_WAIT_MS);
  }

  private async show(query: GetPreferences, snapshot: PreferenceSnapshot, at: Instant): Promise<PreferencesAnswer> {
    const etag = this.etag(
      query,
      { subjectId: snapshot.subjectId, revision: snapshot.revision, turningPoints: turningPoints(snapshot) },
      at,
    );
    if (ifNoneMatchHits(query.options.ifNoneMatch, etag)) return { etag, view: null };
    return { etag, view: await this.reader.view(query.scope, snapshot, at) };
  }

  /** Whose preferences they are (a merge changes that), their revision, moments that have passed, and the catalogue: all that an answer is made of. */
  private etag(
    { scope, options: { asOf } }: GetPreferences,
    {
      subjectId,
      revision,
      turningPoints: points,
    }: Pick<SubjectTag, 'revision' | 'turningPoints'> & { subjectId: string | null },
    at: Instant,
  ): string {
    let passed = 0;
    while (passed < points.length && points[passed]! <= at) passed++;
    const instant = asOf === undefined ? '' : createHash('sha256').update(asOf).digest('base64url').slice(0, 12);
    return weakETag(`p${subjectId?.slice(-16) ?? ''}.${revision}.${passed}-${this.reader.tag(scope, at)}-${instant}`);
  }
}
