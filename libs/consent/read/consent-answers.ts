import type { IncomingHttpHeaders } from 'node:http';
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { READ_PROGRESS } from '../../log/tokens.js';
import { ReplayCost } from '../../streams/replay-cost.js';
import { isRefusal, parseReference, Refused, type Instant, type ReadProgress } from '../../kernel/index.js';
import { TAG_CACHE, type TagCache } from '../../engines/cache/tag-cache.js';
import { EDGE_HEADERS, type EdgeHeaders } from '../../engines/config/edge-headers.js';
import { weakETag } from '../../http/answers/conditional.js';
import { hasGpc } from '../../http/gpc.js';
import { passedBy, revalidated, type Tagged } from '../../http/answers/revalidated.js';
import { edgePlace, placeNamed } from '../../policy/services.js';
import type { Asked } from '../circumstances.js';
import type { ConsentQuestion, ConsentStanding, EffectiveConsent } from '../effective-consent.js';
import { CONSENT_VIEW_VERSION } from '../state-view.js';
import { ConsentReader, turningPoints, type ConsentSnapshot } from './reader.js';
import { ConsentRows } from './rows.js';

/** What is known of a subject, for handlers that answer with it; `snapshot` is null where the caller has this answer already. */
export interface ConsentFound {
  etag: string;
  /** The moment that the answer describes. */
  at: Instant;
  snapshot: ConsentSnapshot | null;
}

/** Finds what every answer about the consent of a subject is made of: by ETag, row or stream. */
@Injectable()
export class ConsentAnswers implements EffectiveConsent {
  constructor(
    private readonly reader: ConsentReader,
    private readonly rows: ConsentRows,
    @Inject(TAG_CACHE) private readonly tags: TagCache,
    @Inject(READ_PROGRESS) private readonly progress: ReadProgress,
    @Inject(EDGE_HEADERS) private readonly edge: EdgeHeaders,
  ) {}

  /** Proxy and signal tell of the person where the person's own browser asks, with a public key; a server's headers do not. */
  asked(
    headers: IncomingHttpHeaders,
    caller: Parameters<EffectiveConsent['asked']>[1],
    { country, region }: { country?: string; region?: string },
  ): Asked {
    const named = placeNamed(country, region);
    const isBrowser = caller.kind === 'pk';
    const seen = named === null && isBrowser ? edgePlace(headers, this.edge) : null;
    return {
      place: named ? { ...named, by: 'REQUEST' } : seen?.country ? { ...seen, by: 'PROXY' } : null,
      gpcOnRequest: isBrowser && hasGpc(headers),
    };
  }

  async find(
    question: ConsentQuestion,
    besides: (at: Instant) => string,
  ): Promise<{ etag: string; standing: ConsentStanding | null }> {
    const { etag, at, snapshot } = await this.snapshot(question, besides);
    return { etag, standing: snapshot && (await this.reader.standing(question.caller, snapshot, at, question.asked)) };
  }

  async snapshot(question: ConsentQuestion, besides: (at: Instant) => string): Promise<ConsentFound> {
    const { caller, options } = question;
    const reference = typeof question.ref === 'string' ? parseReference(question.ref) : question.ref;
    if (isRefusal(reference)) throw new Refused(reference);
    const at = options.asOf ?? options.knownAt ?? this.reader.clock();
    const { asOf, knownAt, after, ifNoneMatch } = options;
    const cost = new ReplayCost(options.work);
    const isPast = asOf !== undefined || knownAt !== undefined;
    const named = this.reader.subjectOf(caller, reference);
    const subjectId = named instanceof Promise ? await named : named;
    const find = (read: (id: string) => Promise<ConsentSnapshot>): Promise<ConsentSnapshot> =>
      this.reader.find(caller, reference, read, subjectId);
    const found = await revalidated(this.tags, this.progress, {
      subjectId,
      fresh: options.fresh || isPast,
      after,
      ifNoneMatch,
      turningPoints,
      etag: (state) => this.etag(question, state, at, besides),
      fold: () =>
        find((id) =>
          isPast
            ? this.reader.foldAsOf(caller, id, { asOf, knownAt }, cost)
            : this.reader.fold(caller, id, options.work),
        ),
      row: () => find((id) => this.reader.newest(caller, id, this.rows)),
    });
    return { at, ...found };
  }

  /** By which rules; whose state it is (a merge changes that), its revision, ends that have passed, catalogue and place, and all else: what an answer is made of. */
  private etag(
    { caller, asked, options }: ConsentQuestion,
    { subjectId, revision, turningPoints: points }: Tagged,
    at: Instant,
    besides: (at: Instant) => string,
  ): string {
    const instant =
      options.asOf !== undefined || options.knownAt !== undefined ? digestOf(`${options.asOf} ${options.knownAt}`) : '';
    return weakETag(
      `c${CONSENT_VIEW_VERSION}.${subjectId?.slice(-16) ?? ''}.${revision}.${passedBy(points, at)}-${this.reader.tag(caller, at, asked)}-${besides(at)}${instant}`,
    );
  }
}

/** For an ETag. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 12);
