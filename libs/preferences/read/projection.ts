import { defineProjection } from '../../following/projections/projection.js';
import { subjectOfStream, type Environment, type Instant } from '../../kernel/index.js';
import { standingOf } from '../../subjects/index.js';
import {
  isUntouched,
  nextConfirmationEnd,
  preferenceFold,
  type FoldedByPreferences,
  type PreferenceState,
} from '../state.js';
import { currentPreferencesView } from './current-preferences.view.js';

export interface ProjectedPreferences {
  site: string;
  env: Environment;
  revision: number;
  state: PreferenceState;
}

/** What a closed subject's requests come to is said on the stream of its survivor. */
const nextTurn = (state: PreferenceState): Instant | null =>
  standingOf(state).merged ? null : nextConfirmationEnd(state);

/**
 * `read.preference_state`: one row for each subject that said something, the fold of its stream; values of typed fields
 * stay sealed in it. `next_turn` is when a request for confirmation runs out that is still open.
 */
export const preferenceStateProjection = defineProjection<ProjectedPreferences | null, FoldedByPreferences>({
  name: 'preference_state',
  version: 1,
  on: preferenceFold.on,
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
      state: preferenceFold.evolve(before?.state ?? preferenceFold.initial(), event),
    };
  },
  rows: (subjectId, known) =>
    known && !isUntouched(known.state)
      ? [
          {
            subject_id: subjectId,
            site: known.site,
            env: known.env,
            revision: BigInt(known.revision),
            state: known.state,
            next_turn: nextTurn(known.state),
          },
        ]
      : [],
  load: (_, [row]) => ({
    site: row!.site as string,
    env: row!.env as Environment,
    revision: Number(row!.revision),
    state: row!.state as PreferenceState,
  }),
  table: {
    columns: {
      subject_id: 'text collate "C" not null',
      site: 'text collate "C" not null',
      env: 'text collate "C" not null',
      revision: 'bigint not null',
      state: 'jsonb not null',
      next_turn: 'timestamptz',
    },
    keyColumn: 'subject_id',
    primaryKey: ['subject_id'],
    indexes: ['next_turn'],
  },
  views: [currentPreferencesView],
});
