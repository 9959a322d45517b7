import { createHash } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Position } from '../../event-log/port.js';
import { READ_PROGRESS, type ReadProgress } from '../../event-log/tokens.js';
import { isRefusal, parseReference, Refused, type Instant, type Scope } from '../../kernel/index.js';
import { TAG_CACHE, type SubjectTag, type TagCache } from '../../platform/cache/tag-cache.js';
import { ifNoneMatchHits, weakETag } from '../../platform/http/conditional.js';
import { consentRefusals } from '../refusals.js';
import { ConsentReader, turningPoints, type ConsentSnapshot, type ConsentStateView, type Place } from './reader.js';
import { ConsentRows } from './rows.js';

/** How long a read waits for the projector to reach the caller's own write before it folds the stream instead. */
const OWN_WRITE_WAIT_MS = 50;

export class GetConsentState {
  constructor(
    readonly scope: Scope,
    readonly ref: string,
    readonly wanted: readonly string[] | undefined,
    readonly place: Place,
    readonly options: {
      fresh: boolean;
      asOf?: Instant;
      knownAt?: Instant;
      after: Position | null;
      ifNoneMatch: string | undefined;
    },
  ) {}
}

/** `view` is null where the caller already has this answer. */
export interface ConsentStateAnswer {
  etag: string;
  view: ConsentStateView | null;
}

@QueryHandler(GetConsentState)
export class GetConsentStateHandler implements IQueryHandler<GetConsentState, ConsentStateAnswer> {
  constructor(
    private readonly reader: ConsentReader,
    private readonly rows: ConsentRows,
    @Inject(TAG_CACHE) private readonly tags: TagCache,
    @Inject(READ_PROGRESS) private readonly progress: ReadProgress,
  ) {}

  async execute(query: GetConsentState): Promise<ConsentStateAnswer> {
    const { scope, options } = query;
    const reference = parseReference(query.ref);
    if (isRefusal(reference)) throw new Refused(reference);
    const at = options.asOf ?? options.knownAt ?? this.reader.clock();
    const { asOf, knownAt, after } = options;
    const subjectId = await this.reader.subjectOf(scope, reference);
    const find = (read: (id: string) => Promise<ConsentSnapshot>): Promise<ConsentSnapshot> =>
      this.reader.find(scope, reference, read, subjectId);
    if (asOf !== undefined || knownAt !== undefined)
      return this.show(query, await find((id) => this.reader.foldAsOf(scope, id, asOf, knownAt)), at);
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

  private show(query: GetConsentState, snapshot: ConsentSnapshot, at: Instant): ConsentStateAnswer {
    const etag = this.etag(
      query,
      { subjectId: snapshot.subjectId, revision: snapshot.revision, turningPoints: turningPoints(snapshot) },
      at,
    );
    if (ifNoneMatchHits(query.options.ifNoneMatch, etag)) return { etag, view: null };
    const view = this.reader.view(query.scope, snapshot, query.wanted, at, query.place);
    const unknown = query.wanted?.find((purpose) => !Object.hasOwn(view.purposes, purpose));
    if (unknown !== undefined) throw new Refused(consentRefusals.purposeUnknown());
    return { etag, view };
  }

  /** Whose state it is (a merge changes that), its revision, ends that have passed, catalogue and place, filters: all that an answer is made of. */
  private etag(
    { scope, wanted, place, options }: GetConsentState,
    {
      subjectId,
      revision,
      turningPoints: points,
    }: Pick<SubjectTag, 'revision' | 'turningPoints'> & { subjectId: string | null },
    at: Instant,
  ): string {
    let passed = 0;
    while (passed < points.length && points[passed]! <= at) passed++;
    const filter = wanted === undefined ? '' : digest(wanted.join(' '));
    const instant =
      options.asOf !== undefined || options.knownAt !== undefined ? digest(`${options.asOf} ${options.knownAt}`) : '';
    return weakETag(
      `${subjectId?.slice(-16) ?? ''}.${revision}.${passed}-${this.reader.tag(scope, at, place)}-${filter}${instant}`,
    );
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 12);
