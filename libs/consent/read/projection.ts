import { defineProjection } from '../../following/projections/projection.js';
import { subjectOfStream, type Environment, type Instant } from '../../kernel/index.js';
import { standingOf } from '../../subjects/index.js';
import { consentFold, expiryInstants, type ConsentState, type FoldedByConsent } from '../state.js';
import { CONSENT_COLUMNS, CONSENT_ROWS, consentCounts } from '../counts.js';
import { currentConsentView } from './current-consent.view.js';

export interface ProjectedConsent {
  site: string;
  env: Environment;
  revision: number;
  /** Latest `recordedAt` of all events so far. Clocks differ from machine to machine, so it may be that of an earlier one. */
  recordedThrough: Instant;
  state: ConsentState;
}

const later = (known: Instant | undefined, at: Instant): Instant => (known !== undefined && known > at ? known : at);

/** What a closed subject's grants come to is said on the stream of its survivor. */
const nextExpiry = (state: ConsentState): Instant | null =>
  standingOf(state).merged ? null : (expiryInstants(state)[0] ?? null);

/**
 * `read.consent_state`: one row per subject, the fold of its stream; the subject's own country stays sealed in it.
 * `next_expiry` is when the clock alone changes it. `read.consent_state_counts`: what was decided and ran out, by purpose,
 * day and the value of each split.
 */
export const consentStateProjection = defineProjection<ProjectedConsent | null, FoldedByConsent>({
  name: CONSENT_ROWS.name,
  version: CONSENT_ROWS.version,
  on: consentFold.on,
  streams: ['subject-'],
  keepsSealed: true,
  keyIsOfStream: true,
  key: (event) => subjectOfStream(event.stream)?.subjectId ?? null,
  initial: () => null,
  evolve: (before, event) => {
    const { site, env } = subjectOfStream(event.stream)!;
    return {
      site,
      env,
      revision: event.revision,
      recordedThrough: later(before?.recordedThrough, event.metadata.recordedAt),
      state: consentFold.evolve(before?.state ?? consentFold.initial(), event),
    };
  },
  rows: (subjectId, consent) =>
    consent
      ? [
          {
            subject_id: subjectId,
            site: consent.site,
            env: consent.env,
            revision: BigInt(consent.revision),
            recorded_through: consent.recordedThrough,
            state: consent.state,
            next_expiry: nextExpiry(consent.state),
          },
        ]
      : [],
  load: (_, [row]) => ({
    site: row!.site as string,
    env: row!.env as Environment,
    revision: Number(row!.revision),
    recordedThrough: row!.recorded_through as Instant,
    state: row!.state as ConsentState,
  }),
  table: {
    columns: {
      subject_id: 'text collate "C" not null',
      site: 'text collate "C" not null',
      env: 'text collate "C" not null',
      revision: 'bigint not null',
      recorded_through: 'timestamptz not null',
      state: 'jsonb not null',
      next_expiry: 'timestamptz',
    },
    keyColumn: 'subject_id',
    primaryKey: ['subject_id'],
    indexes: ['next_expiry'],
  },
  counts: {
    cell: {
      site: 'text collate "C" not null',
      env: 'text collate "C" not null',
      purpose: 'text collate "C" not null',
      split: 'text collate "C" not null',
      day: 'date not null',
      value: 'text collate "C" not null',
    },
    of: CONSENT_COLUMNS,
    added: (before, event, after) => {
      const { site, env, state, recordedThrough } = after!;
      return consentCounts(before?.state ?? null, event, state, recordedThrough).map(({ cell, to, by }) => ({
        cell: { site, env, ...cell },
        to,
        by,
      }));
    },
  },
  views: [currentConsentView],
});
