import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { certificateAuthority } from '../../../test/support/certificate.js';
import { ProtocolCluster } from '../../../test/support/eventstoredb/cluster.js';
import { ProtocolServer } from '../../../test/support/eventstoredb/protocol-server.js';
import { collector, someEvents } from '../contract/log.contract.js';
import { LogTooSlow, LogUnavailable, NO_STREAM } from '../port.js';
import { BEGINNING } from '../../kernel/index.js';
import { EventStoreDbLog } from './eventstoredb/eventstoredb.js';

const USER = 'assent';
const PASSWORD = 'p@ss:w/rd';
const PATIENCE_MS = 100_000;

describe('EventStoreDB behind TLS and a password', () => {
  const authority = certificateAuthority('Own Authority');
  let folder: string;
  let server: ProtocolServer;
  let cluster: ProtocolCluster;
  let port: number;
  let caFile: string;
  let otherCaFile: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assent-tls-'));
    // A name that has to be percent-encoded.
    caFile = join(folder, 'own ca.pem');
    otherCaFile = join(folder, 'other.pem');
    writeFileSync(caFile, authority.cert);
    writeFileSync(otherCaFile, certificateAuthority('Other Authority').cert);
    const door = { tls: authority.issue(), users: { [USER]: PASSWORD } };
    server = await ProtocolServer.start(door);
    cluster = await ProtocolCluster.start(3, door);
    port = server.wire.port;
  });
  afterAll(async () => {
    await Promise.all([server?.stop(), cluster?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  const hostsOf = ({ nodes }: ProtocolCluster): string[] => nodes.map(({ wire }) => `localhost:${wire.port}`);
  const urlOf = ({ scheme = 'esdb', password = PASSWORD, hosts = `localhost:${port}`, ca = caFile, tls = 'true' }) =>
    `${scheme}://${USER}:${encodeURIComponent(password)}@${hosts}?tls=${tls}&tlsCAFile=${encodeURIComponent(ca)}`;
  /** What it fails with, once that is not that a machine under load was too slow to say why. */
  const failureOf = async (ask: () => Promise<unknown>): Promise<LogUnavailable> => {
    // With pauses: what is given up goes on for a while, and server and client share this process.
    for (const until = Date.now() + PATIENCE_MS; ; await pause(500)) {
      const failure = await ask().then(
        () => null,
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(LogUnavailable);
      const { cause } = failure as LogUnavailable;
      const isLate = failure instanceof LogTooSlow || / does not answer$/.test((cause as Error).message);
      if (!isLate || Date.now() > until) return failure as LogUnavailable;
    }
  };

  it.each<[string, () => string]>([
    ['one address', () => urlOf({})],
    ['the three addresses of a cluster', () => urlOf({ hosts: hostsOf(cluster).join() })],
    ['three addresses, of which one answers', () => urlOf({ hosts: `localhost:1,localhost:${port},localhost:2` })],
    [
      'discovery by one name, of a node that does not lead',
      () => urlOf({ scheme: 'esdb+discover', hosts: hostsOf(cluster).at(-1)! }),
    ],
  ])('is written, read and followed by %s', async (_, url) => {
    const log = new EventStoreDbLog({ url: url(), prefix: 'secure' });
    const [stream, seen] = [`site-${randomUUID()}`, collector()];
    const subscription = log.subscribe({ after: BEGINNING, prefixes: [stream], onBatch: seen.onBatch });
    expect(await log.append(stream, NO_STREAM, someEvents(2))).toMatchObject({ outcome: 'appended', revision: 1 });
    expect(await log.read(stream, { direction: 'forwards', limit: 10 })).toHaveLength(2);
    await seen.until(() => seen.events.length === 2);
    expect(await log.head()).toBe(seen.events.at(-1)!.position);
    await log.tombstone(stream);
    expect(await log.append(stream, 1, someEvents(1))).toEqual({ outcome: 'deleted' });
    await subscription.stop();
    await log.close();
  });

  it.each<[string, () => string, RegExp]>([
    [
      'a wrong password',
      () => urlOf({ password: 'wrong' }),
      /^EventStoreDB refuses the user or the password in ESDB_URL$/,
    ],
    [
      'a certificate of another authority',
      () => urlOf({ ca: otherCaFile }),
      /^EventStoreDB shows a certificate that is not accepted \(unable to verify the first certificate\): see tlsCAFile in ESDB_URL$/,
    ],
    [
      'a certificate of another authority, of each node of a cluster',
      () => urlOf({ ca: otherCaFile, hosts: `localhost:${port},127.0.0.1:${port}` }),
      /^no node in ESDB_URL tells of a leader: localhost:\d+ shows a certificate that is not accepted .+: see tlsCAFile in ESDB_URL$/,
    ],
    [
      'a cluster that is away',
      () => urlOf({ scheme: 'esdb+discover', hosts: 'localhost:1' }),
      /^no node in ESDB_URL tells of a leader: localhost:1 cannot be reached \(ECONNREFUSED\)$/,
    ],
  ])('says what is wrong with %s, and stores nothing', async (_, url, reason) => {
    const log = new EventStoreDbLog({ url: url() });
    const stream = `site-${randomUUID()}`;
    for (const ask of [
      () => log.append(stream, NO_STREAM, someEvents(1)),
      () => log.head(),
      () => log.tombstone(stream),
    ]) {
      const failure = await failureOf(ask);
      expect((failure.cause as Error).message).toMatch(reason);
      expect((failure.cause as Error).message).not.toContain(PASSWORD);
    }
    await log.close();
    expect(server.ledger.all.filter((event) => event.stream === stream)).toEqual([]);
  });

  it('knows that nothing was stored where it was refused', async () => {
    for (const url of [urlOf({ password: 'wrong' }), urlOf({ ca: otherCaFile })]) {
      const log = new EventStoreDbLog({ url });
      const failure = await failureOf(() => log.append(`site-${randomUUID()}`, NO_STREAM, someEvents(1)));
      expect(failure.outcomeUnknown).toBe(false);
      await log.close();
    }
  });

  it('says that a server without TLS speaks none', async () => {
    const plain = await ProtocolServer.start();
    const log = new EventStoreDbLog({ url: urlOf({ hosts: `localhost:${plain.wire.port}` }) });
    const failure = await failureOf(() => log.head());
    expect((failure.cause as Error).message).toBe('EventStoreDB does not speak TLS: see tls in ESDB_URL');
    await log.close();
    await plain.stop();
  });
});
