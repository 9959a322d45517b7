import { Inject, Injectable } from '@nestjs/common';
import {
  CATALOGUE,
  PRESENTATIONS,
  shownPurpose,
  termsOf,
  type Catalogue,
  type Presentation,
  type Presentations,
  type ShownPurpose,
} from '../../catalogue/index.js';
import {
  epochMs,
  isRefusal,
  newId,
  parseInstant,
  type FieldCipher,
  type Instant,
  type Refusal,
} from '../../kernel/index.js';
import { provenanceOf, type Caller } from '../../http/caller.js';
import { idBytes } from '../../engines/id-bytes.js';
import { readPlace } from '../../policy/services.js';
import type { Answered, KeyedDecision, Recorded, SubjectWriter, Written } from '../../subjects/services.js';
import { needsOwnCountry, openedCountry } from '../circumstances.js';
import { checkRecord, recordConsent, type RecordConsent } from '../decide.js';
import type { ConsentRecordedData } from '../events.js';
import { givenAtOf, givenTwice, withoutAge } from '../given.js';
import { checkedTwice } from '../shown/display.js';
import { consentRefusals } from '../refusals.js';
import type { ConsentState } from '../state.js';
import { recordView, type ConsentRecordView } from '../view.js';
import type { RecordConsentDto } from './dto.js';

/** Injection token of the SubjectWriter of this context. */
export const CONSENT_WRITER = Symbol('ConsentWriter');
export type ConsentWriter = SubjectWriter<ConsentState>;

export const CONSENT_PATH = '/v1/consent';

export type AnsweredRecord = Answered<ConsentRecordView>;

type ConsentDecision = KeyedDecision<ConsentState>['decide'];

/** From a request to the decision that it asks for. */
@Injectable()
export class RecordRequests {
  constructor(
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(PRESENTATIONS) private readonly presentations: Presentations,
  ) {}

  /** The decision; or why it is refused, as far as that can be known before any subject is looked up or made. */
  decisionOf(
    caller: Caller,
    input: RecordConsentDto,
    gpcHeader: boolean,
    at: Instant,
  ): ConsentDecision | Promise<ConsentDecision> {
    const token = input.collection?.presentationToken;
    if (token === undefined) return this.decisionOn(caller, input, null, gpcHeader, at);
    return this.presentations
      .read(caller, token, givenAtOf(input, at) ?? at)
      .then((presentation) => this.decisionOn(caller, input, presentation, gpcHeader, at));
  }

  /** `presentation`: what the token of the record says was shown, or why it does not count; null: none came with it. */
  private decisionOn(
    caller: Caller,
    input: RecordConsentDto,
    presentation: Presentation | Refusal | null,
    gpcHeader: boolean,
    at: Instant,
  ): ConsentDecision {
    const shown = presentation && shownIn(presentation, input);
    // The text that was shown is the one that is decided on, also where a newer one was published since.
    const { version, locale } =
      shown && !isRefusal(shown) ? shown : { version: input.purposeVersion, locale: input.collection?.locale };
    const terms = termsOf(this.catalogue.of(caller), input.purpose, version, locale === undefined ? [] : [locale], at);
    if ('unknown' in terms)
      return terms.unknown === 'purpose'
        ? consentRefusals.purposeUnknown(input.purpose, Object.keys(this.catalogue.of(caller).purposes))
        : consentRefusals.purposeVersionUnknown();
    if (isRefusal(shown)) return shown;
    const twice = givenTwice(input) ?? checkedTwice(input);
    if (twice) return twice;
    const { subject, purposeVersion: _, expiresAt, source = 'API', jurisdiction, ...rest } = withoutAge(input);
    const givenAt = givenAtOf(input, at);
    const place = jurisdiction && readPlace(jurisdiction, 'jurisdiction.');
    if (isRefusal(place)) return place;
    const command: RecordConsent = {
      recordId: newId('rec', epochMs(at), idBytes),
      source,
      provenance: provenanceOf(caller, subject),
      ...rest,
      ...(place && { jurisdiction: place }),
      ...(presentation && !isRefusal(presentation) && { presentation }),
      givenAt,
      ...(expiresAt !== undefined && { expiresAt: parseInstant(expiresAt)! }),
      ...(caller.kind === 'pk' &&
        gpcHeader &&
        input.signals?.gpc === undefined && { signals: { ...input.signals, gpc: true } }),
    };
    const ownCountry = (state: ConsentState, cipher: FieldCipher): string | null =>
      needsOwnCountry(state) ? openedCountry(state, cipher) : null;
    return (
      checkRecord(command, terms, at) ??
      ((state, _, cipher) => recordConsent(command, terms, state, at, ownCountry(state, cipher)))
    );
  }
}

/** The purpose as it was shown for a record; or why what was shown does not prove it. */
const shownIn = (
  presentation: Presentation | Refusal,
  { purpose, purposeVersion, collection }: RecordConsentDto,
): ShownPurpose | Refusal =>
  isRefusal(presentation)
    ? presentation
    : shownPurpose(presentation, purpose, { purposeVersion, bannerVersion: collection?.bannerVersion });

/** The answer to a request that led to these events. */
export function recordedIn({ subjectId, events }: Written): Recorded<ConsentRecordView> {
  const event = events.find(({ type }) => type === 'ConsentRecorded')!;
  return {
    view: recordView(subjectId, event.revision, event.data as ConsentRecordedData),
    position: event.position,
    batch: event.metadata.batch,
  };
}
