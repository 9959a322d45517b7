import { MasterKey } from '../../libs/vault/master-key.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { KeyDirectory } from '../../libs/access/sites/key-directory.js';
import { siteStateProjection } from '../../libs/access/sites/site-projection.js';
import { Sites, type KeyIssued } from '../../libs/access/sites/sites.js';
import { purposeOf } from '../../libs/catalogue/index.js';
import { CatalogueDirectory } from '../../libs/catalogue/directory.js';
import { catalogueStateProjection } from '../../libs/catalogue/projection.js';
import { SYNTHETIC_PROVIDERS } from '../../libs/consent-strings/vendor-list/synthetic-providers.js';
import { PostgresEventLog } from '../../libs/log/adapters/postgres/postgres.js';
import { CheckpointProgress } from '../../libs/following/checkpoint-progress.js';
import { FollowedProjection } from '../../libs/following/projections/followed-projection.js';
import { ServedProjection } from '../../libs/following/generations/generations.js';
import { liveStates } from '../../libs/following/projections/live-states.js';
import { anEvent } from '../../libs/log/contract/log.contract.js';
import { NO_STREAM } from '../../libs/log/port.js';
import { defineProjection } from '../../libs/following/projections/projection.js';
import { rebuildAside } from '../../libs/following/generations/rebuild.js';
import { catalogueStream, isRefusal, newId, subjectStream } from '../../libs/kernel/index.js';
import type { Queries } from '../../libs/engines/database/database.js';
import { openLogger } from '../../libs/engines/telemetry/logger.js';
import { createApplication } from '../../libs/composition/application.js';
import { ROLES, type Role } from '../../libs/context/role.js';
import { COMPOSITION } from '../../libs/composition/contexts.js';
import { Infrastructure } from '../../libs/composition/infrastructure/infrastructure.js';
import { multiply } from '../load/fill.mjs';
import { CountedLog } from '../support/counted-log.js';
import { startWriteDatabase, type WriteDatabase } from '../support/write-database.js';

/** A process that starts reads what came after the checkpoint of its read models, however long the log is. */

const SUBJECTS = 2_000;
const EVENTS_EACH = 5;
const TAIL = 5;
const WITHIN_MS = 120_000;
const SCOPE = { site: 'shop', env: 'test' } as const;
const by = { actor: 'operator' };

const golden = (name: string) => {
  const { type, data } = JSON.parse(readFileSync(new URL(`../history/${name}.v1.json`, import.meta.url), 'utf8')) as {
    type: string;
    data: unknown;
  };
  return anEvent(type, data);
};
const done = <T>(outcome: T): Exclude<T, { refused: true }> => {
  if (isRefusal(outcome)) throw new Error(outcome.message);
  return outcome as Exclude<T, { refused: true }>;
};

let world: WriteDatabase;
let log: PostgresEventLog;
let kept: KeyIssued;
let revoked: KeyIssued;
const master = new MasterKey(randomBytes(32));
const running: { app: INestApplication; infrastructure: Infrastructure }[] = [];

/** A process of these roles, as far as it is when it begins to listen, and what it has read by then. */
async function started(roles: readonly Role[]) {
  const counted = new CountedLog(new PostgresEventLog(world.database));
  const infrastructure = new Infrastructure({
    databaseUrl: world.url,
    eventStore: counted,
    shared: null,
    master,
    roles,
  });
  await infrastructure.start(() => undefined);
  const app = await createApplication(infrastructure, {
    roles,
    publicUrl: 'http://localhost',
    port: 80,
    trustedProxies: [],
    edgeHeaders: { country: null, region: null },
    webhooks: { allow: [], ports: [], isBundled: false },
    vendorLists: { path: null, url: null },
    providers: SYNTHETIC_PROVIDERS,
    readsRetentionDays: 365,
    mail: { sender: { name: 'Shop', address: 'shop@shop.example' } as never, operator: null, outbox: 'NONE' },
    logger: openLogger('error'),
  });
  running.push({ app, infrastructure });
  const keys = app.get(KeyDirectory);
  await Promise.all([keys.ready(WITHIN_MS), infrastructure.catalogue.follower.ready(WITHIN_MS)]);
  return { app, infrastructure, counted, keys };
}

async function stopped(): Promise<void> {
  for (const { app, infrastructure } of running.splice(0)) {
    await app.close();
    await infrastructure.close();
  }
}

/** All that follows the log with a checkpoint of its own. */
const FOLLOWED = [...COMPOSITION.readModels.map(({ projection }) => projection), ...COMPOSITION.sinks];

/** Which streams the followers in a process read: sites and catalogues in memory, and in a projector all that it keeps. */
const followedBy = (roles: readonly Role[]): (readonly string[])[] => [
  siteStateProjection.streams,
  catalogueStateProjection.streams,
  ...(roles === ROLES ? FOLLOWED.map(({ streams }) => streams) : []),
];

/** Waits until the stored checkpoints of all of them are there. */
async function checkpointed(position: bigint): Promise<void> {
  for (const { name } of FOLLOWED)
    expect([name, await new CheckpointProgress(world.database, name).reached(position, WITHIN_MS)]).toEqual([
      name,
      true,
    ]);
}

