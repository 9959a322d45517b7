import { Inject, Injectable } from '@nestjs/common';
import { SubjectReads } from '../../access/index.js';
import { CATALOGUE, templateInForce, type Catalogue } from '../../catalogue/index.js';
import {
  isForgotten,
  openSealed,
  type FieldCipher,
  type SealedValue,
  CLOCK,
  type Clock,
  type Instant,
  type Scope,
} from '../../kernel/index.js';
import type { Stream } from '../../streams/stream.js';
import { Vault } from '../../vault/vault.js';
import { Snapshots, type Snapshot } from '../../subjects/index.js';
import type { FieldValue } from '../events.js';
import { knownChannels } from '../known-channels.js';
import { mergePreferences } from '../merge.js';
import {
  isUntouched,
  PREFERENCE_STREAMS,
  preferenceFold,
  preferenceTurningPoints,
  type FoldedByPreferences,
  type PreferenceState,
} from '../state.js';
import { preferencesView, type PreferencesView } from '../view.js';

/** A subject's preferences as something knows them: a row, or a fold. */
export type PreferenceSnapshot = Snapshot<PreferenceState>;

/** The moments at which the clock alone changes the answer. */
export const turningPoints = ({ state }: Pick<PreferenceSnapshot, 'state'>): Instant[] =>
  preferenceTurningPoints(state);

/** Answers what subjects want from a snapshot, by the same pure functions wherever the snapshot is from. */
@Injectable()
export class PreferenceReader extends Snapshots<PreferenceState, FoldedByPreferences> {
  constructor(
    @Inject(PREFERENCE_STREAMS) streams: Stream<PreferenceState, FoldedByPreferences>,
    @Inject(Vault) private readonly vault: Vault,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(SubjectReads) reads: SubjectReads,
  ) {
    // Of whom nothing was said there is no row either, whatever else their streams hold.
    super(streams, vault, reads, {
      ...preferenceFold,
      part: 'preferences',
      merge: mergePreferences,
      revisionOf: (state, lastFolded) => (isUntouched(state) ? -1 : lastFolded),
    });
  }

  async view(scope: Scope, { subjectId, revision, state }: PreferenceSnapshot, at: Instant): Promise<PreferencesView> {
    const ciphers = await this.ciphersOf(state);
    const valueOf = (value: unknown): FieldValue | undefined => {
      const opened = openSealed(value, (id) => ciphers.get(id)!);
      return isForgotten(opened) ? undefined : (opened as FieldValue);
    };
    const catalogue = this.catalogue.of(scope);
    // What was imported can be older than the catalogue.
    const template = templateInForce(catalogue, at) ?? templateInForce(catalogue, this.clock());
    return preferencesView(
      { subjectId, revision, updatedAt: state.updatedAt, choices: state, valueOf },
      knownChannels(template),
      at,
    );
  }

  /** All that decides an answer besides the subject. */
  tag(scope: Scope, at: Instant): string {
    return this.catalogue.tag(scope, at);
  }

  /** The keys of those who said the values: after a merge that may be several. */
  private async ciphersOf({ fields }: PreferenceState): Promise<Map<string, FieldCipher>> {
    const said = new Set(
      Object.values(fields).flatMap(({ value }) =>
        value !== null && typeof value === 'object' && 'of' in value ? [(value as SealedValue).of] : [],
      ),
    );
    return new Map(await Promise.all([...said].map(async (id) => [id, await this.vault.cipherOf(id)] as const)));
  }
}
