import { Inject, Injectable } from '@nestjs/common';
import {
  CATALOGUE,
  gpcBinds,
  lastMaterialVersion,
  purposeOf,
  purposesInForce,
  versionInForce,
  type Catalogue,
  type CatalogueState,
} from '../../catalogue/index.js';
import type { Stream } from '../../event-log/stream.js';
import { CLOCK, type Clock, type Instant, type Scope } from '../../kernel/index.js';
import { Vault } from '../../platform/vault/vault.js';
import { Snapshots, type Snapshot } from '../../subjects/index.js';
import type { ConsentEvent } from '../events.js';
import { mergeConsent } from '../merge.js';
import { CONSENT_STREAMS, consentFold, expiryInstants, type ConsentState, type FoldedByConsent } from '../state.js';
import {
  permission,
  purposeView,
  type Circumstances,
  type Effective,
  type EffectiveReason,
  type PurposeInForce,
  type PurposeView,
  type Reasoning,
} from '../view.js';

/** A subject's consent as something knows it: a row, or a fold. */
export type ConsentSnapshot = Snapshot<ConsentState>;

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

/** The moments at which the clock alone changes the answer. */
export const turningPoints = (snapshot: ConsentSnapshot): Instant[] => expiryInstants(snapshot.state);

const givenAt = (event: ConsentEvent): Instant =>
  event.type === 'ConsentRecorded' ? event.data.givenAt : event.data.expiredAt;

/** Answers questions about consent from a snapshot, by the same pure functions wherever the snapshot is from. */
@Injectable()
export class ConsentReader extends Snapshots<ConsentState, FoldedByConsent> {
  constructor(
    @Inject(CONSENT_STREAMS) streams: Stream<ConsentState, FoldedByConsent>,
    @Inject(Vault) vault: Vault,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(CLOCK) readonly clock: Clock,
  ) {
    super(streams, vault, { ...consentFold, part: 'consent', merge: mergeConsent, givenAt });
  }

  view(
    scope: Scope,
    snapshot: ConsentSnapshot,
    wanted: readonly string[] | undefined,
    at: Instant,
    place: Place,
  ): ConsentStateView {
    const circumstances = this.circumstances(at, place);
    const catalogue = this.catalogue.of(scope);
    const purposes: Record<string, PurposeView> = {};
    const listed = (): string[] =>
      [
        ...new Set([...purposesInForce(catalogue, at).map(({ key }) => key), ...Object.keys(snapshot.state.purposes)]),
      ].sort();
    for (const purpose of wanted ?? listed()) {
      const inForce = this.purposeInForce(catalogue, purpose, at);
      if (inForce) purposes[purpose] = purposeView(inForce, snapshot.state, circumstances);
    }
    return { subject: { id: snapshot.subjectId }, revision: snapshot.revision, asOf: at, purposes };
  }

  explain(
    scope: Scope,
    snapshot: ConsentSnapshot,
    purpose: string,
    at: Instant,
    place: Place,
  ): { effective: Effective; reason: EffectiveReason; because: Reasoning[] } | null {
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
    return {
      key,
      version: current.version,
      legalBasis,
      consentModel,
      gpc,
      lastMaterialVersion: lastMaterialVersion(purpose, at),
    };
  }

  private circumstances(at: Instant, { country, region, gpcOnRequest }: Place): Circumstances {
    return { at, gpcBinds: gpcBinds(country, region, at), gpcOnRequest };
  }
}
