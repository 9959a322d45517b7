import { Inject, Injectable } from '@nestjs/common';
import { CATALOGUE, gpcBinds, lastMaterialVersion, purposeOf, purposesInForce, versionInForce, type Catalogue, type CatalogueState } from '../../catalogue/index.js';
import type { SubjectStream } from '../../event-log/subject-stream.js';
import { CLOCK, Refused, subjectStream, type Clock, type Instant, type Reference, type Scope } from '../../kernel/index.js';
import { Vault } from '../../platform/vault/vault.js';
import { arrival, followToRead, standingOf, subjectRefusals, type Step } from '../../subjects/index.js';
import { mergeConsent } from '../merge.js';
import { CONSENT_STREAMS, consentFold, expiryInstants, type ConsentState, type FoldedByConsent } from '../state.js';
import { permission, purposeView, type Circumstances, type Effective, type EffectiveReason, type PurposeInForce, type PurposeView, type Reasoning } from '../view.js';

/** A subject's consent as something knows it: a row, or a fold. */
export interface ConsentSnapshot {
  subjectId: string | null;
  revision: number;
  state: ConsentState;
}

export interface ConsentStateView {
  subject: { id: string | null };
  revision: number;
  asOf: Instant;
  purposes: Record<string, PurposeView>;
}

/** Where and with which signal the question is asked. */
export interface Place {
  country: string | undefined;
  region: string | undefined;
  gpcOnRequest: boolean;
}

export const NOBODY: ConsentSnapshot = { subjectId: null, revision: -1, state: consentFold.initial() };

/** The moments at which the clock alone changes the answer. */
export const turningPoints = (snapshot: ConsentSnapshot): Instant[] => expiryInstants(snapshot.state);

/** An erased subject is looked up again, once: its reference may name a new one by now. */
const MOST_LOOKS = 2;

/** Answers questions about consent from a snapshot, by the same pure functions wherever the snapshot is from. */
@Injectable()
export class ConsentReader {
  constructor(
    @Inject(CONSENT_STREAMS) private readonly streams: SubjectStream<ConsentState, FoldedByConsent>,
    private readonly vault: Vault,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(CLOCK) readonly clock: Clock,
  ) {}

  async subjectOf(scope: Scope, reference: Reference): Promise<string | null> {
    const found = await this.vault.find(scope, reference);
    if (found || reference.kind !== 'subject') return found?.subjectId ?? null;
    // An id that nobody has any more is told from one that nobody ever had.
    const { state } = await this.streams.load(subjectStream(scope, reference.value));
    if (standingOf(state).erasedAt !== null) throw new Refused(subjectRefusals.erased());
    return null;
  }

