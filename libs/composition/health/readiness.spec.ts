import { jest } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ProtocolServer } from '../../../test/support/eventstoredb/protocol-server.js';
import { startWriteDatabase, type WriteDatabase } from '../../../test/support/write-database.js';
import { KeyDirectory } from '../../access/sites/key-directory.js';
import { ROLES, type Role } from '../../context/role.js';
import { SYNTHETIC_PROVIDERS } from '../../consent-strings/vendor-list/synthetic-providers.js';
import { EventStoreDbLog } from '../../log/adapters/eventstoredb/eventstoredb.js';
import { anEvent } from '../../log/contract/log.contract.js';
import { LogUnavailable, NO_STREAM } from '../../log/port.js';
import { openLogger } from '../../engines/telemetry/logger.js';
import { MasterKey } from '../../vault/master-key.js';
import { createApplication } from '../application.js';
import { Infrastructure } from '../infrastructure/infrastructure.js';
import { ReadinessProbe, type ReadinessSeen } from './readiness.js';

const WITHIN_MS = 120_000;
const master = new MasterKey(randomBytes(32));

let events: ProtocolServer;
let world: WriteDatabase;
let running: Map<Role, { app: INestApplication; infrastructure: Infrastructure }>;

async function begin(role: Role): Promise<void> {
  const infrastructure = new Infrastructure({
    databaseUrl: world.url,
    eventStore: new EventStoreDbLog({ url: events.url }),
    shared: null,
    master,
    roles: [role],
  });
  await infrastructure.start(() => undefined);
  const app = await createApplication(infrastructure, {
    roles: [role],
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
  running.set(role, { app, infrastructure });
  await Promise.all([app.get(KeyDirectory).ready(WITHIN_MS), infrastructure.catalogue.follower.ready(WITHIN_MS)]);
}

async function end(role: Role): Promise<void> {
  const { app, infrastructure } = running.get(role)!;
  running.delete(role);
  await app.close();
  await infrastructure.close();
}

const look = (role: Role): Promise<ReadinessSeen> => running.get(role)!.app.get(ReadinessProbe).look();
const waiting = async (): Promise<Record<string, string[]>> =>
  Object.fromEntries(await Promise.all([...running.keys()].map(async (role) => [role, (await look(role)).waiting])));
const logOf = (role: Role): Infrastructure['log'] => running.get(role)!.infrastructure.log;

/** What a loaded machine makes late, such as keys that are a moment old, is no finding. */
async function eventually(holds: () => Promise<void>): Promise<void> {
  for (const deadline = Date.now() + WITHIN_MS; ; await pause(20)) {
    try {
      return await holds();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}
const allReady = (): Promise<void> => eventually(async () => expect(Object.values(await waiting()).flat()).toEqual([]));
/** Clocks of processes jump, never back, so that what takes long need not be waited for. */
const now = performance.now.bind(performance);
let jumped = 0;
function later(ms: number): void {
  jumped += ms;
  jest.spyOn(performance, 'now').mockImplementation(() => now() + jumped);
}
/** Each about as large as a recorded consent, as others write them. */
const write = (count: number) =>
  events.ledger.append(
    `subject-demo.test.sub_${randomUUID()}`,
    'no-stream',
    Array.from({ length: count }, () => ({
      id: randomUUID(),
      type: 'ConsentRecorded',
      contentType: 'application/json',
      data: Buffer.from(JSON.stringify({ text: 'x'.repeat(1_000) })),
      metadata: Buffer.from('{}'),
    })),
  );
/** To a stream that no read model looks at. */
const append = (): Promise<unknown> => logOf('write-api').append(`other-${randomUUID()}`, NO_STREAM, [anEvent()]);

beforeAll(async () => {
  [events, world, running] = [await ProtocolServer.start(), await startWriteDatabase(), new Map()];
  await begin('projector');
  await Promise.all(ROLES.filter((role) => role !== 'projector').map(begin));
  await allReady();
});
afterAll(async () => {
  await Promise.all([...running.keys()].map(end));
  await Promise.all([events.stop(), world.stop()]);
  jest.restoreAllMocks();
});

const NO_APPENDS = 'the event log, which takes no appends';

it('takes no writes while the log answers and takes no appends', async () => {
  await append();
  events.next('append', 'not-ready', 'not-ready');
  await expect(append()).rejects.toThrow(LogUnavailable);
  expect((await look('write-api')).waiting).not.toContain(NO_APPENDS);
  later(3_100);
  await expect(append()).rejects.toThrow(LogUnavailable);
  expect((await look('write-api')).waiting).toContain(NO_APPENDS);
  for (const role of ['read-api', 'projector'] as const) expect((await look(role)).waiting).not.toContain(NO_APPENDS);
  await append();
  await allReady();
});

it('knows keys to be current by its own look, after a pause in which nobody asked the log', async () => {
  later(6_000);
  for (const missed of Object.values(await waiting())) {
    expect(missed).not.toContain('keys');
    expect(missed).not.toContain('catalogue');
  }
});

it('answers from rows while the log is away, in a role that does nothing else', async () => {
  await events.kill();
  const withoutLog = {
    'write-api': ['the event log'],
    'read-api': [],
    projector: ['the event log'],
    dispatcher: ['the event log'],
  };
  expect(await waiting()).toEqual(withoutLog);
  expect(await look('read-api')).toMatchObject({ status: 'ready', logPosition: null, lagSeconds: null });
  // Long enough for keys to be stale. No operator can have revoked one while the log is away.
  later(6_000);
  expect(await waiting()).toEqual(withoutLog);
  await events.restart();
  await allReady();
});

describe('while nobody makes rows', () => {
  beforeAll(() => end('projector'));

  it('counts no bytes: rows that lack hundreds of kilobytes of the last second are no reason to wait', async () => {
    const before = await logOf('write-api').head();
    write(300);
    const seen = await look('read-api');
    expect(BigInt(seen.logPosition!) - before).toBeGreaterThan(300_000n);
    expect(BigInt(seen.readPosition)).toBeLessThanOrEqual(before);
    expect(seen.lagSeconds).toBeGreaterThan(0);
    expect(seen.lagSeconds).toBeLessThan(60);
    await allReady();
  });

  it('takes rows that lack an event of more than a minute ago for no answer; who writes does not wait for them', async () => {
    const clock = jest.spyOn(Date, 'now');
    const at = Date.now();
    clock.mockImplementation(() => at + 61_000);
    const tooOld = [expect.stringMatching(/^read models, which are \d+ s behind the event log$/)];
    await eventually(async () =>
      expect(await waiting()).toEqual({ 'write-api': [], 'read-api': tooOld, dispatcher: [] }),
    );
    expect((await look('write-api')).lagSeconds).toBeGreaterThan(60);
    clock.mockRestore();
    await allReady();
  });

  it('knows a log that is away from this instance alone by rows that others move on: it would miss a revoked key', async () => {
    await events.kill();
    later(6_000);
    await eventually(async () => expect((await look('read-api')).waiting).toEqual([]));
    await world.database.run('update projection.shards set position = position + 1000');
    expect((await look('read-api')).waiting).toEqual(['keys', 'catalogue']);
  });
});
