import {
  CATALOGUE,
  PRESENTATIONS,
  sameBanner,
  shownPurpose,
  templateInForce,
  templateView,
  type Catalogue,
  type Presentation,
  type Presentations,
} from '../../catalogue/index.js';
import { checkedTwice, givenAtOf, givenTwice, withoutAge } from '../../consent/index.js';
import { Inject, Injectable } from '@nestjs/common';
import { epochMs, isRefusal, newId, type Instant, type Refusal } from '../../kernel/index.js';
import { provenanceOf, type Caller } from '../../http/caller.js';
import { idBytes } from '../../engines/id-bytes.js';
import type { Answered, KeyedDecision, Recorded, Written } from '../../subjects/services.js';
import { checkPreferences, setPreferences, type SetPreferences as PreferenceCommand, type Wish } from '../decide.js';
import type { PreferenceSetData } from '../events.js';
import { verifiedByChannel } from '../known-channels.js';
import type { PreferenceState } from '../state.js';
import { preferenceRecordView, type PreferenceRecordView } from '../view.js';
import { wishOf } from '../wish.js';
import type { SetPreferencesDto } from './dto.js';

export const PREFERENCES_PATH = '/v1/preferences';

export type AnsweredPreferences = Answered<PreferenceRecordView>;
type PreferenceDecision = KeyedDecision<PreferenceState>['decide'];

/** From a request to the decision that it asks for. */
@Injectable()
export class PreferenceRequests {
  constructor(
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(PRESENTATIONS) private readonly presentations: Presentations,
  ) {}

  /** The decision; or why it is refused, as far as that can be known before any subject is looked up or made. */
  decisionOf(caller: Caller, input: SetPreferencesDto, at: Instant): PreferenceDecision | Promise<PreferenceDecision> {
    const token = input.collection?.presentationToken;
    if (token === undefined) return this.decisionOn(caller, input, null, at);
    return this.presentations
      .read(caller, token, givenAtOf(input, at) ?? at)
      .then((presentation) => this.decisionOn(caller, input, presentation, at));
  }

  /** `presentation`: what the token says was shown, or why it does not count; null: none came. */
  private decisionOn(
    caller: Caller,
    input: SetPreferencesDto,
    presentation: Presentation | Refusal | null,
    at: Instant,
  ): PreferenceDecision {
    const template = templateInForce(this.catalogue.of(caller), at);
    const twice = givenTwice(input) ?? checkedTwice(input);
    if (twice) return twice;
    const { subject, channel, values = [], source = 'API', ...rest } = withoutAge(input);
    const givenAt = givenAtOf(input, at);
    const wishes = values.map((value, i) => wishOf(template, value, channel, `values[${i}]`));
    const refused = wishes.find(isRefusal);
    if (refused) return refused;
    if (isRefusal(presentation)) return presentation;
    const other = presentation && notShown(presentation, wishes as Wish[], input.collection?.bannerVersion);
    if (other) return other;
    const { version, locale, contentHash } = templateView(
      template,
      input.collection?.locale === undefined ? [] : [input.collection.locale],
    );
    const command: PreferenceCommand = {
      ...rest,
      recordId: newId('rec', epochMs(at), idBytes),
      wishes: wishes as Wish[],
      source,
      ...(presentation && { presentation }),
      givenAt,
      template: { version, locale, contentHash },
      provenance: provenanceOf(caller, subject),
      verifiedBy: verifiedByChannel(template),
    };
    return checkPreferences(command, at) ?? ((state) => setPreferences(command, state, at));
  }
}

/** Why a token does not prove what was shown: a field that stands for a purpose needs that purpose to have been shown. */
function notShown(
  presentation: Presentation,
  wishes: readonly Wish[],
  bannerVersion: number | undefined,
): Refusal | null {
  for (const [i, { resolved }] of wishes.entries()) {
    const { purposeKey } = resolved.definition;
    const shown = purposeKey === null ? null : shownPurpose(presentation, purposeKey, {}, `values[${i}].field`);
    if (isRefusal(shown)) return shown;
  }
  return sameBanner(presentation, { bannerVersion });
}

/** The answer to a request that led to these events. */
export function preferencesIn({ subjectId, events }: Written): Recorded<PreferenceRecordView> {
  const event = events.find(({ type }) => type === 'PreferenceSet')!;
  return {
    view: preferenceRecordView(subjectId, event.revision, event.data as PreferenceSetData),
    position: event.position,
    batch: event.metadata.batch,
  };
}