  /**
   * What a way of reading finds for a reference: of the subject it names, of the one that was merged into, or of nobody
   * where it was erased a moment ago. `known`: whom the reference was found to name just now.
   */
  async find(scope: Scope, reference: Reference, read: (subjectId: string) => Promise<ConsentSnapshot>, known?: string | null): Promise<ConsentSnapshot> {
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      const subjectId = looks === 0 && known !== undefined ? known : await this.subjectOf(scope, reference);
      if (subjectId === null) return NOBODY;
      const { root, path } = await followToRead(subjectId, async (id) => withStanding(await read(id)));
      if (standingOf(root.state).erasedAt === null) return path.length === 0 ? root.state.snapshot : joined(root, path);
      if (reference.kind === 'subject') throw new Refused(subjectRefusals.erased());
      this.vault.forget(scope, reference);
    }
    return NOBODY;
  }

  /** From the stream itself: sees every acknowledged write. */
  async fold(scope: Scope, subjectId: string): Promise<ConsentSnapshot> {
    const { lastFolded, state } = await this.streams.load(subjectStream(scope, subjectId));
    return { subjectId, revision: lastFolded, state };
  }

  /** A row, or what this very process wrote since: where one process does both, a reader never waits for its projector. */
  newest(scope: Scope, row: ConsentSnapshot): ConsentSnapshot {
    const own = row.subjectId === null ? null : this.streams.peek(subjectStream(scope, row.subjectId));
    return own && own.lastFolded > row.revision ? { subjectId: row.subjectId, revision: own.lastFolded, state: own.state } : row;
  }

  /**
   * As given by one instant, and as known by another (bitemporal): later events never happened. A subject that was
   * absorbed is folded the same way, since what is known of it today may be more than what was given then.
   */
  async foldAsOf(scope: Scope, subjectId: string, asOf: Instant | undefined, knownAt: Instant | undefined): Promise<ConsentSnapshot> {
    const known: (FoldedByConsent & { revision: number })[] = [];
    for await (const event of this.streams.forwards(subjectStream(scope, subjectId))) if (knownAt === undefined || event.metadata.recordedAt <= knownAt) known.push(event);
    const reverted = new Set(known.flatMap((event) => (event.type === 'SubjectMergeReverted' && event.data.role === 'SURVIVOR' ? [event.data.mergeId] : [])));
    let snapshot: ConsentSnapshot = { ...NOBODY, subjectId };
    for (const event of known) snapshot = { subjectId, revision: event.revision, state: await this.evolveAsOf(scope, snapshot.state, event, reverted, asOf, knownAt) };
    return snapshot;
  }

  private async evolveAsOf(scope: Scope, state: ConsentState, event: FoldedByConsent, reverted: ReadonlySet<string>, asOf: Instant | undefined, knownAt: Instant | undefined): Promise<ConsentState> {
    switch (event.type) {
      case 'ConsentRecorded':
        return asOf === undefined || event.data.givenAt <= asOf ? consentFold.evolve(state, event) : state;
      case 'ConsentExpired':
        return asOf === undefined || event.data.expiredAt <= asOf ? consentFold.evolve(state, event) : state;
      case 'SubjectsMerged': {
        if (event.data.role === 'ABSORBED') return consentFold.evolve(state, event);
        if (reverted.has(event.data.mergeId)) return state;
        if (asOf === undefined) return consentFold.evolve(state, event);
        const { state: absorbed } = await this.foldAsOf(scope, event.data.absorbedId, asOf, knownAt);
        return consentFold.evolve(state, { ...event, data: { ...event.data, absorbed: { consent: absorbed } } });
      }
      case 'SubjectMergeReverted':
        return event.data.role === 'SURVIVOR' ? state : consentFold.evolve(state, event);
      case 'SubjectErased':
        return consentFold.evolve(state, event);
    }
  }

  view(scope: Scope, snapshot: ConsentSnapshot, wanted: readonly string[] | undefined, at: Instant, place: Place): ConsentStateView {
    const circumstances = this.circumstances(at, place);
    const catalogue = this.catalogue.of(scope);
    const purposes: Record<string, PurposeView> = {};
    const listed = (): string[] => [...new Set([...purposesInForce(catalogue, at).map(({ key }) => key), ...Object.keys(snapshot.state.purposes)])].sort();
    for (const purpose of wanted ?? listed()) {
      const inForce = this.purposeInForce(catalogue, purpose, at);
      if (inForce) purposes[purpose] = purposeView(inForce, snapshot.state, circumstances);
    }
    return { subject: { id: snapshot.subjectId }, revision: snapshot.revision, asOf: at, purposes };
  }

  explain(scope: Scope, snapshot: ConsentSnapshot, purpose: string, at: Instant, place: Place): { effective: Effective; reason: EffectiveReason; because: Reasoning[] } | null {
    const inForce = this.purposeInForce(this.catalogue.of(scope), purpose, at);
    return inForce && permission(inForce, snapshot.state, this.circumstances(at, place));
  }

  /** All that decides an answer besides the subject and the filters. */
  tag(scope: Scope, at: Instant, place: Place): string {
    return `${this.catalogue.tag(scope, at)}${this.circumstances(at, place).gpcBinds ? 'b' : ''}${place.gpcOnRequest ? 'g' : ''}`;
  }

  /** Imported decisions can be older than the catalogue: a time before a purpose was first in force is judged by its first version. */
  private purposeInForce(catalogue: CatalogueState, key: string, at: Instant): PurposeInForce | null {
    const purpose = purposeOf(catalogue, key);
    const now = this.clock();
    const current = versionInForce(purpose, at) ?? purpose?.versions.find(({ effectiveFrom }) => effectiveFrom <= now);
    if (!purpose || !current) return null;
    const { legalBasis, consentModel, gpc } = current.definition;
    return { key, version: current.version, legalBasis, consentModel, gpc, lastMaterialVersion: lastMaterialVersion(purpose, at) };
  }

  private circumstances(at: Instant, { country, region, gpcOnRequest }: Place): Circumstances {
    return { at, gpcBinds: gpcBinds(country, region, at), gpcOnRequest };
  }
}

interface Found {
  standing: ReturnType<typeof standingOf>;
  snapshot: ConsentSnapshot;
}

const withStanding = (snapshot: ConsentSnapshot): Found => ({ standing: standingOf(snapshot.state), snapshot });

/** The survivor's state; what has not arrived there yet, because the merge is just being made, is added here. */
function joined(root: Step<Found>, path: readonly Step<Found>[]): ConsentSnapshot {
  let { state } = root.state.snapshot;
  for (const [i, step] of path.entries()) {
    const { merged } = step.state.standing;
    if (merged && arrival(merged.mergeId, step.subjectId, [...path.slice(i + 1), root]) === null) state = mergeConsent(state, step.state.snapshot.state, merged);
  }
  return { ...root.state.snapshot, state };
}