beforeAll(async () => {
  world = await startWriteDatabase();
  log = new PostgresEventLog(world.database);
  const { app, infrastructure } = await started(ROLES);
  const sites = app.get(Sites);
  done(await sites.register('shop', { name: 'Shop' }, by));
  const issue = async (name: string) =>
    done(await sites.issueKey('shop', { type: 'sk', env: 'test', name }, by)) as KeyIssued;
  [kept, revoked] = [await issue('kept'), await issue('revoked')];
  await infrastructure.log.append(catalogueStream(SCOPE), NO_STREAM, [
    golden('PurposePublished'),
    golden('TemplatePublished'),
  ]);
  const subject = subjectStream(SCOPE, `sub_${'A'.repeat(26)}`);
  const decisions = Array.from({ length: EVENTS_EACH - 1 }, () => golden('ConsentRecorded'));
  await infrastructure.log.append(subject, NO_STREAM, [golden('SubjectCreated'), ...decisions]);
  await multiply({ query: (text) => world.database.run(text) }, subject, 1, SUBJECTS - 1);
  await checkpointed(await log.head());
  await stopped();
}, 120_000);
afterEach(stopped);
afterAll(async () => {
  await log?.close();
  await world?.stop();
});

/** All that a process should know of its sites and catalogues, whatever it learned it from. */
async function expectAllKnown(keys: KeyDirectory, catalogue: CatalogueDirectory): Promise<void> {
  expect(keys.find(kept.keyId)).toMatchObject({ key: { name: 'kept', createdBy: 'operator' }, site: { site: 'shop' } });
  const state = catalogue.of(SCOPE);
  expect(purposeOf(state, 'sale_of_data')?.versions).toEqual([golden('PurposePublished').data]);
  expect(state.documents.template).toEqual([golden('TemplatePublished').data]);
  expect(catalogue.tag(SCOPE, '2027-01-01T00:00:00.000Z')).toBe('1.2');
}

describe('a process that starts', () => {
  it.each<[string, readonly Role[]]>([
    ['a write-api', ['write-api']],
    ['a read-api', ['read-api']],
    ['a process of all roles', ROLES],
  ])('reads no more of the log than what came after the checkpoints: %s', async (_, roles) => {
    await log.append(
      subjectStream(SCOPE, newId('sub', 0, randomBytes)),
      NO_STREAM,
      Array.from({ length: TAIL }, () => golden('SubjectCreated')),
    );
    const [{ checkpoint }] = (await world.database.run<{ checkpoint: bigint }>(
      'select min(position) as checkpoint from projection.checkpoints where live',
    )) as [{ checkpoint: bigint }];
    const head = await log.head();
    expect(checkpoint).toBeGreaterThan(SUBJECTS * EVENTS_EACH);
    expect(head - checkpoint).toBeGreaterThanOrEqual(TAIL);
    const { infrastructure, counted, keys } = await started(roles);
    await expectAllKnown(keys, infrastructure.catalogue);
    expect(keys.position).toBe(head);
    // No follower began at the beginning of the log, and nothing was read by name but what the log is known by. Each
    // follower reads by itself at most once, and is joined by others, or joins others, at most once.
    expect(counted.subscriptions.filter(({ after }) => after < checkpoint)).toEqual([]);
    expect(counted.subscriptions.length).toBeLessThanOrEqual(2 * followedBy(roles).length);
    expect(counted.mostLookedAt).toBeLessThanOrEqual(Number(head - checkpoint));
    expect(counted.readIds.size).toBeLessThanOrEqual(1);
  });

  it('knows what happened to a key after the checkpoint', async () => {
    const { infrastructure, keys } = await started(['write-api']);
    expect(keys.find(revoked.keyId)).toBeDefined();
    await stopped();
    // No projector runs, so the rows hold the key as live.
    const sites = new Sites(log, COMPOSITION.codec, { seal: () => '', open: () => new Uint8Array() });
    done(await sites.revokeKey('shop', revoked.keyId, null, by));
    const after = await started(['write-api']);
    expect(after.keys.find(revoked.keyId)).toBeUndefined();
    expect(after.keys.site('shop')!.keys.get(revoked.keyId)!.revokedAt).not.toBeNull();
    expect(infrastructure.catalogue).toBeDefined();
  });
});

