import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { whereaboutsOf, type ConsentState } from '../../consent/index.js';
import type { Happened, Stream } from '../../streams/stream.js';
import {
  CLOCK,
  fold,
  isRefusal,
  openSealed,
  referenceText,
  uuidV5,
  type Clock,
  type DomainEvent,
  type FieldCipher,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import { eventMetadata } from '../../commands/event-metadata.js';
import { onceEach, type Done, type Repeatable } from '../../commands/once.js';
import { IdempotencyReservations, type RequestKey } from '../../commands/reservations.js';
import { Vault } from '../../vault/vault.js';
import { SITE_RULES, siteRuleAt, type SiteRules, type Whereabouts } from '../../policy/index.js';
import { familyOf, standingOf, type WholeState } from '../../subjects/index.js';
import { SUBJECT_RIGHTS, type SubjectRights, WHOLE_WRITER, type SubjectWriter } from '../../subjects/services.js';
import { termsOfRequest } from '../dates.js';
import { checkReceived, receiveRequest, type ReceiveRequest } from '../decide.js';
import type { DataRequestEvent, Requester } from '../events.js';
import type { RequestedBy, WantedRequest } from '../intake.js';
import { dataRequestRefusals } from '../refusals.js';
import { RequestViews } from '../request-views.js';
import { isDoubtful, isOpen, requestFold, requestStream, type DataRequest, type RequestState } from '../state.js';
import { REQUEST_STREAMS } from '../tokens.js';
import type { DataRequestView } from '../view.js';
import { OperatorMails } from './operator-mails.js';
import { RequestIndex } from './request-index.js';

/** Requests taken in at the same time, each of another subject. */
const SUBJECTS_AT_ONCE = 16;
/** Rivals that open or close the same request meanwhile are few. */
const MOST_TRIES = 10;

/** A request to take in, and the key that it came under. */
export interface IntakeItem {
  wanted: WantedRequest;
  key: RequestKey | null;
  /** Why it is refused before anything is looked up. */
  refused?: Refusal | null;
}

export interface Taken {
  status: 'OPENED' | 'DUPLICATE';
  request: DataRequestView;
}

const ITSELF: Requester = { type: 'SELF' };

/** Takes requests in: each once under its key, and none beside an open one of the same subject and type. */
@Injectable()
export class RequestIntake {
  constructor(
    @Inject(REQUEST_STREAMS) private readonly streams: Stream<RequestState, DataRequestEvent>,
    @Inject(SUBJECT_RIGHTS) private readonly rights: SubjectRights,
    @Inject(WHOLE_WRITER) private readonly subjects: SubjectWriter<WholeState>,
    @Inject(SITE_RULES) private readonly rules: SiteRules,
    private readonly index: RequestIndex,
    private readonly mails: OperatorMails,
    private readonly views: RequestViews,
    private readonly reservations: IdempotencyReservations,
    private readonly vault: Vault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Outcomes in the order of the items. Items about one subject come one after the other. */
  async takeIn(scope: Scope, items: readonly IntakeItem[], by: RequestedBy): Promise<(Repeatable<Taken> | Refusal)[]> {
    const at = this.clock();
    const parts = await Promise.all(
      items.map(async ({ wanted, key, refused = null }) => ({
        key,
        claim: 'ROW' as const,
        subjects: key === null ? [] : await this.knownBy(scope, wanted),
        refused:
          refused ??
          checkReceived(
            {
              receivedAt: wanted.receivedAt ?? at,
              requester: wanted.requester ?? ITSELF,
              requestType: wanted.type,
              ...(wanted.corrections && { corrections: wanted.corrections }),
            },
            at,
          ),
      })),
    );
    return onceEach<Taken>(this.reservations, parts, {
      replay: (places) => Promise.all(places.map((place) => this.replay(scope, items[place]!.key!))),
      carryOut: (places) =>
        this.openAll(
          scope,
          places.map((place) => items[place]!),
          by,
        ),
    });
  }

  private async knownBy(scope: Scope, { subject }: WantedRequest): Promise<string[]> {
    const found = await this.vault.find(scope, subject);
    return found ? [found.subjectId] : [];
  }

  private async openAll(
    scope: Scope,
    items: readonly IntakeItem[],
    by: RequestedBy,
  ): Promise<(Done<Taken> | Refusal)[]> {
    const outcomes: (Done<Taken> | Refusal)[] = [];
    const bySubject = new Map<string, number[]>();
    for (const [place, { wanted }] of items.entries()) {
      const name = referenceText(wanted.subject);
      bySubject.set(name, [...(bySubject.get(name) ?? []), place]);
    }
    const waiting = bySubject.values();
    const worker = async (): Promise<void> => {
      for (const places of waiting)
        for (const place of places) outcomes[place] = await this.open(scope, items[place]!, by);
    };
    // A failed intake answers only when no item is under way any more: a repeat must not meet one of this intake.
    const ended = await Promise.allSettled(Array.from({ length: SUBJECTS_AT_ONCE }, worker));
    for (const each of ended) if (each.status === 'rejected') throw each.reason;
    return outcomes;
  }

  private async open(scope: Scope, { wanted, key }: IntakeItem, by: RequestedBy): Promise<Done<Taken> | Refusal> {
    const at = this.clock();
    const named = await this.rights.provide(scope, wanted.subject, { actor: by.actor, at });
    if (isRefusal(named)) return named;
    const subject = await this.subjects.find(scope, { kind: 'subject', value: named });
    if (!subject) return dataRequestRefusals.subjectErased();
    const { subjectId, state } = subject;
    const family = [subjectId, ...familyOf(standingOf(state))];
    const cipher = await this.vault.cipherOf(subjectId);
    const command = this.commandOf(scope, wanted, subjectId, this.placeOf(wanted, state, cipher));
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const free = await this.freeId(scope, family, subjectId, wanted);
      if (free === null) continue;
      if (typeof free !== 'string') return this.duplicate(free);
      if (key) await this.index.noteKey(key.digest, free);
      const received = receiveRequest({ ...command, requestId: free }, null, at);
      if (!isRefusal(received)) await this.mails.tell(scope, received.events[0]!);
      const done = await this.append(scope, { ...command, requestId: free }, cipher, key, by);
      if (isRefusal(done)) return done;
      if (done.events.length === 0) return this.duplicate(done.request);
      const request = await this.views.of(done.request, at);
      return { answer: { status: 'OPENED', request }, position: done.events.at(-1)!.position };
    }
    return dataRequestRefusals.contended();
  }

  /** The open request that is there already, or an id for a new one; null where rivals were faster: look again. */
  private async freeId(
    scope: Scope,
    family: readonly string[],
    subjectId: string,
    { type, unproven }: WantedRequest,
  ): Promise<DataRequest | string | null> {
    let given: string | null = null;
    for (const { id, subjectId: owner } of await this.index.newest(scope, family, type)) {
      const { state } = await this.streams.load(requestStream(scope, id));
      // A doubtful request never blocks a requester who has shown more; an operator sees both.
      const givesWay = state !== null && isDoubtful(state) && !unproven;
      if (state && isOpen(state) && !givesWay) return state;
      if (state) await this.index.noteClosed(id);
      // An id without a request so far. Its first owner may still be about to use it: the stream takes the first.
      else if (owner === subjectId) given = id;
    }
    return given ?? this.index.reserve(scope, subjectId, type, this.clock());
  }

  private async duplicate(request: DataRequest): Promise<Done<Taken>> {
    const view = await this.views.of(request);
    return { answer: { status: 'DUPLICATE', request: { ...view, duplicateOf: view.id } }, position: null };
  }

  private async append(
    scope: Scope,
    command: ReceiveRequest,
    cipher: FieldCipher,
    key: RequestKey | null,
    by: RequestedBy,
  ): Promise<{ request: DataRequest; events: readonly Happened<DomainEvent>[] } | Refusal> {
    const at = this.clock();
    const metadata = eventMetadata({ ...by, at, key });
    // Others may append to the same stream under the same id: only events of one call may look the same.
    const call = randomUUID();
    return this.streams.execute<{ request: DataRequest; events: readonly Happened<DomainEvent>[] }>(
      requestStream(scope, command.requestId),
      cipher,
      ({ state }) => {
        if (cipher.destroyed) return dataRequestRefusals.subjectErased();
        const decided = receiveRequest(command, state, at);
        if (isRefusal(decided)) return decided;
        return {
          append: decided.events.map((event, i) => ({ event, id: uuidV5(`${call}/${i}`), metadata })),
          answer: (events) => ({ request: fold(requestFold, events as Happened<DataRequestEvent>[], state)!, events }),
        };
      },
    );
  }

  /** What was answered under the key, from the stream on which it stands. */
  private async replay(scope: Scope, { digest }: RequestKey): Promise<Done<Taken> | null> {
    const id = await this.index.byKey(digest);
    if (id === null) return null;
    const stream = requestStream(scope, id);
    const window = (await this.reservations.windowsOf([digest])).get(digest);
    const { keys, state } = await this.streams.load(stream, window && { find: [{ digests: [digest], ...window }] });
    const kept = keys.get(digest);
    if (!kept || !state) return null;
    const cipher = await this.vault.cipherOf(state.subjectId);
    const events = await this.streams.at(stream, kept.revisions, cipher);
    const first = fold(requestFold, events as Happened<DataRequestEvent>[])!;
    const request = await this.views.of(first, events[0]!.metadata.recordedAt);
    return { answer: { status: 'OPENED', request }, position: events.at(-1)!.position };
  }

  /** The place that the request names, else where the subject was last, else the subject's own country. */
  private placeOf({ jurisdiction }: WantedRequest, { parts, subject }: WholeState, cipher: FieldCipher): Whereabouts {
    const { place } = parts['consent'] as ConsentState;
    const own = openSealed(subject.country, () => cipher);
    const where = jurisdiction ?? place ?? { country: typeof own === 'string' ? own : null };
    if (where.country === null) return { country: null, region: null };
    return whereaboutsOf({ country: where.country, ...('region' in where && { region: where.region }) });
  }

  private commandOf(
    scope: Scope,
    wanted: WantedRequest,
    subjectId: string,
    where: Whereabouts,
  ): Omit<ReceiveRequest, 'requestId'> {
    const receivedAt = wanted.receivedAt ?? this.clock();
    const dated = siteRuleAt(this.rules.of(scope), where, receivedAt);
    const { country, region } = where;
    return {
      type: 'receive',
      subjectId,
      requestType: wanted.type,
      regulation: wanted.regulation ?? null,
      regulationOfPlace: dated.rule.regulations[0]?.key ?? null,
      jurisdiction:
        country === null
          ? null
          : {
              country,
              ...(region !== null && { region }),
              ...(wanted.jurisdiction?.source && { source: wanted.jurisdiction.source }),
            },
      terms: termsOfRequest(wanted.type, dated),
      receivedAt,
      source: wanted.source,
      ...(wanted.locale !== undefined && { locale: wanted.locale }),
      requester: wanted.requester ?? ITSELF,
      ...(wanted.details !== undefined && { details: wanted.details }),
      ...(wanted.corrections && { corrections: wanted.corrections }),
      ...(wanted.verifiedBy && { verifiedBy: wanted.verifiedBy }),
      ...(wanted.unproven && { unproven: wanted.unproven }),
      ...(wanted.awaitsProofUntil && { awaitsProofUntil: wanted.awaitsProofUntil }),
      ...(wanted.atOnce && { atOnce: wanted.atOnce }),
    };
  }
}
