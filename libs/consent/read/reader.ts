import { Inject, Injectable } from '@nestjs/common';
import { CATALOGUE, type Catalogue } from '../../catalogue/index.js';
import type { Stream } from '../../event-log/stream.js';
import { CLOCK, type Clock, type Instant, type Scope } from '../../kernel/index.js';
import { Vault } from '../../platform/vault/vault.js';
import { Snapshots, type Snapshot } from '../../subjects/index.js';
import { mergeConsent } from '../merge.js';
import { CONSENT_STREAMS, consentFold, expiryInstants, type ConsentState, type FoldedByConsent } from '../state.js';
import { circumstancesOf, consentStateView, purposeInForce, type ConsentStateView, type Place } from '../state-view.js';
import { permission, type Effective, type EffectiveReason, type Reasoning } from '../view.js';

/** A subject's consent as something knows it: a row, or a fold. */
export type ConsentSnapshot = Snapshot<ConsentState>;

/** The moments at which the clock alone changes the answer. */
export const turningPoints = (snapshot: ConsentSnapshot): Instant[] => expiryInstants(snapshot.state);

/** Answers questions about consent from a snapshot, by the same pure functions wherever the snapshot is from. */
@Injectable()
export class ConsentReader extends Snapshots<ConsentState, FoldedByConsent> {
  constructor(
    @Inject(CONSENT_STREAMS) streams: Stream<ConsentState, FoldedByConsent>,
    @Inject(Vault) vault: Vault,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(CLOCK) readonly clock: Clock,
  ) {
    super(streams, vault, { ...consentFold, part: 'consent', merge: mergeConsent });
  }

  view(
    scope: Scope,
    snapshot: ConsentSnapshot,
    wanted: readonly string[] | undefined,
    at: Instant,
    place: Place,
  ): ConsentStateView {
    return consentStateView(snapshot, this.catalogue.of(scope), wanted, { at, now: this.clock() }, place);
  }

  explain(
    scope: Scope,
    snapshot: ConsentSnapshot,
    purpose: string,
    at: Instant,
    place: Place,
  ): { effective: Effective; reason: EffectiveReason; because: Reasoning[] } | null {
    const inForce = purposeInForce(this.catalogue.of(scope), purpose, { at, now: this.clock() });
    return inForce && permission(inForce, snapshot.state, circumstancesOf(at, place));
  }

  /** The keys of all purposes of the site, for the one that was most likely meant. */
  purposeKeys(scope: Scope): string[] {
    return Object.keys(this.catalogue.of(scope).purposes);
  }

  /** All that decides an answer besides the subject and the filters. */
  tag(scope: Scope, at: Instant, place: Place): string {
    const { gpcBinds, gpcOnRequest } = circumstancesOf(at, place);
    return `${this.catalogue.tag(scope, at)}${gpcBinds ? 'b' : ''}${gpcOnRequest ? 'g' : ''}`;
  }
}