describe('a read model in memory', () => {
  const followed: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(followed.splice(0).map((each) => each.stop()));
  });

  async function catalogueFrom(rows: Queries | undefined, counted = new CountedLog(log)): Promise<CatalogueDirectory> {
    const catalogue = new CatalogueDirectory(counted, COMPOSITION.codec, rows);
    followed.push(catalogue.follower);
    catalogue.follower.start();
    await catalogue.follower.ready(WITHIN_MS);
    return catalogue;
  }

  async function sitesFrom(rows: Queries | undefined, counted: CountedLog): Promise<KeyDirectory> {
    const keys = new KeyDirectory(counted, COMPOSITION.codec, { rows });
    followed.push(keys);
    keys.start();
    await keys.ready(WITHIN_MS);
    return keys;
  }

  const changed = (change: (row: Record<string, unknown>) => Record<string, unknown>): Queries => ({
    query: () => Promise.reject(new Error('rows are read by plain SQL')),
    run: async <R>(text: string, values?: readonly unknown[]): Promise<R[]> =>
      (await world.database.run<Record<string, unknown>>(text, values)).map(change) as R[],
  });

  it('is the same from rows and from the log, to the order of members', async () => {
    const [fromRows, fromLog] = [new CountedLog(log), new CountedLog(log)];
    const [one, other] = [await sitesFrom(world.database, fromRows), await sitesFrom(undefined, fromLog)];
    expect(fromRows.mostLookedAt).toBeLessThan(fromLog.mostLookedAt);
    const text = (keys: KeyDirectory) =>
      JSON.stringify(keys.sites().map((site) => ({ ...site, keys: [...site.keys.values()] })));
    expect(text(one)).toBe(text(other));
    const states = [await catalogueFrom(world.database), await catalogueFrom(undefined)].map((catalogue) =>
      JSON.stringify(catalogue.of(SCOPE)),
    );
    expect(states[0]).toBe(states[1]);
  });

  it('is made from the log where nobody has made its rows yet, or they cannot be read', async () => {
    const away: Queries = {
      query: () => Promise.reject(new Error('away')),
      run: () => Promise.reject(new Error('away')),
    };
    const counted = new CountedLog(log);
    await expectAllKnown(await sitesFrom(away, counted), await catalogueFrom(away));
    expect(counted.subscriptions).toMatchObject([{ after: -1n }]);
  });

  it('is made from rows that could not be read at the first question', async () => {
    let questions = 0;
    const late: Queries = {
      ...changed((row) => row),
      run: <R>(text: string, values?: readonly unknown[]): Promise<R[]> =>
        ++questions === 1 ? Promise.reject(new Error('out of time')) : world.database.run<R>(text, values),
    };
    const counted = new CountedLog(log);
    await catalogueFrom(late, counted);
    expect(questions).toBeGreaterThan(1);
    expect(counted.subscriptions).not.toMatchObject([{ after: -1n }]);
  });

  it('passes by the rows of another version', async () => {
    // As if the newer release had other rows there: this one would take them for its own.
    const misleading = changed((row) => ({ ...row, keys: [], settings: {} }));
    for (const version of [siteStateProjection.version - 1, siteStateProjection.version + 1]) {
      const counted = new CountedLog(log);
      const known = new FollowedProjection({
        log: counted,
        codec: COMPOSITION.codec,
        projection: defineProjection({ ...siteStateProjection, version }),
        rows: misleading,
      });
      followed.push(known.follower);
      known.follower.start();
      await known.follower.ready(WITHIN_MS);
      expect(known.get('shop')!.state.keys.has(kept.keyId)).toBe(true);
      expect(counted.subscriptions).toMatchObject([{ after: -1n }]);
    }
  });

  it('is made from rows that have seen more than the log holds: whether such a log is used is not decided here', async () => {
    const counted = new CountedLog(log);
    const ahead = changed((row) => ({ ...row, live_position: 2n ** 40n }));
    await expectAllKnown(await sitesFrom(ahead, counted), await catalogueFrom(ahead));
    expect(counted.subscriptions).toMatchObject([{ after: 2n ** 40n }]);
  });

  it('takes no event twice where its row is further than the checkpoint, as shards can be', async () => {
    const behind = changed((row) => ({ ...row, live_position: -1n }));
    await expectAllKnown(await sitesFrom(behind, new CountedLog(log)), await catalogueFrom(behind));
  });

  it('sees one moment whatever is switched and written while it begins', async () => {
    const codec = COMPOSITION.codec;
    const projector = new ServedProjection({ log, database: world.database, codec, projection: siteStateProjection });
    await projector.start();
    const sites = new Sites(log, COMPOSITION.codec, { seal: () => '', open: () => new Uint8Array() });
    const named = new Map<bigint, string>();
    let ended = false;
    const writing = (async () => {
      for (let n = 0; !ended; n++)
        named.set(done(await sites.register('shop', { name: `Shop ${n}` }, by)).position!, `Shop ${n}`);
    })();
    let seen = 0;
    const reading = (async () => {
      while (!ended) {
        const live = await liveStates(world.database, siteStateProjection);
        const { position, state } = live!.states.get('shop')!;
        expect(position).toBeLessThanOrEqual(live!.position);
        // The row is that of the last change up to the checkpoint: none in between is missing.
        const last = [...named.keys()].filter((at) => at <= live!.position).at(-1);
        if (last !== undefined) {
          expect(position).toBeGreaterThanOrEqual(last);
          if (named.has(position)) expect(state.settings.name).toBe(named.get(position));
          seen++;
        }
      }
    })();
    try {
      for (let n = 0; n < 3; n++)
        await rebuildAside({ log, codec, database: world.database, projection: siteStateProjection, verify: false });
    } finally {
      ended = true;
      await Promise.all([writing, reading, projector.stop()]);
    }
    expect(seen).toBeGreaterThan(0);
  }, 60_000);
});
