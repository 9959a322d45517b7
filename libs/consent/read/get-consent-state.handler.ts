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
  type Reference,
  type Work,
} from '../../kernel/index.js';
import { ReplayCost } from '../../event-log/replay-cost.js';
import { READ_PROGRESS } from '../../event-log/tokens.js';
import { TAG_CACHE, type TagCache } from '../../platform/cache/tag-cache.js';
import { weakETag } from '../../platform/http/conditional.js';
import { passedBy, revalidated, type Tagged } from '../../platform/http/revalidated.js';
import { consentRefusals } from '../refusals.js';
import type { Asked } from '../circumstances.js';
import { CONSENT_VIEW_VERSION, type ConsentStateView } from '../state-view.js';
import { ConsentReader, turningPoints, type ConsentSnapshot } from './reader.js';
import { ConsentRows } from './rows.js';

export class GetConsentState extends Query<ConsentStateAnswer> {
  constructor(
    readonly caller: Reader,
    /** As text where nobody has read it yet. */
    readonly ref: string | Reference,
    readonly wanted: readonly string[] | undefined,
    readonly asked: Asked,
    readonly options: {
      fresh: boolean;
      asOf?: Instant;
      knownAt?: Instant;
      after: Position | null;
      ifNoneMatch: string | undefined;
      /** Takes down what is read from the log for `fresh`, `asOf` and `knownAt`. */
      work: Work;
    },
  ) {
    super();
  }
}

/** `view` is null where the caller already has this answer. */
export interface ConsentStateAnswer {
  etag: string;
  view: ConsentStateView | null;
}

@QueryHandler(GetConsentState)
export class GetConsentStateHandler implements IQueryHandler<GetConsentState> {
  constructor(
    private readonly reader: ConsentReader,
    private readonly rows: ConsentRows,
    @Inject(TAG_CACHE) private readonly tags: TagCache,
    @Inject(READ_PROGRESS) private readonly progress: ReadProgress,
  ) {}

  async execute(query: GetConsentState): Promise<ConsentStateAnswer> {
    const { caller, options } = query;
    const reference = typeof query.ref === 'string' ? parseReference(query.ref) : query.ref;
    if (isRefusal(reference)) throw new Refused(reference);
    const at = options.asOf ?? options.knownAt ?? this.reader.clock();
    const { asOf, knownAt, after, ifNoneMatch } = options;
    const cost = new ReplayCost(options.work);
    const isPast = asOf !== undefined || knownAt !== undefined;
    const named = this.reader.subjectOf(caller, reference);
    const subjectId = named instanceof Promise ? await named : named;
    const find = (read: (id: string) => Promise<ConsentSnapshot>): Promise<ConsentSnapshot> =>
      this.reader.find(caller, reference, read, subjectId);
    const { etag, snapshot } = await revalidated(this.tags, this.progress, {
      subjectId,
      fresh: options.fresh || isPast,
      after,
      ifNoneMatch,
      turningPoints,
      etag: (state) => this.etag(query, state, at),
      fold: () =>
        find((id) =>
          isPast
            ? this.reader.foldAsOf(caller, id, { asOf, knownAt }, cost)
            : this.reader.fold(caller, id, options.work),
        ),
      row: () => find((id) => this.reader.newest(caller, id, this.rows)),
    });
    return { etag, view: snapshot && (await this.view(query, snapshot, at)) };
  }

  private async view(
    { caller, wanted, asked }: GetConsentState,
    snapshot: ConsentSnapshot,
    at: Instant,
  ): Promise<ConsentStateView> {
    const view = await this.reader.view(caller, snapshot, wanted, at, asked);
    const unknown = wanted?.find((purpose) => !Object.hasOwn(view.purposes, purpose));
    if (unknown !== undefined)
      throw new Refused(consentRefusals.purposeUnknown(unknown, this.reader.purposeKeys(caller)));
    return view;
  }

  /** By which rules; whose state it is (a merge changes that), its revision, ends that have passed, catalogue and place, filters: all that an answer is made of. */
  private etag(
    { caller, wanted, asked, options }: GetConsentState,
    { subjectId, revision, turningPoints: points }: Tagged,
    at: Instant,
  ): string {
    const filter = wanted === undefined ? '' : digest(wanted.join(' '));
    const instant =
      options.asOf !== undefined || options.knownAt !== undefined ? digest(`${options.asOf} ${options.knownAt}`) : '';
    return weakETag(
      `c${CONSENT_VIEW_VERSION}.${subjectId?.slice(-16) ?? ''}.${revision}.${passedBy(points, at)}-${this.reader.tag(caller, at, asked)}-${filter}${instant}`,
    );
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 12);
