import { Inject, Injectable } from '@nestjs/common';
import type { Stream } from '../../streams/stream.js';
import {
  epochMs,
  isRefusal,
  newId,
  referenceText,
  subjectStream,
  type DomainEvent,
  type Instant,
  type Reference,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import { readReference, type ByKinds } from '../../http/registered-kind.js';
import { goneWithSubject, type Done, type Hold, type Repeatable } from '../../commands/once.js';
import type { RequestKey } from '../../commands/reservations.js';
import { idBytes } from '../../engines/id-bytes.js';
import { Vault } from '../../vault/vault.js';
import { MOST_IDENTIFIERS, provideSubject, type ReservedIdentifier } from '../decide.js';
import type { SubjectCreatedData, VerificationMethod } from '../events.js';
import { SubjectLookup, writtenBy } from '../lookup.js';
import type { WholeState } from '../parts.js';
import { subjectRefusals } from '../refusals.js';
import { WHOLE_STREAMS, WHOLE_WRITER } from '../tokens.js';
import type { SubjectView } from '../view.js';
import type { Cause, NamedSubject, Target, Written } from '../writer.js';
import { Resolver } from './resolver.js';
import { MOVED, untilSettled } from './until-settled.js';
import type { Writer } from './writer.js';

export interface WantedIdentifier {
  reference: Reference;
  verification: VerificationMethod | null;
  source: ReservedIdentifier['source'];
}

export interface RegisteredSubject {
  subject: SubjectView;
  /** No identifier of the request was known before. */
  created: boolean;
}

type About = Pick<SubjectCreatedData, 'locale' | 'country' | 'metadata'>;

/** Reads an identifier as it was sent; a subject's id is none. */
export function wantedIdentifier(
  { kind, value, verified = false }: { kind: string; value: string; verified?: boolean },
  source: ReservedIdentifier['source'],
  by: ByKinds,
  path: string,
): WantedIdentifier | Refusal {
  const reference = readReference(`${kind}:${value}`, by);
  if (isRefusal(reference)) return { ...reference, issues: [{ path, message: reference.message }] };
  if (reference.kind === 'subject') return subjectRefusals.identifierIsId(`${path}.kind`);
  return { reference, source, verification: verified ? (source === 'API' ? 'OPERATOR' : 'IMPORT') : null };
}

const newSubject = (at: Instant): NamedSubject => ({ subjectId: newId('sub', epochMs(at), idBytes), isNew: true });

/** What a registration is asked for under, and by whom. */
export interface Registration {
  scope: Scope;
  key: RequestKey | null;
  cause: Cause;
  /** The subject that the row of the key names. `isNew`: an id that no subject has yet. */
  named: NamedSubject;
  rename: Hold['rename'];
  /** It was begun before and cut off. */
  resumed: boolean;
}

/** Makes subjects and gives them identifiers. The vault's row reserves an identifier; the event tells it. */
@Injectable()
export class SubjectRegistrar {
  constructor(
    @Inject(WHOLE_STREAMS) private readonly streams: Stream<WholeState, DomainEvent>,
    @Inject(WHOLE_WRITER) private readonly writer: Writer<WholeState>,
    private readonly resolver: Resolver,
    private readonly lookup: SubjectLookup,
    private readonly vault: Vault,
  ) {}

  /** Whom a reservation is to name for an identifier. */
  async nameOf(scope: Scope, references: readonly Reference[], at: Instant): Promise<NamedSubject> {
    for (const reference of references) {
      const found = await this.vault.find(scope, reference);
      if (found) return { subjectId: found.subjectId, isNew: false };
    }
    return newSubject(at);
  }

  /** One subject with all these identifiers: the one that has any of them, else a new one. */
  async register(
    registration: Registration,
    wanted: readonly WantedIdentifier[],
    about: About,
  ): Promise<Done<RegisteredSubject> | Refusal> {
    const { scope } = registration;
    return untilSettled(async () => {
      const owners = await Promise.all(wanted.map(({ reference }) => this.resolver.find(scope, reference)));
      const known = [...new Set(owners.filter((owner) => owner !== null))];
      const refused = known.find((owner) => isRefusal(owner));
      if (isRefusal(refused)) return refused;
      if (known.length > 1)
        return subjectRefusals.identifierConflict(
          `identifiers[${owners.findIndex((owner) => owner !== null && owner !== known[0])}]`,
        );
      const existing = (known[0] as string | undefined) ?? null;
      if (existing !== null) await registration.rename(registration.named.subjectId, existing);
      const free = wanted.filter((_, i) => owners[i] === null);
      return this.give(registration, existing, { free, all: wanted }, about);
    });
  }

  /**
   * Gives identifiers to one subject, a new one where `existing` is null; `free`: those of `all` that no subject has. MOVED
   * where another request took one of them, or the subject was closed: look again.
   */
  async give(
    registration: Registration,
    existing: string | null,
    { free, all }: { free: readonly WantedIdentifier[]; all: readonly WantedIdentifier[] },
    about: About,
  ): Promise<Done<RegisteredSubject> | Refusal | typeof MOVED> {
    const { scope, cause } = registration;
    const { at } = cause;
    const newSubjectId = existing === null ? await this.idForNew(registration) : '';
    if (isRefusal(newSubjectId)) return newSubjectId;
    // Before they are reserved: what is refused stays free for others.
    if (existing !== null && free.length > 0) {
      const { state } = await this.streams.load(subjectStream(scope, existing));
      if (state.subject.identifiers.length + free.length > MOST_IDENTIFIERS)
        return subjectRefusals.tooManyIdentifiers(MOST_IDENTIFIERS);
    }
    const reserved =
      free.length === 0
        ? { subjectId: existing!, identifierIds: [] }
        : await this.vault.reserve(
            scope,
            free.map(({ reference }) => reference),
            epochMs(at),
            { existing, newSubjectId },
          );
    if (!reserved) return MOVED;
    const { subjectId } = reserved;
    const idOf = new Map(free.map(({ reference }, i) => [referenceText(reference), reserved.identifierIds[i]!]));
    const identifiers: ReservedIdentifier[] = [];
    for (const wanted of all) {
      const identifierId =
        idOf.get(referenceText(wanted.reference)) ?? (await this.ownIdentifier(scope, subjectId, wanted.reference));
      if (identifierId !== null) identifiers.push({ ...wanted, identifierId });
    }
    const written = await this.write(registration, { subjectId, isNew: existing === null, identifiers }, about);
    if (written === undefined) return MOVED;
    return isRefusal(written) ? written : this.answerTo(scope, written);
  }

  /**
   * Writes the first events of a subject that so far only the vault has: another request is about to write them, or was
   * cut off before it did. Nothing where they stand.
   */
  async begin(scope: Scope, subjectId: string, { request: _, ...cause }: Cause): Promise<void> {
    const identifiers: ReservedIdentifier[] = [];
    for (const reference of await this.vault.identifiersOf(subjectId)) {
      const identifierId = await this.ownIdentifier(scope, subjectId, reference);
      if (identifierId !== null) identifiers.push({ reference, identifierId, verification: null, source: 'API' });
    }
    await this.write({ scope, key: null, cause }, { subjectId, isNew: false, identifiers }, {});
  }

  private async write(
    { scope, key, cause }: Pick<Registration, 'scope' | 'key' | 'cause'>,
    {
      subjectId,
      isNew,
      identifiers,
    }: { subjectId: string; isNew: boolean; identifiers: readonly ReservedIdentifier[] },
    about: About,
  ): Promise<Repeatable<Written> | Refusal | undefined> {
    const created = { subjectId, createdAt: cause.at, ...about };
    const [written] = await this.writer.writeOn(
      { scope, reference: { kind: 'subject', value: subjectId } },
      { subjectId, identifierId: '', created: isNew },
      [{ key, decide: ({ subject }) => provideSubject(created, identifiers, subject) }],
      cause,
    );
    return written;
  }

  /** The subject that the row names may just have been erased. The row then gets a new id, but a request that was cut off before is refused. */
  private async idForNew({ named, rename, resumed, cause: { at } }: Registration): Promise<string | Refusal> {
    if (named.isNew) return named.subjectId;
    if (resumed) return goneWithSubject();
    const { subjectId } = newSubject(at);
    await rename(named.subjectId, subjectId);
    return subjectId;
  }

  /** What a request under this key was answered, from the stream on which it stands. */
  async replay(target: Target, digest: string): Promise<Done<RegisteredSubject> | Refusal | null> {
    const written = await this.writer.written(target, digest);
    return written === null || isRefusal(written) ? written : this.answerTo(target.scope, written);
  }

  /** The answer to a request that led to these events; where there are none, the subject as it is. */
  private async answerTo(
    scope: Scope,
    { answer: { subjectId, events }, position }: Done<Written>,
  ): Promise<Done<RegisteredSubject>> {
    const last = events.at(-1);
    const subject = await this.lookup.view(scope, subjectId, last && writtenBy(last));
    return { answer: { subject, created: events.some(({ type }) => type === 'SubjectCreated') }, position };
  }

  /** The id of an identifier that the vault knows to be the subject's own; null where it is an absorbed subject's. */
  private async ownIdentifier(scope: Scope, subjectId: string, reference: Reference): Promise<string | null> {
    const found = await this.vault.find(scope, reference);
    return found?.subjectId === subjectId ? found.identifierId : null;
  }
}
