import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  CLOCK,
  isRefusal,
  Refused,
  subjectStream,
  type Clock,
  type Instant,
  type Reference,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import type { Caller } from '../../platform/http/caller.js';
import type { Done } from '../../platform/idempotency/once.js';
import { eraseSubject, restrict } from '../decide.js';
import type { WholeState } from '../parts.js';
import { subjectRefusals } from '../refusals.js';
import type { OnRequest, SubjectRights } from '../rights.js';
import { WHOLE_WRITER, type SubjectWriter } from '../writer.js';
import { AddIdentifier, AddIdentifierHandler } from './add-identifier.handler.js';
import { EraseSubject, EraseSubjectHandler, type Erasing } from './erase-subject.handler.js';
import { SubjectRegistrar } from './registrar.js';
import { ERASING } from '../tokens.js';
import { Resolver } from './resolver.js';

/** Carries out what subjects demand, each thing under a key that nobody outside can send. */
@Injectable()
export class Rights implements SubjectRights {
  constructor(
    @Inject(WHOLE_WRITER) private readonly writer: SubjectWriter<WholeState>,
    @Inject(ERASING) private readonly erasing: Erasing,
    private readonly resolver: Resolver,
    private readonly registrar: SubjectRegistrar,
    private readonly eraser: EraseSubjectHandler,
    private readonly identifiers: AddIdentifierHandler,
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
    const digest = createHash('sha256').update(keyOf(on)).digest('hex');
    const written = await this.writer.write(
      { scope, reference: { kind: 'subject', value: subjectId }, mustBeKnown: 'subject' },
      {
        key: { digest, fingerprint: digest },
        claim: 'RESUMED',
        usedSince: on.since,
        decide: ({ subject }) => restrict(null, `data request ${on.request}`, subject, at),
      },
      { actor: on.actor, at },
    );
    return isRefusal(written) ? written : { answer: null, position: written.position };
  }

  async addIdentifiers(
    scope: Scope,
    subjectId: string,
    identifiers: readonly Reference[],
    on: OnRequest,
  ): Promise<Done<{ identifierId: string }[]> | Refusal> {
    const added: { identifierId: string }[] = [];
    let position: bigint | null = null;
    for (const [i, { kind, value }] of identifiers.entries()) {
      const caller = { ...callerOf(scope, on), identifierKinds: [kind] };
      const input = { kind, value, verified: true };
      const done = await orRefusal(
        this.identifiers.execute(new AddIdentifier(caller, refOf(subjectId), input, `${keyOf(on)}/${i}`)),
      );
      if (isRefusal(done)) return done;
      position = done.position ?? position;
      const own = done.answer.subject.identifiers.find((each) => each.kind === kind && each.value === value);
      if (own) added.push({ identifierId: own.id });
    }
    return { answer: added, position };
  }
}

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
