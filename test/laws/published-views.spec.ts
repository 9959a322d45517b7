import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CatalogueState, CataloguedPurpose } from '../../libs/catalogue/state.js';
import { versionInForce } from '../../libs/catalogue/state.js';
import { catalogueStateProjection } from '../../libs/catalogue/projection.js';
import { purposeView } from '../../libs/catalogue/view.js';
import { consentStateProjection } from '../../libs/consent/read/projection.js';
import { consentFold, stateAt, type ConsentState } from '../../libs/consent/state.js';
import { GenerationTables } from '../../libs/following/generations/generation-tables.js';
import type { Projection, Row } from '../../libs/following/projections/projection.js';
import { tableOf } from '../../libs/following/projections/read-table.js';
import { instantOf, type DomainEvent, type Instant } from '../../libs/kernel/index.js';
import { Database } from '../../libs/engines/database/database.js';
import { preferenceStateProjection } from '../../libs/preferences/read/projection.js';
import type { PreferenceState } from '../../libs/preferences/state.js';
import { preferencesView } from '../../libs/preferences/view.js';
import { ON_ITS_OWN } from '../../libs/subjects/standing.js';
import { createDatabase, type OwnDatabase } from '../support/databases.js';
import { live, START, steps } from './histories.js';
import { preferencesOf } from './preference-histories.js';

/*
 * What a published view says in SQL is what the pure view functions say, at the moment that the database's clock shows.
 */

let database: Database;
let own: OwnDatabase;

beforeAll(async () => {
  own = await createDatabase('assent_whole');
  database = new Database(own.url, { max: 2, budgetMs: 30_000 });
  for (const projection of [consentStateProjection, preferenceStateProjection, catalogueStateProjection]) {
    const tables = new GenerationTables(database, projection as Projection<unknown>);
    await tables.open(1);
    await tables.publish();
  }
});
beforeEach(() => database.run('truncate write.erased_subjects'));
afterAll(async () => {
  await database?.close();
  await own?.drop();
});

/** Puts states into the live table of a projection, in place of all that is there. */
async function stored<State, E extends DomainEvent>(
  projection: Projection<State, E>,
  states: Readonly<Record<string, State>>,
): Promise<void> {
  const table = tableOf(projection.name, { version: projection.version, rebuild: 0 });
  const rows = Object.entries(states).flatMap(([key, state]) => projection.rows(key, state));
  const json = JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  await database.run(`delete from ${table}`);
  await database.run(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [json]);
}

/** The rows of a view and the moment that they are true of; instants as text, as everywhere in the service. */
async function shown(view: string): Promise<{ at: Instant; rows: Row[] }> {
  const [[clock], rows] = await database.transaction(async (tx) => [
    await tx.run<{ now: Date }>('select now()'),
    await tx.run<Row>(`select * from read.${view}`),
  ]);
  for (const row of rows)
    for (const [column, value] of Object.entries(row)) if (value instanceof Date) row[column] = value.toISOString();
  return { at: clock!.now.toISOString() as Instant, rows };
}

/** The same history, later: so that its ends lie before and after the clock of the database. */
const shifted = <T>(value: T, ms: number): T =>
  JSON.parse(
    JSON.stringify(value).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (instant) => instantOf(Date.parse(instant) + ms)),
  ) as T;
const towardsNow = (minutesAgo: number): number => Date.now() - START - minutesAgo * 60_000;
const byKey = (rows: readonly Row[], ...columns: string[]): Row[] =>
  rows.toSorted((a, b) =>
    JSON.stringify(columns.map((c) => a[c])) < JSON.stringify(columns.map((c) => b[c])) ? -1 : 1,
  );

const of = <S>(state: S) => ({
  site: 'shop',
  env: 'test' as const,
  revision: 3,
  recordedThrough: instantOf(START),
  state,
});
const MERGED = {
  ...ON_ITS_OWN,
  merged: { into: 'sub_x', mergeId: 'mrg_x', policy: 'MOST_RECENT', carryOver: null, mergedAt: instantOf(START) },
} as const;

