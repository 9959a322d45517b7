import { defineProjection } from '../../following/projections/projection.js';
import { subjectOfStream } from '../../kernel/index.js';
import { announcedPlace } from '../circumstances.js';
import type { ConsentRecorded } from '../events.js';
import { decisionsView } from './decisions.view.js';

/** Injection token of the ReadProgress of these rows. */
export const DECISIONS_PROGRESS = Symbol('DecisionsProgress');

/** What is kept of a decision: nothing that is personal by itself. */
type DecisionRow = Readonly<Record<string, unknown>>;

/** `read.consent_decisions`: one row for each decision that was ever recorded, for those who count them. */
export const consentDecisionsProjection = defineProjection<DecisionRow | null, ConsentRecorded>({
  name: 'consent_decisions',
  version: 1,
  on: ['ConsentRecorded'],
  streams: ['subject-'],
  keyIsOfStream: true,
  keyIsOfEvent: true,
  key: (event) => event.data.recordId,
  initial: () => null,
  evolve: (_, { stream, revision, position, data }) => {
    const { site, env, subjectId } = subjectOfStream(stream)!;
    return {
      record_id: data.recordId,
      subject_id: subjectId,
      site,
      env,
      purpose: data.purpose,
      purpose_version: data.purposeVersion,
      decision: data.decision,
      previous_state: data.previousState,
      state: data.state,
      applied: data.appliedToState,
      source: data.source,
      given_at: data.givenAt,
      recorded_at: data.recordedAt,
      expires_at: data.expiresAt,
      ...announcedPlace(data.jurisdiction),
      method: data.collection?.method ?? null,
      surface: data.collection?.surface ?? null,
      banner_version: data.collection?.bannerVersion === undefined ? null : BigInt(data.collection.bannerVersion),
      locale: data.notice.locale,
      gpc: data.signals?.gpc ?? null,
      actor: data.actor.type,
      revision: BigInt(revision),
      position,
    };
  },
  rows: (_, row) => (row ? [row] : []),
  load: (_, [row]) => row!,
  table: {
    columns: {
      record_id: 'text collate "C" not null',
      subject_id: 'text collate "C" not null',
      site: 'text collate "C" not null',
      env: 'text collate "C" not null',
      purpose: 'text collate "C" not null',
      purpose_version: 'integer not null',
      decision: 'text collate "C" not null',
      previous_state: 'text collate "C" not null',
      state: 'text collate "C" not null',
      applied: 'boolean not null',
      source: 'text collate "C" not null',
      given_at: 'timestamptz not null',
      recorded_at: 'timestamptz not null',
      expires_at: 'timestamptz',
      country: 'text collate "C"',
      region: 'text collate "C"',
      method: 'text collate "C"',
      surface: 'text collate "C"',
      banner_version: 'bigint',
      locale: 'text collate "C"',
      gpc: 'boolean',
      actor: 'text collate "C" not null',
      revision: 'bigint not null',
      position: 'bigint not null',
    },
    keyColumn: 'record_id',
    primaryKey: ['record_id'],
  },
  views: [decisionsView],
});
