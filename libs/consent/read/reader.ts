import { Inject, Injectable } from '@nestjs/common';
import { SubjectReads } from '../../access/index.js';
import { CATALOGUE, ownRulesOf, type Catalogue } from '../../catalogue/index.js';
import type { Stream } from '../../streams/stream.js';
import { CLOCK, type Clock, type Instant, type Scope } from '../../kernel/index.js';
import { Vault } from '../../vault/vault.js';
import { Snapshots, type Snapshot } from '../../subjects/index.js';
import { dataDigest, ruleAt } from '../../policy/index.js';
import { circumstancesOf, needsOwnCountry, openedCountry, turningPointsOf, type Asked } from '../circumstances.js';
import type { ConsentStanding } from '../effective-consent.js';
import { explanation } from '../explanation.js';
import { mergeConsent } from '../merge.js';
import { CONSENT_STREAMS, consentFold, type ConsentState, type FoldedByConsent } from '../state.js';
import { consentStanding, consentStateView, purposeInForce, type ConsentStateView } from '../state-view.js';

/** A subject's consent as something knows it: a row, or a fold. */
export type ConsentSnapshot = Snapshot<ConsentState>;

/** The moments at which the clock alone changes the answer. */
export const turningPoints = (snapshot: ConsentSnapshot): Instant[] => turningPointsOf(snapshot.state);

/** Answers questions about consent from a snapshot, by the same pure functions wherever the snapshot is from. */
@Injectable()
export class ConsentReader extends Snapshots<ConsentState, FoldedByConsent> {
  constructor(
    @Inject(CONSENT_STREAMS) streams: Stream<ConsentState, FoldedByConsent>,
    @Inject(Vault) private readonly vault: Vault,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(SubjectReads) reads: SubjectReads,
  ) {
    super(streams, vault, reads, { ...consentFold, part: 'consent', merge: mergeConsent });
  }

  async view(
    scope: Scope,
    snapshot: ConsentSnapshot,
    wanted: readonly string[] | undefined,
    at: Instant,
    asked: Asked,
  ): Promise<ConsentStateView> {
    const ownCountry = await this.ownCountry(snapshot, asked);
    return consentStateView(snapshot, this.catalogue.of(scope), wanted, { at, now: this.clock() }, asked, ownCountry);
  }

  async standing(scope: Scope, snapshot: ConsentSnapshot, at: Instant, asked: Asked): Promise<ConsentStanding> {
    const ownCountry = await this.ownCountry(snapshot, asked);
    return consentStanding(snapshot, this.catalogue.of(scope), { at, now: this.clock() }, asked, ownCountry);
  }

  async explain(
    scope: Scope,
    snapshot: ConsentSnapshot,
    purpose: string,
    at: Instant,
    asked: Asked,
  ): Promise<ReturnType<typeof explanation> | null> {
    const catalogue = this.catalogue.of(scope);
    const inForce = purposeInForce(catalogue, purpose, { at, now: this.clock() });
    if (!inForce) return null;
    const ownCountry = await this.ownCountry(snapshot, asked);
    const circumstances = circumstancesOf(at, asked, snapshot.state, ownCountry, ownRulesOf(catalogue));
    return explanation(inForce, snapshot.state, circumstances);
  }

  /** The subject's own country in clear, where it decides. */
  private async ownCountry({ subjectId, state }: ConsentSnapshot, asked: Asked): Promise<string | null> {
    if (subjectId === null || !needsOwnCountry(state, asked)) return null;
    return openedCountry(state, await this.vault.cipherOf(subjectId));
  }

  /** The keys of all purposes of the site, for the one that was most likely meant. */
  purposeKeys(scope: Scope): string[] {
    return Object.keys(this.catalogue.of(scope).purposes);
  }

  /**
   * All that decides an answer besides the subject and the filters: catalogue, data of the law, and the rule of the place
   * that is asked about. Where none is, the subject's own place decides, of which the revision and the turning points tell.
   */
  tag(scope: Scope, at: Instant, { place, gpcOnRequest }: Asked): string {
    const law = place && `${place.region ?? place.country}:${ruleAt(place, at).id}`;
    return `${this.catalogue.tag(scope, at)}.${dataDigest()}${law ? `.${law}` : ''}${gpcOnRequest ? '.g' : ''}`;
  }
}
