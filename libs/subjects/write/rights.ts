import { Inject, Injectable } from '@nestjs/common';
import {
  ANONYMOUS_KINDS,
  CLOCK,
  happened,
  isRefusal,
  openSealed,
  Refused,
  subjectStream,
  uuidV5,
  type Clock,
  type Decision,
  type DomainEvent,
  type FieldCipher,
  type Instant,
  type Reference,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import type { Done } from '../../commands/once.js';
import { Vault } from '../../vault/vault.js';
import { eventMetadata } from '../../commands/event-metadata.js';
import { ownKey } from '../../commands/own-key.js';
import { eraseSubject, rectifySubject, restrict } from '../decide.js';
import type { RemovedIdentifier, SubjectRectifiedData } from '../events.js';
import { SubjectLookup } from '../lookup.js';
import type { WholeState } from '../parts.js';
import { subjectRefusals } from '../refusals.js';
import type { OnRequest, Rectification, Rectified, SubjectRights } from '../rights.js';
import { familyOf, standingOf } from '../standing.js';
import type { KnownIdentifier, SubjectState } from '../state.js';
import { WHOLE_WRITER, type SubjectWriter } from '../writer.js';
import { AddIdentifier, AddIdentifierHandler } from './add-identifier.handler.js';
import { EraseSubject, EraseSubjectHandler, type Erasing } from './erase-subject.handler.js';
import { SubjectRegistrar } from './registrar.js';
import { ERASING } from '../tokens.js';
import { Resolver } from './resolver.js';

/** Carries out what subjects demand, each thing under a key that no client can send. */
@Injectable()
export class Rights implements SubjectRights {
  constructor(
    @Inject(WHOLE_WRITER) private readonly writer: SubjectWriter<WholeState>,
    @Inject(ERASING) private readonly erasing: Erasing,
    private readonly resolver: Resolver,
    private readonly registrar: SubjectRegistrar,
    private readonly eraser: EraseSubjectHandler,
    private readonly identifiers: AddIdentifierHandler,
    private readonly lookup: SubjectLookup,
    private readonly vault: Vault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async provide(scope: Scope, reference: Reference, cause: { actor: string; at: Instant }): Promise<string | Refusal> {
    const found = await this.resolver.find(scope, reference);
    if (found !== null) return found;
    if (reference.kind === 'subject') return subjectRefusals.notFound('subject');
    const registration = {
      scope,
      key: null,
      cause,
      named: await this.registrar.nameOf(scope, [reference], cause.at),
      rename: () => Promise.resolve(),
      resumed: false,
    };
    const made = await this.registrar.register(registration, [{ reference, verification: null, source: 'API' }], {});
    return isRefusal(made) ? made : made.answer.subject.id;
  }

  async refusesErasure(scope: Scope, subjectId: string): Promise<Refusal | null> {
    const { subjectId: rootId, erased } = await this.erasing.completion.settle(scope, subjectId);
    if (erased) return null;
    const { state } = await this.erasing.streams.load(subjectStream(scope, rootId));
    const trial = { receiptId: '', rootId, reason: 'DATA_SUBJECT_REQUEST', issuer: '', at: this.clock() } as const;
    const decided = eraseSubject(trial, [], state.subject);
    return isRefusal(decided) ? decided : null;
  }

  erase(scope: Scope, subjectId: string, on: OnRequest): Promise<Done<{ receiptId: string }> | Refusal> {
    const input = { reason: 'DATA_SUBJECT_REQUEST' } as const;
    return orRefusal(this.eraser.execute(new EraseSubject(callerOf(scope, on), refOf(subjectId), input, keyOf(on))));
  }

  async restrict(scope: Scope, subjectId: string, on: OnRequest): Promise<Done<null> | Refusal> {
    const at = this.clock();
    const written = await this.writer.write(
      { scope, reference: { kind: 'subject', value: subjectId }, mustBeKnown: 'subject' },
      {
        key: ownKey(keyOf(on)),
        claim: 'RESUMED',
        usedSince: on.since,
        decide: ({ subject }) => restrict(null, `data request ${on.request}`, subject, at),
      },
      { actor: on.actor, at },
    );
    return isRefusal(written) ? written : { answer: null, position: written.position };
  }

  async refusesRectification(
    scope: Scope,
    subjectId: string,
    { added, removed, locale, country }: Rectification,
  ): Promise<Refusal | null> {
    const { subjectId: rootId, erased } = await this.erasing.completion.settle(scope, subjectId);
    if (erased) return subjectRefusals.erased();
    const known = await this.familyKnown(scope, rootId);
    for (const { reference, path } of added) {
      const owner = await this.resolver.find(scope, reference);
      if (isRefusal(owner)) return owner;
      if (owner !== null && owner !== rootId && !ANONYMOUS_KINDS.includes(reference.kind))
        return subjectRefusals.identifierConflict(path);
    }
    const owned: Owned[] = [];
    for (const { reference, path } of removed) {
      const found = await this.ownedBy(scope, known, reference);
      if (!found) return subjectRefusals.identifierUnknown(path);
      owned.push(found);
    }
    const at = this.clock();
    const trial = added.map(({ reference }, i) => ({ ...TRIAL, identifierId: `${i}`, kind: reference.kind }));
    for (const [ownerId, state] of known) {
      const isRoot = ownerId === rootId;
      const own = owned.filter((each) => isRoot || each.ownerId === ownerId);
      const identifiers = isRoot ? [...state.identifiers, ...trial] : state.identifiers;
      const command = { removed: own, ...(isRoot && { locale, country }) };
      const decided = rectifySubject(command, { ...state, identifiers }, isRoot ? restOf(known, rootId) : [], at);
      if (isRefusal(decided)) return decided;
    }
    return null;
  }

  async known(scope: Scope, subjectId: string): Promise<{ locale: string | null; country: string | null }> {
    const { subjectId: rootId } = await this.erasing.completion.settle(scope, subjectId);
    const { locale, country } = await this.lookup.stateOf(scope, rootId);
    return {
      locale: typeof locale === 'string' ? locale : null,
      country: typeof country === 'string' ? country : null,
    };
  }

  async rectify(
    scope: Scope,
    subjectId: string,
    wanted: Rectification,
    on: OnRequest,
    also: (state: WholeState) => Decision<DomainEvent>,
  ): Promise<Done<Rectified> | Refusal> {
    if ((await this.erasing.completion.settle(scope, subjectId)).erased) return subjectRefusals.erased();
    const addedIds = await this.addIdentifiers(scope, subjectId, wanted.added, on);
    if (isRefusal(addedIds)) return addedIds;
    const { subjectId: rootId, erased } = await this.erasing.completion.settle(scope, subjectId);
    if (erased) return subjectRefusals.erased();
    const known = await this.familyKnown(scope, rootId);
    const owned: Owned[] = [];
    // An identifier without an owner in the family was removed by an earlier try that was cut off.
    for (const { reference } of wanted.removed) {
      const found = await this.ownedBy(scope, known, reference);
      if (found) owned.push(found);
    }
    const at = this.clock();
    const { locale, country } = wanted;
    const written = await this.writer.write(
      { scope, reference: { kind: 'subject', value: rootId }, mustBeKnown: 'subject' },
      {
        key: ownKey(`${keyOf(on)}/rectified`),
        claim: 'RESUMED',
        usedSince: on.since,
        decide: (state, _, cipher) => {
          const rectified = rectifySubject(
            { removed: owned, ...(locale !== undefined && { locale }), ...(country !== undefined && { country }) },
            { ...state.subject, ...inClear(state.subject, cipher) },
            restOf(known, rootId),
            at,
          );
          if (isRefusal(rectified)) return rectified;
          const others = also(state);
          return isRefusal(others) ? others : happened<DomainEvent>(...rectified.events, ...others.events);
        },
      },
      { actor: on.actor, at },
    );
    if (isRefusal(written)) return written;
    const { events } = written.answer;
    const removedIds = events.flatMap(({ type, data }) =>
      type === 'SubjectRectified'
        ? ((data as SubjectRectifiedData).removed ?? []).map(({ identifierId }) => identifierId)
        : [],
    );
    for (const ownerId of new Set(owned.map((each) => each.ownerId)))
      if (ownerId !== rootId) {
        const refused = await this.removeFrom(scope, ownerId, owned, on);
        if (refused) return refused;
      }
    await this.vault.release([...removedIds, ...owned.map(({ identifierId }) => identifierId)]);
    return { answer: { addedIds, removedIds, events }, position: written.position };
  }

  /** Ids of those that the subject has afterwards, one that it had before among them. */
  private async addIdentifiers(
    scope: Scope,
    subjectId: string,
    identifiers: Rectification['added'],
    on: OnRequest,
  ): Promise<string[] | Refusal> {
    const ids: string[] = [];
    for (const [i, { reference, verified, path }] of identifiers.entries()) {
      const { kind, value } = reference;
      const caller = { ...callerOf(scope, on), identifierKinds: [kind] };
      const done = await orRefusal(
        this.identifiers.execute(
          new AddIdentifier(caller, refOf(subjectId), { kind, value, verified }, `${keyOf(on)}/${i}`),
        ),
      );
      if (isRefusal(done)) return { ...done, issues: done.issues.map((issue) => ({ ...issue, path })) };
      const own = done.answer.subject.identifiers.find((each) => each.kind === kind && each.value === value);
      if (own) ids.push(own.id);
    }
    return ids;
  }

  /** A subject and all that were merged into it, in clear, the subject first. */
  private async familyKnown(scope: Scope, rootId: string): Promise<Map<string, SubjectState>> {
    const root = await this.lookup.stateOf(scope, rootId);
    const known = new Map([[rootId, root]]);
    for (const id of familyOf(standingOf(root))) known.set(id, await this.lookup.stateOf(scope, id));
    return known;
  }

  /** The subject of a family that has an identifier; null: none of it. */
  private async ownedBy(
    scope: Scope,
    known: ReadonlyMap<string, SubjectState>,
    reference: Reference,
  ): Promise<Owned | null> {
    this.vault.forget(scope, reference);
    const found = await this.vault.find(scope, reference);
    if (!found || !known.has(found.subjectId)) return null;
    return { ownerId: found.subjectId, identifierId: found.identifierId, kind: reference.kind };
  }

  /** Removes identifiers on the stream of a subject that was merged into this one: they are gone also where the merge is reverted. */
  private async removeFrom(
    scope: Scope,
    ownerId: string,
    owned: readonly Owned[],
    on: OnRequest,
  ): Promise<Refusal | null> {
    const removed = owned.filter((each) => each.ownerId === ownerId);
    const cipher = await this.vault.cipherOf(ownerId);
    const done = await this.erasing.streams.execute(subjectStream(scope, ownerId), cipher, ({ state }) => {
      const at = this.clock();
      const decided = rectifySubject({ removed }, state.subject, [], at);
      if (isRefusal(decided)) return decided;
      const metadata = eventMetadata({ actor: on.actor, at });
      return {
        append: decided.events.map((event) => ({ event, id: uuidV5(`${on.request}/rectified/${ownerId}`), metadata })),
        answer: () => null,
      };
    });
    return isRefusal(done) ? done : null;
  }
}

/** An identifier, and whose it is. */
interface Owned extends RemovedIdentifier {
  ownerId: string;
}

/** What is not there yet, for a decision that is tried. */
const TRIAL: Omit<KnownIdentifier, 'identifierId' | 'kind'> = {
  value: '',
  addedAt: '',
  verifiedAt: null,
  verificationMethod: null,
  primary: false,
  source: 'API',
};

const restOf = (known: ReadonlyMap<string, SubjectState>, rootId: string): KnownIdentifier[] =>
  [...known].flatMap(([id, { identifiers }]) => (id === rootId ? [] : identifiers));

const inClear = ({ locale, country }: SubjectState, cipher: FieldCipher) => ({
  locale: openSealed(locale, () => cipher) as string | null,
  country: openSealed(country, () => cipher) as string | null,
});

const refOf = (subjectId: string): string => `subject:${subjectId}`;
/** Begins with a character that no Idempotency-Key can hold. */
const keyOf = ({ request }: OnRequest): string => `\u001e${request}`;

const callerOf = ({ site, env }: Scope, { actor, request }: OnRequest): Caller => ({
  kind: 'sk',
  operation: 'completeDataRequest',
  keyId: actor,
  site,
  env,
  scopes: [],
  origin: null,
  ip: null,
  userAgent: null,
  identity: null,
  identifierKinds: [],
  requestId: request,
});

const orRefusal = <T>(work: Promise<T>): Promise<T | Refusal> =>
  work.catch((error: unknown) => {
    if (error instanceof Refused) return error.refusal;
    throw error;
  });
