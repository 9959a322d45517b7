import { Inject, Injectable } from '@nestjs/common';
import { CATALOGUE, templateInForce, templateView, type Catalogue } from '../../../catalogue/index.js';
import {
  CLOCK,
  derivedId,
  epochMs,
  happened,
  isRefusal,
  openSealed,
  type Clock,
  type Decision,
  type DomainEvent,
  type FieldCipher,
  type Instant,
  type Reference,
  type Refusal,
} from '../../../kernel/index.js';
import { Vault } from '../../../vault/vault.js';
import {
  checkPreferences,
  setPreferences,
  shownState,
  verifiedByChannel,
  wishOf,
  type PreferenceState,
  type SetPreferences,
  type Wish,
} from '../../../preferences/index.js';
import type { SubjectRectifiedData, WholeState } from '../../../subjects/index.js';
import {
  SUBJECT_RIGHTS,
  type Rectification,
  type SubjectRights,
  WHOLE_WRITER,
  type SubjectWriter,
} from '../../../subjects/services.js';
import type { Correction, RequestEffect } from '../../events.js';
import { dataRequestRefusals } from '../../refusals.js';
import type { DataRequest } from '../../state.js';
import { keyIdOf, type Completing, type Effect, type PlannedCorrection, type PlannedEffect } from './effect.js';
import { onRequest } from './subject-effects.js';

/** A correction with the place at which it stood. */
type Placed = Correction & { path: string };

/**
 * RECTIFICATION: identifiers are added, replaced and removed, country, language and preferences put right. What was sent
 * with the completion counts, else what the requester asked for.
 */
