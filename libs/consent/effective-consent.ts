import type { Instant, Position, Reader, Reference, Work } from '../kernel/index.js';
import type { DatedRule } from '../policy/index.js';
import type { Asked } from './circumstances.js';
import type { VendorChoice } from './vendor-choice.js';
import type { PurposeView } from './view.js';

/** What is asked about a subject's consent: about whom, from where, of which moment, and what the caller has already. */
export interface ConsentQuestion {
  caller: Reader;
  /** As text where the caller has not parsed it yet. */
  ref: string | Reference;
  asked: Asked;
  options: {
    /** Fold the stream instead of reading rows. */
    fresh: boolean;
    /** The state as given at that instant. Absent: now. */
    asOf?: Instant;
    /** As the service knew it then. Absent: now. */
    knownAt?: Instant;
    /** The caller's own last write. */
    after: Position | null;
    ifNoneMatch: string | undefined;
    /** Takes down what is read from the log for `fresh`, `asOf` and `knownAt`. */
    work: Work;
  };
}

/** All that holds of a subject's consent at a moment and in a place: every answer about it is made of this. */
export interface ConsentStanding {
  /** Null where nothing was ever recorded. */
  subjectId: string | null;
  revision: number;
  at: Instant;
  /** The effective state of every purpose that is in force or was ever decided on, as GET /v1/subjects/{ref}/consent answers it. */
  purposes: Readonly<Record<string, PurposeView>>;
  /** Decisions about single vendors; absent where there are none. */
  vendors: readonly VendorChoice[] | undefined;
  /** Global Privacy Control, as recorded or on this very request; `since` is null where only the request has it. */
  gpc: { active: boolean; since: Instant | null };
  /** The rule of the place that decided. */
  dated: DatedRule;
}

/** Answers questions about consent for others than consent itself, by the same rules and with the same ETags. */
export interface EffectiveConsent {
  /** From where a request asks, and with which signal: of headers only those of the person's own browser count. */
  asked(
    headers: Readonly<Record<string, string | string[] | undefined>>,
    caller: { kind: 'pk' | 'sk' | 'operator' | 'none' },
    place: { country?: string; region?: string },
  ): Asked;

  /**
   * `besides`: of all else that the caller's answer is made of, for the ETag. `standing` is null where the caller has this
   * answer already. Throws Refused where the reference is none or its subject was erased.
   */
  find(
    question: ConsentQuestion,
    besides: (at: Instant) => string,
  ): Promise<{ etag: string; standing: ConsentStanding | null }>;
}

/** Injection token of the EffectiveConsent, for the read-api. */
export const EFFECTIVE_CONSENT = Symbol('EffectiveConsent');