describe('read.current_consent', () => {
  const rowsOf = (subjectId: string, { purposes, gpc }: ConsentState, at: Instant): Row[] =>
    Object.entries(purposes).map(([purpose, consent]) => ({
      subject_id: subjectId,
      site: 'shop',
      env: 'test',
      purpose,
      state: stateAt(consent, at),
      decision: consent.decision,
      purpose_version: consent.purposeVersion,
      source: consent.source,
      given_at: consent.givenAt,
      recorded_at: consent.recordedAt,
      expires_at: consent.expiresAt,
      record_id: consent.recordId,
      specific: consent.specific,
      gpc: gpc?.active ?? null,
      gpc_since: gpc?.since ?? null,
    }));

  it('says of every history what the fold says', () =>
    fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 6 }), fc.integer({ min: 0, max: 400 }), async (histories, ago) => {
        const states = Object.fromEntries(
          histories.map((happened, i) => [
            `sub_${i}`,
            of(shifted(live(happened, `h${i}`).reduce(consentFold.evolve, consentFold.initial()), towardsNow(ago))),
          ]),
        );
        await stored(consentStateProjection, states);
        const { at, rows } = await shown('current_consent');
        const wanted = Object.entries(states).flatMap(([id, { state }]) => rowsOf(id, state, at));
        expect(byKey(rows, 'subject_id', 'purpose')).toEqual(byKey(wanted, 'subject_id', 'purpose'));
      }),
      { numRuns: 60 },
    ));

  it('says nothing of who was merged into somebody, nor of who is erased, as soon as that is so', async () => {
    const [granted] = live(
      [
        {
          kind: 'record',
          purpose: 'a',
          decision: 'GRANTED',
          source: 'API',
          wait: 0,
          back: 0,
          life: 0,
          gpc: undefined,
          vendors: undefined,
        },
      ],
      'one',
    );
    const state = consentFold.evolve(consentFold.initial(), granted!);
    await stored(consentStateProjection, {
      sub_kept: of(state),
      sub_merged: of({ ...state, standing: MERGED }),
      sub_erased: of(state),
    });
    await database.run(`insert into write.erased_subjects (subject_id) values ('sub_erased')`);
    expect((await shown('current_consent')).rows.map(({ subject_id }) => subject_id)).toEqual(['sub_kept']);
  });
});

describe('read.current_preferences', () => {
  const rowsOf = (subjectId: string, state: PreferenceState, at: Instant): Row[] => {
    const { channels, globalOptOut } = preferencesView(
      { subjectId, revision: 3, updatedAt: null, choices: state, valueOf: () => undefined },
      [],
      at,
    );
    return Object.entries(channels).flatMap(([channel, { topics }]) =>
      Object.entries(topics).map(([topic, view]) => ({
        subject_id: subjectId,
        site: 'shop',
        env: 'test',
        channel,
        topic,
        state: view.state,
        since: view.since,
        confirmed_at: view.confirmedAt,
        frequency: view.frequency,
        paused_until: view.pausedUntil,
        global_opt_out: globalOptOut.state === 'ACTIVE',
        sendable: view.sendable,
        blocked_by: view.blockedBy,
        source: state.topics[`channels.${channel}.topics.${topic}`]!.source,
        record_id: state.topics[`channels.${channel}.topics.${topic}`]!.recordId,
      })),
    );
  };

  it('says of every history what the HTTP interface answers', async () => {
    const seen = new Set<unknown>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(preferencesOf('one'), fc.constantFrom(null, -30, 30)), { maxLength: 6 }),
        fc.integer({ min: 0, max: 400 }),
        async (histories, ago) => {
          const states = Object.fromEntries(
            histories.map(([state, pause], i) => [`sub_${i}`, of(shifted(paused(state, pause, ago), towardsNow(ago)))]),
          );
          await stored(preferenceStateProjection, states);
          const { at, rows } = await shown('current_preferences');
          const wanted = Object.entries(states).flatMap(([id, { state }]) => rowsOf(id, state, at));
          expect(byKey(rows, 'subject_id', 'topic')).toEqual(byKey(wanted, 'subject_id', 'topic'));
          for (const { blocked_by } of rows) seen.add(blocked_by);
        },
      ),
      { numRuns: 100 },
    );
    expect(seen).toEqual(new Set([null, 'GLOBAL_OPT_OUT', 'DENIED', 'PENDING', 'EXPIRED', 'UNSET', 'PAUSED']));
  });

  /** With a pause that ends so many minutes after the clock of the database. */
  const paused = (state: PreferenceState, minutes: number | null, ago: number): PreferenceState =>
    minutes === null
      ? state
      : {
          ...state,
          topics: Object.fromEntries(
            Object.entries(state.topics).map(([path, topic]) => [
              path,
              { ...topic, pausedUntil: instantOf(START + (ago + minutes) * 60_000) },
            ]),
          ),
        };
});

