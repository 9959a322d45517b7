import { defineProjection } from '../../event-log/projection.js';
import { subjectOfStream, type Environment, type Instant } from '../../kernel/index.js';
import { standingOf } from '../../subjects/index.js';
import { consentFold, expiryInstants, type ConsentState, type FoldedByConsent } from '../state.js';
import { currentConsentView } from './current-consent.view.js';

export interface ProjectedConsent {
  site: string;
  env: Environment;
  revision: number;
  state: ConsentState;
}

/** What a closed subject's grants come to is said on the stream of its survivor. */
const nextExpiry = (state: ConsentState): Instant | null =>
  standingOf(state).merged ? null : (expiryInstants(state)[0] ?? null);

/**
 * `read.consent_state`: one row per subject, the fold of its stream; the subject's own country stays sealed in it.
 * `next_expiry` is when the clock alone changes it.
 */
export const consentStateProjection = defineProjection<ProjectedConsent | null, FoldedByConsent>({
  name: 'consent_state',
  version: 4,
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
            state: consent.state,
            next_expiry: nextExpiry(consent.state),
          },
        ]
      : [],
  load: (_, [row]) => ({
    site: row!.site as string,
    env: row!.env as Environment,
    revision: Number(row!.revision),
    state: row!.state as ConsentState,
  }),
  table: {
    columns: {
      subject_id: 'text collate "C" not null',
      site: 'text collate "C" not null',
      env: 'text collate "C" not null',
      revision: 'bigint not null',
      state: 'jsonb not null',
      next_expiry: 'timestamptz',
    },
    keyColumn: 'subject_id',
    primaryKey: ['subject_id'],
    indexes: ['next_expiry'],
  },
  views: [currentConsentView],
});