@Injectable()
export class RectificationEffect implements Effect {
  constructor(
    @Inject(SUBJECT_RIGHTS) private readonly rights: SubjectRights,
    @Inject(WHOLE_WRITER) private readonly writer: SubjectWriter<WholeState>,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    private readonly vault: Vault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async plan({ scope, request, actor }: Completing): Promise<PlannedEffect | Refusal> {
    const corrections = correctionsOf(request);
    const subject = await this.writer.find(scope, { kind: 'subject', value: request.subjectId });
    if (!subject) return dataRequestRefusals.subjectErased();
    const { subjectId, state } = subject;
    const refused = await this.rights.refusesRectification(scope, subjectId, rectificationOf(request, corrections));
    if (refused) return refused;
    const at = this.clock();
    const command = this.preferencesOf({ scope, request, actor }, corrections, at);
    if (isRefusal(command)) return command;
    const known = await this.rights.known(scope, subjectId);
    const cipher = await this.vault.cipherOf(subjectId);
    const preferences = state.parts['preferences'] as PreferenceState;
    const wishes = [...(command?.wishes ?? [])];
    const planned = corrections.map((correction): PlannedCorrection => {
      const { kind, value, replaces = null } = correction;
      if (kind === 'preference') return plannedWish(wishes.shift()!, preferences, cipher, at);
      const before = kind === 'country' || kind === 'locale' ? known[kind] : replaces;
      return { kind, field: null, before, after: shown(value) };
    });
    return { kind: 'RECTIFICATION', corrections: planned };
  }

  async carryOut({ scope, request, actor }: Completing): Promise<RequestEffect | Refusal> {
    const corrections = correctionsOf(request);
    const at = this.clock();
    const command = this.preferencesOf({ scope, request, actor }, corrections, at);
    if (isRefusal(command)) return command;
    const also = ({ parts }: WholeState): Decision<DomainEvent> =>
      command ? setPreferences(command, parts['preferences'] as PreferenceState, at) : happened();
    const wanted = rectificationOf(request, corrections);
    const done = await this.rights.rectify(
      scope,
      request.subjectId,
      wanted,
      onRequest({ scope, request, actor }),
      also,
    );
    return isRefusal(done) ? done : effectOf(done.answer);
  }

  /** What is to be recorded of preferences; null where no correction is about them. */
  private preferencesOf(
    { scope, request, actor }: Completing,
    corrections: readonly Placed[],
    at: Instant,
  ): SetPreferences | Refusal | null {
    const template = templateInForce(this.catalogue.of(scope), at);
    const wishes: Wish[] = [];
    for (const { kind, field = '', value, path } of corrections) {
      if (kind !== 'preference') continue;
      const wish = wishOf(template, { field, value }, undefined, path);
      if (isRefusal(wish)) return wish;
      wishes.push(wish);
    }
    if (wishes.length === 0) return null;
    const { version, locale, contentHash } = templateView(template, []);
    const isPortal = request.source === 'PORTAL';
    const command: SetPreferences = {
      recordId: derivedId('rec', epochMs(at), `${request.id}/corrections`),
      wishes,
      source: 'API',
      template: { version, locale, contentHash },
      collection: isPortal ? { method: 'SAVE_CHOICES', surface: 'FORM' } : { method: 'OPERATOR', surface: 'API' },
      metadata: { dataRequest: request.id },
      provenance: { keyId: keyIdOf(actor) },
      verifiedBy: verifiedByChannel(template),
    };
    return checkPreferences(command, at) ?? command;
  }
}

function correctionsOf({ texts }: DataRequest): Placed[] {
  const kept = texts.corrections ?? texts.proposed ?? [];
  return kept.map((each, i) => ({ ...(each as Correction), path: `corrections[${i}]` }));
}

/** What the requester alone says to be theirs is not known to be. */
function rectificationOf({ texts }: DataRequest, corrections: readonly Placed[]): Rectification {
  const verified = texts.corrections !== undefined;
  const added: Rectification['added'][number][] = [];
  const removed: Rectification['removed'][number][] = [];
  const facts: Partial<Record<'country' | 'locale', string | null>> = {};
  for (const { kind, value, replaces, path } of corrections) {
    if (kind === 'preference') continue;
    if (kind === 'country' || kind === 'locale') {
      facts[kind] = value as string | null;
      continue;
    }
    const named = (text: string): Reference => ({ kind: kind as Reference['kind'], value: text });
    if (value !== null) added.push({ reference: named(String(value)), path: `${path}.value`, verified });
    if (replaces !== undefined) removed.push({ reference: named(replaces), path: `${path}.replaces` });
  }
  return { added, removed, ...facts };
}

function effectOf({
  addedIds,
  removedIds,
  events,
}: {
  addedIds: string[];
  removedIds: string[];
  events: readonly DomainEvent[];
}): RequestEffect {
  const rectified = events.flatMap(({ type, data }) =>
    type === 'SubjectRectified'
      ? (['locale', 'country'] as const).filter((name) => (data as SubjectRectifiedData)[name] !== undefined)
      : [],
  );
  const recordIds = events.flatMap(({ type, data }) =>
    type === 'PreferenceSet' ? [(data as { recordId: string }).recordId] : [],
  );
  return {
    kind: 'RECTIFICATION',
    identifierIds: addedIds,
    ...(removedIds.length > 0 && { removedIdentifierIds: removedIds }),
    ...(rectified.length > 0 && { rectified }),
    ...(recordIds.length > 0 && { recordIds }),
  };
}

function plannedWish(
  { field, resolved, value }: Wish,
  { topics, fields }: PreferenceState,
  cipher: FieldCipher,
  at: Instant,
): PlannedCorrection {
  const before =
    resolved.kind === 'topic' ? shownState(topics[field], at) : shown(openSealed(fields[field]?.value, () => cipher));
  const after = resolved.kind === 'topic' ? (value === true ? 'GRANTED' : 'DENIED') : shown(value);
  return { kind: 'preference', field, before, after };
}

const shown = (value: unknown): string | null =>
  value === null || value === undefined ? null : Array.isArray(value) ? value.join(', ') : String(value);