describe('read.purposes', () => {
  const DAY = 86_400_000;
  const catalogue = fc.dictionary(
    fc.constantFrom('analytics', 'constructor', 'necessary'),
    fc.record({
      from: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 4 }),
      retired: fc.constantFrom(null, -1, 1),
    }),
  );
  const at0 = (days: number): Instant => instantOf(Date.now() + days * DAY + 3_600_000);
  const purposeOf = (key: string, from: readonly number[], retired: number | null): CataloguedPurpose => ({
    key,
    retiredAt: retired === null ? null : at0(retired),
    versions: from
      .toSorted((a, b) => a - b)
      .map((days, i) => ({
        definition: {
          key,
          legalBasis: 'CONSENT',
          consentModel: 'OPT_IN',
          category: 'ANALYTICS',
          dataCategories: [],
          recipients: [],
          retention: i % 2 ? 'P1Y' : null,
          controller: { name: 'Shop', contact: 'privacy@shop.example' },
          validityDays: i % 2 ? 30 : null,
          frameworks: { tcf: { purposes: [], specialFeatures: [] }, google: [], us: [] },
          gpc: i % 2 === 0,
          cookies: [],
          defaultLocale: 'de',
          translations: {
            de: { name: `Name ${i}`, description: 'x', legalText: 'x' },
            en: { name: 'n', description: 'x', legalText: 'x' },
          },
        },
        version: i + 1,
        change: { from: i || null, kind: i % 2 ? 'MATERIAL' : 'EDITORIAL', summary: `It's ${i}` },
        definitionHash: 'sha256:0',
        effectiveFrom: at0(days),
        publishedAt: at0(-4),
      })),
  });

  it('says of every catalogue what the service takes to be in force', () =>
    fc.assert(
      fc.asyncProperty(catalogue, async (purposes) => {
        const state: CatalogueState = {
          documents: {},
          purposes: Object.fromEntries(
            Object.entries(purposes).map(([key, { from, retired }]) => [key, purposeOf(key, from, retired)]),
          ),
        };
        await stored(catalogueStateProjection, { 'shop.live': { revision: 3, state } });
        const { at, rows } = await shown('purposes');
        const wanted = Object.values(state.purposes).flatMap((purpose) =>
          purpose.versions.map((version) => {
            const view = purposeView(purpose, version, [], at);
            return {
              site: 'shop',
              env: 'live',
              purpose: purpose.key,
              version: version.version,
              in_force: versionInForce(purpose, at) === version,
              name: view.name,
              category: view.category,
              legal_basis: view.legalBasis,
              consent_model: view.consentModel,
              gpc: view.gpc,
              validity_days: view.validityDays,
              retention: view.retention,
              controller: view.controller.name,
              change_kind: view.change.kind,
              change_summary: view.change.summary,
              effective_from: view.effectiveFrom,
              published_at: view.publishedAt,
              retired_at: purpose.retiredAt,
            };
          }),
        );
        expect(byKey(rows, 'purpose', 'version')).toEqual(byKey(wanted, 'purpose', 'version'));
      }),
      { numRuns: 40 },
    ));
});
