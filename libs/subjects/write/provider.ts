import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Happened, Intent, Stream } from '../../event-log/stream.js';
import {
  CLOCK,
  epochMs,
  isRefusal,
  parseReference,
  referenceText,
  subjectStream,
  uuidV5,
  type Clock,
  type DomainEvent,
  type Reference,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import type { Done } from '../../platform/idempotency/once.js';
import { Vault } from '../../platform/vault/vault.js';
import { MOST_IDENTIFIERS, provideSubject, type ReservedIdentifier } from '../decide.js';
import type { SubjectCreatedData, VerificationMethod } from '../events.js';
import { seek } from '../follow.js';
import { SubjectLookup, writtenBy } from '../lookup.js';
import type { WholeState } from '../parts.js';
import { subjectRefusals } from '../refusals.js';
import { standingOf } from '../standing.js';
import { WHOLE_STREAMS } from '../tokens.js';
import type { SubjectView } from '../view.js';
import type { Cause } from './cause.js';
import { Resolver } from './resolver.js';

/** Rivals that claim the same identifiers at the same time are few. */
const MOST_TRIES = 10;

export interface WantedIdentifier {
  reference: Reference;
  verification: VerificationMethod | null;
  source: ReservedIdentifier['source'];
}

export interface ProvidedSubject {
  subject: SubjectView;
  /** Nobody had been known by any of the identifiers. */
  created: boolean;
}

type About = Pick<SubjectCreatedData, 'locale' | 'country' | 'metadata'>;

/** Reads an identifier as it was sent; a subject's id is none. */
export function wantedIdentifier(
  { kind, value, verified = false }: { kind: string; value: string; verified?: boolean },
  source: ReservedIdentifier['source'],
  path: string,
): WantedIdentifier | Refusal {
  const reference = parseReference(`${kind}:${value}`);
  if (isRefusal(reference)) return { ...reference, issues: [{ path, message: reference.message }] };
  if (reference.kind === 'subject') return subjectRefusals.identifierIsId(`${path}.kind`);
  return { reference, source, verification: verified ? (source === 'API' ? 'OPERATOR' : 'IMPORT') : null };
}

/** Makes subjects and gives them identifiers. The vault's row reserves an identifier; the event tells it. */
@Injectable()
export class Provider {
  constructor(
    @Inject(WHOLE_STREAMS) private readonly streams: Stream<WholeState, DomainEvent>,
    private readonly resolver: Resolver,
    private readonly lookup: SubjectLookup,
    private readonly vault: Vault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** One subject with all these identifiers: new where nobody has one of them, else whoever has them. */
  async provide(
    scope: Scope,
    wanted: readonly WantedIdentifier[],
    about: About,
    digest: string | null,
    fingerprint: string,
    cause: Cause,
  ): Promise<Done<ProvidedSubject> | Refusal> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const owners = await Promise.all(wanted.map(({ reference }) => this.resolver.find(scope, reference)));
      const known = [...new Set(owners.filter((owner) => owner !== null))];
      const refused = known.find((owner) => isRefusal(owner));
      if (isRefusal(refused)) return refused;
      if (known.length > 1)
        return subjectRefusals.identifierConflict(
          `identifiers[${owners.findIndex((owner) => owner !== null && owner !== known[0])}]`,
        );
      const done = await this.giveAll(
        scope,
        (known[0] as string | undefined) ?? null,
        wanted.filter((_, i) => owners[i] === null),
        wanted,
        about,
        digest,
        fingerprint,
        cause,
      );
      if (done) return done;
    }
    return busy();
  }

  /** Null where somebody else took one of the identifiers, or the subject was closed: look again. */
  async giveAll(
    scope: Scope,
    existing: string | null,
    free: readonly WantedIdentifier[],
    all: readonly WantedIdentifier[],
    about: About,
    digest: string | null,
    fingerprint: string,
    cause: Cause,
  ): Promise<Done<ProvidedSubject> | Refusal | null> {
    const at = this.clock();
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
            existing,
          );
    if (!reserved) return null;
    const { subjectId } = reserved;
    const idOf = new Map(free.map(({ reference }, i) => [referenceText(reference), reserved.identifierIds[i]!]));
    const identifiers: ReservedIdentifier[] = [];
    for (const wanted of all) {
      const identifierId =
        idOf.get(referenceText(wanted.reference)) ?? (await this.ownIdentifier(scope, subjectId, wanted.reference));
      if (identifierId !== null) identifiers.push({ ...wanted, identifierId });
    }
    const stream = subjectStream(scope, subjectId);
    const written = await this.streams.execute<Happened<DomainEvent>[] | 'closed'>(
      stream,
      await this.vault.cipherOf(subjectId),
      ({ state }) => {
        const { merged, erasedAt } = standingOf(state.subject);
        if (merged || erasedAt !== null) return { append: [], answer: () => 'closed' as const };
        const decided = provideSubject({ subjectId, createdAt: at, ...about }, identifiers, state.subject);
        if (isRefusal(decided)) return decided;
        const metadata = {
          requestId: cause.requestId,
          actor: cause.actor,
          recordedAt: at,
          ...(digest !== null && { idempotencyKey: digest, fingerprint }),
        };
        const append = decided.events.map((event, i): Intent => ({
          event,
          id: digest === null ? randomUUID() : uuidV5(`${digest}/${i}`),
          metadata,
        }));
        return { append, answer: (happened) => [...happened] };
      },
      { isNew: existing === null },
    );
    if (isRefusal(written)) return written;
    if (written === 'closed') return null;
    return this.provided(scope, subjectId, written);
  }

  /** What a request under this key was answered, from the stream on which it stands. */
  async replay(scope: Scope, reference: Reference, digest: string): Promise<Done<ProvidedSubject> | null> {
    const owner = await this.vault.find(scope, reference);
    return (
      owner &&
      seek(owner.subjectId, async (subjectId) => {
        const stream = subjectStream(scope, subjectId);
        const { keys, state } = await this.streams.load(stream);
        const kept = keys.get(digest);
        return {
          state: state.subject,
          found: kept
            ? await this.provided(
                scope,
                subjectId,
                await this.streams.at(stream, kept.revisions, await this.vault.cipherOf(subjectId)),
              )
            : null,
        };
      })
    );
  }

  /** The answer to a request that led to these events; where there are none, the subject as it is. */
  private async provided(
    scope: Scope,
    subjectId: string,
    events: readonly Happened<DomainEvent>[],
  ): Promise<Done<ProvidedSubject>> {
    const last = events.at(-1);
    const subject = await this.lookup.view(scope, subjectId, last && writtenBy(last));
    return {
      answer: { subject, created: events.some(({ type }) => type === 'SubjectCreated') },
      position: last?.position ?? null,
    };
  }

  /** The id of an identifier that the vault knows to be the subject's own; null where it is an absorbed subject's. */
  private async ownIdentifier(scope: Scope, subjectId: string, reference: Reference): Promise<string | null> {
    const found = await this.vault.find(scope, reference);
    return found?.subjectId === subjectId ? found.identifierId : null;
  }
}

export const busy = (): Refusal => ({
  refused: true,
  code: 'state_conflict',
  message: 'Others kept changing these subjects at the same time.',
  hint: 'Repeat the request; nothing was recorded.',
  issues: [],
});
