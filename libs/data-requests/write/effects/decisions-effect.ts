import { Inject, Injectable } from '@nestjs/common';
import {
  CATALOGUE,
  templateInForce,
  templateView,
  termsOf,
  versionInForce,
  type Catalogue,
  type CatalogueState,
} from '../../../catalogue/index.js';
import { recordConsent, type Collection, type ConsentState, type RecordConsent } from '../../../consent/index.js';
import {
  CLOCK,
  derivedId,
  epochMs,
  happened,
  isRefusal,
  uuidV5,
  type Clock,
  type Decision,
  type DomainEvent,
  type Instant,
  type Refusal,
} from '../../../kernel/index.js';
import { setPreferences, type PreferenceState } from '../../../preferences/index.js';
import type { WholeState } from '../../../subjects/index.js';
import { WHOLE_WRITER, type SubjectWriter } from '../../../subjects/services.js';
import type { RequestEffect } from '../../events.js';
import { endsMessages, refusedPurposes, type KnownPurpose, type RefusedPurpose } from '../../refused-purposes.js';
import { dataRequestRefusals } from '../../refusals.js';
import { ownKey } from '../../../commands/own-key.js';
import { keyIdOf, type Completing, type Effect, type PlannedEffect } from './effect.js';

/** What a request comes to on the state that was just read. */
interface Refusals {
  purposes: readonly RefusedPurpose[];
  globalOptOut: boolean;
}

/** WITHDRAW_ALL, OBJECTION and the opt-outs: the decisions are recorded in one append, all or none. */
@Injectable()
export class DecisionsEffect implements Effect {
  constructor(
    @Inject(WHOLE_WRITER) private readonly writer: SubjectWriter<WholeState>,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async plan({ scope, request }: Completing): Promise<PlannedEffect | Refusal> {
    const subject = await this.writer.find(scope, { kind: 'subject', value: request.subjectId });
    if (!subject) return dataRequestRefusals.subjectErased();
    const at = this.clock();
    const { purposes, globalOptOut } = refusalsOf(request.type, this.catalogue.of(scope), subject.state, at);
    return { kind: 'DECISIONS', decisions: purposes, globalOptOut };
  }

  async carryOut({ scope, request, actor }: Completing): Promise<RequestEffect | Refusal> {
    const at = this.clock();
    const catalogue = this.catalogue.of(scope);
    const written = await this.writer.write(
      { scope, reference: { kind: 'subject', value: request.subjectId }, mustBeKnown: 'subject' },
      {
        key: ownKey(`decisions of ${request.id}`),
        claim: 'RESUMED',
        usedSince: request.receivedAt,
        decide: (state) => decisionsOf({ scope, request, actor }, catalogue, state, at),
        idOf: (_, i) => uuidV5(`${request.id}/decisions/${i}`),
      },
      { actor, at },
    );
    if (isRefusal(written)) return written;
    const recordIds = written.answer.events.map(({ data }) => (data as { recordId: string }).recordId);
    return { kind: 'DECISIONS', recordIds };
  }
}

function refusalsOf(
  type: Completing['request']['type'],
  catalogue: CatalogueState,
  { parts }: WholeState,
  at: Instant,
): Refusals {
  const preferences = parts['preferences'] as PreferenceState;
  return {
    purposes: refusedPurposes(type, knownPurposes(catalogue, at), parts['consent'] as ConsentState, at),
    globalOptOut: endsMessages(type) && preferences.globalOptOut?.active !== true,
  };
}

const knownPurposes = (catalogue: CatalogueState, at: Instant): KnownPurpose[] =>
  Object.values(catalogue.purposes).flatMap((purpose) => {
    const definition = versionInForce(purpose, at)?.definition;
    return definition ? [definition] : [];
  });

function decisionsOf(
  { request, actor }: Completing,
  catalogue: CatalogueState,
  whole: WholeState,
  at: Instant,
): Decision<DomainEvent> {
  const { purposes, globalOptOut } = refusalsOf(request.type, catalogue, whole, at);
  const recordIdOf = (name: string): string => derivedId('rec', epochMs(at), `${request.id}/${name}`);
  const collection: Collection =
    request.source === 'PORTAL' ? { method: 'SAVE_CHOICES', surface: 'FORM' } : { method: 'OPERATOR', surface: 'API' };
  const why = { metadata: { dataRequest: request.id }, provenance: { keyId: keyIdOf(actor) }, collection };
  const consent = whole.parts['consent'] as ConsentState;
  const events: DomainEvent[] = [];
  for (const { purpose, decision } of purposes) {
    const terms = termsOf(catalogue, purpose, undefined, [], at);
    if ('unknown' in terms) continue;
    const command: RecordConsent = { recordId: recordIdOf(purpose), purpose, decision, source: 'API', ...why };
    const decided = recordConsent(command, terms, consent, at);
    if (isRefusal(decided)) return decided;
    events.push(...decided.events);
  }
  if (globalOptOut) {
    const { version, locale, contentHash } = templateView(templateInForce(catalogue, at), []);
    const template = { version, locale, contentHash };
    const command = { recordId: recordIdOf('preferences'), wishes: [], globalOptOut, source: 'API' as const, template };
    const preferences = whole.parts['preferences'] as PreferenceState;
    const decided = setPreferences({ ...command, ...why, verifiedBy: {} }, preferences, at);
    if (isRefusal(decided)) return decided;
    events.push(...decided.events);
  }
  return happened(...events);
}
