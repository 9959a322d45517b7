import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { startLogDatabase, type LogDatabase } from '../../test/support/log-database.js';
import { PostgresEventLog } from '../event-log/adapters/postgres.js';
import { Consumer } from '../event-log/consumer.js';
import { anEvent } from '../event-log/log.contract.js';
import { NO_STREAM, type RecordedEvent } from '../event-log/port.js';
import { describeSink } from '../event-log/sink.contract.js';
import { subjectOfStream, subjectStream, type Position } from '../kernel/index.js';
import { readLog } from '../operator/log-reading.js';
import { MasterKey } from '../platform/vault/master-key.js';
import { Vault } from '../platform/vault/vault.js';
import { SigningKeys } from '../receipts/signing-keys.js';
import { beginAnew, dropFormer } from './begin-anew.js';
import { entryOf, recordText, SALT_KEY, saltOf } from './entry.js';
import { digestsIn, EMPTY_TREE, grow, rootOfEnd } from './growth.js';
import { Ledger } from './ledger.js';
import { LedgerSink } from './ledger-sink.js';
import { leafHash, verifyConsistency, verifyInclusion, type Digest } from './merkle.js';
import { readCheckpoint } from './note.js';
import { RecordProofs } from './record-proofs.js';
import { TILE_WIDTH } from './tiles.js';
import { LEDGER, positionsIn } from './trees.js';

const master = new MasterKey(randomBytes(32));
const subjectNumber = (n: number): string => `sub_${'0'.repeat(25)}${n}`;

/** Keys as the vault has them; a subject without one was erased. */
async function giveKey({ database }: LogDatabase, subjectId: string): Promise<void> {
  await database.run(
    'insert into vault.subject_keys (subject_id, wrapped, master) values ($1, $2, $3) on conflict do nothing',
    [subjectId, master.wrapSubjectKey(subjectId, randomBytes(32)), master.id],
  );
}

/** What stands for these events, by their definition. */
async function entriesOf(vault: Vault, events: readonly RecordedEvent[]): Promise<Digest[]> {
  const entries: Digest[] = [];
  for (const event of events) {
    const { subjectId } = subjectOfStream(event.stream)!;
    const key = (await vault.keysFor(SALT_KEY, [subjectId])).get(subjectId);
    entries.push(entryOf(recordText(event), key ? saltOf(key, event.id) : null));
  }
  return entries;
}

interface Written {
  size: number;
  root: string;
  entries: string[];
  positions: Position[];
  tiles: { level: number; number: number; hashes: string }[];
}

async function written({ database }: LogDatabase, site: string): Promise<Written> {
  const [tree] = await database.run<{ size: bigint; edge: Buffer }>(
    'select size, edge from ledger.trees where site = $1',
    [site],
  );
  const bundles = await database.run<{ number: number; first_position: bigint; entries: Buffer; positions: Buffer }>(
    'select * from ledger.bundles where site = $1 order by number',
    [site],
  );
  const tiles = await database.run<{ level: number; number: number; hashes: Buffer }>(
    'select level, number, hashes from ledger.tiles where site = $1 order by level, number',
    [site],
  );
  bundles.forEach(({ number, first_position: first, positions, entries }, i) => {
    if (number !== i || positionsIn(positions)[0] !== first || positions.length * 4 !== entries.length)
      throw new Error(`bundle ${number} is not as it should be`);
    if (i < bundles.length - 1 && entries.length !== TILE_WIDTH * 32) throw new Error(`bundle ${number} has a gap`);
  });
  return {
    size: Number(tree?.size ?? 0),
    root: rootOfEnd({ size: 0, edge: digestsIn(tree?.edge ?? Buffer.alloc(0)) }).toString('hex'),
    entries: bundles.flatMap(({ entries }) => digestsIn(entries).map((entry) => entry.toString('hex'))),
    positions: bundles.flatMap(({ positions }) => positionsIn(positions)),
    tiles: tiles.map(({ hashes, ...id }) => ({ ...id, hashes: hashes.toString('hex') })),
  };
}

function wanted(events: readonly RecordedEvent[], entries: readonly Digest[]): Written {
  const { end, tiles } = grow(EMPTY_TREE, entries);
  return {
    size: events.length,
    root: rootOfEnd(end).toString('hex'),
    entries: entries.map((entry) => entry.toString('hex')),
    positions: events.map(({ position }) => position),
    tiles: tiles.map(({ hashes, ...id }) => ({ ...id, hashes: Buffer.concat(hashes).toString('hex') })),
  };
}

describeSink(
  'the ledger',
  async (world, serial) => {
    const site = `site-${serial}`;
    return {
      name: `ledger_${serial}`,
      prefix: `subject-${site}.live.sub_${'0'.repeat(25)}`,
      sinkOf: (own) => new LedgerSink(own, new Vault(own, master)),
      written: () => written(world, site),
      wanted: (events) =>
        wanted(
          events,
          events.map((event) => entryOf(recordText(event), null)),
        ),
    };
  },
  { template: 'assent_whole', takesAnything: true },
);

describe('the ledger of a site', () => {
  let world: LogDatabase;
  let log: PostgresEventLog;
  let vault: Vault;
  let writer: Consumer;
  let ledger: Ledger;
  let serial = 0;

  beforeEach(async () => {
    world = await startLogDatabase('assent_whole');
    await world.database.run('insert into vault.master_keys (id, carried) values ($1, null) on conflict do nothing', [
      master.id,
    ]);
    log = new PostgresEventLog(world.database);
    vault = new Vault(world.database, master);
    ledger = new Ledger(world.database, new SigningKeys(vault, log, () => new Date().toISOString()));
    for (const n of [0, 1, 2]) await giveKey(world, subjectNumber(n));
    writer = writerOf();
  });
  afterEach(async () => {
    await writer.stop();
    await log.close();
    await world.stop();
  });

  function writerOf(): Consumer {
    const consumer = new Consumer({
      log,
      database: world.database,
      id: { name: LEDGER, version: 1, rebuild: 0, shard: 0, shards: 1 },
      streams: ['subject-'],
      sink: new LedgerSink(world.database, new Vault(world.database, master)),
      takesLeftOut: true,
      batchSize: 100,
    });
    consumer.start();
    return consumer;
  }
  const shop = { site: 'shop', env: 'live' } as const;
  const other = { site: 'other', env: 'test' } as const;
  async function happens(count: number, scope: { site: string; env: 'test' | 'live' } = shop): Promise<Position> {
    let position = -1n;
    for (let left = count; left > 0; left -= 50) {
      const stream = subjectStream(scope, subjectNumber(++serial % 3));
      const [last] = await log.read(stream, { direction: 'backwards', limit: 1 });
      const events = Array.from({ length: Math.min(left, 50) }, (_, n) => anEvent('Happened', { number: n }));
      const outcome = await log.append(stream, last?.revision ?? NO_STREAM, events);
      if (outcome.outcome !== 'appended') throw new Error(outcome.outcome);
      position = outcome.position;
    }
    return position;
  }
  async function eventsOf(prefix: string): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    await readLog(
      log,
      { after: -1n, through: await log.head(), prefixes: [prefix] },
      (batch) => void events.push(...batch),
    );
    return events;
  }
  async function until(holds: () => unknown): Promise<void> {
    for (const deadline = Date.now() + 60_000; !(await holds()); await pause(10))
      if (Date.now() > deadline) throw new Error('it did not happen within a minute');
  }

  it('has a leaf for each event in the order of the log, apart from that of every other', async () => {
    await happens(330);
    await happens(20, other);
    const last = await happens(300);
    expect(await writer.waitFor(last, 60_000)).toBe(true);
    for (const scope of [shop, other]) {
      const events = await eventsOf(`subject-${scope.site}.`);
      expect(await written(world, scope.site)).toEqual(wanted(events, await entriesOf(vault, events)));
    }
  });

  it('signs what it is, keeps what it signed, and proves each leaf and its growth', async () => {
    await writer.waitFor(await happens(70), 60_000);
    const older = await ledger.checkpoint(shop);
    await writer.waitFor(await happens(600), 60_000);
    const newer = await ledger.checkpoint(shop);
    expect(await ledger.checkpoint(shop)).toEqual(newer);
    expect([older.size, newer.size]).toEqual([70, 670]);
    expect(readCheckpoint(newer.note)).toMatchObject({
      origin: 'urn:assent:ledger:shop:live',
      size: 670,
      root: newer.root,
    });
    expect((await ledger.signed(shop)).map(({ note }) => note)).toEqual([older.note, newer.note]);
    const growth = await ledger.proveGrowth(shop, 70, 670);
    expect(verifyConsistency(70, 670, older.root, newer.root, growth)).toBe(true);
    const events = await eventsOf('subject-shop.');
    const proofs = new RecordProofs(ledger, log, vault, { reached: (to, ms) => writer.waitFor(to, ms) });
    for (const index of [0, 1, 69, 70, 255, 256, 511, 669]) {
      const { stream, revision } = events[index]!;
      const place = { ...shop, subjectId: subjectOfStream(stream)!.subjectId, revision };
      const proof = await proofs.of(place);
      expect(proof.index).toBe(index);
      expect(entryOf(proof.opening!.record, proof.opening!.salt)).toEqual(proof.entry);
      expect(JSON.parse(proof.opening!.record)).toMatchObject({ stream, revision });
      expect(verifyInclusion(leafHash(proof.entry), index, 670, proof.hashes, newer.root)).toBe(true);
      const within = index < 70 ? await proofs.of(place, older) : null;
      if (within) expect(verifyInclusion(within.leafHash, index, 70, within.hashes, older.root)).toBe(true);
      else await expect(proofs.of(place, older)).rejects.toThrow('ledger');
    }
  });

  it('of nobody has the root of nothing', async () => {
    expect(await ledger.checkpoint({ site: 'nobody', env: 'live' })).toMatchObject({ size: 0 });
    expect(await ledger.tile({ site: 'nobody', env: 'live' }, { level: 0, number: 0, width: 1 })).toBeNull();
  });

  it('shows tiles as wide as they were asked for, as long as the tree has so many hashes', async () => {
    await writer.waitFor(await happens(300), 60_000);
    const entries = await entriesOf(vault, await eventsOf('subject-shop.'));
    const tile = (level: number | 'entries', number: number, width: number) =>
      ledger.tile(shop, { level, number, width });
    expect(await tile(0, 0, 256)).toEqual(Buffer.concat(entries.slice(0, 256).map(leafHash)));
    expect(await tile(0, 1, 44)).toEqual(Buffer.concat(entries.slice(256).map(leafHash)));
    expect(await tile(0, 1, 3)).toEqual(Buffer.concat(entries.slice(256, 259).map(leafHash)));
    expect(await tile('entries', 1, 2)).toEqual(
      Buffer.concat(entries.slice(256, 258).flatMap((entry) => [Buffer.of(0, 32), entry])),
    );
    expect(await tile(1, 0, 1)).toEqual(rootOfEnd(grow(EMPTY_TREE, entries.slice(0, 256)).end));
    for (const [level, number, width] of [
      [0, 1, 45],
      [0, 1, 256],
      [0, 2, 1],
      [1, 0, 2],
      [2, 0, 1],
      ['entries', 2, 1],
    ] as const)
      expect(await tile(level, number, width)).toBeNull();
  });

  it('keeps its leaves and proofs when a subject is erased, which nobody can open any more', async () => {
    await writer.waitFor(await happens(150), 60_000);
    const before = await ledger.checkpoint(shop);
    const events = await eventsOf('subject-shop.');
    const index = events.findIndex(({ stream }) => stream.endsWith(subjectNumber(1)));
    const { stream, revision } = events[index]!;
    const place = { ...shop, subjectId: subjectNumber(1), revision };
    const proofs = new RecordProofs(ledger, log, vault, { reached: (to, ms) => writer.waitFor(to, ms) });
    const earlier = await proofs.of(place);
    await vault.destroy([subjectNumber(1)]);
    const later = await proofs.of(place);
    expect(later).toEqual({ ...earlier, opening: null });
    expect(earlier.opening?.record).toContain(stream);
    expect(entryOf(earlier.opening!.record, null)).not.toEqual(earlier.entry);
    // What comes after an erasure has no salt, and is a leaf all the same.
    await writer.waitFor(await happens(150), 60_000);
    expect(await ledger.checkpoint(shop)).toMatchObject({ size: 300 });
    expect(verifyInclusion(earlier.leafHash, index, 150, earlier.hashes, before.root)).toBe(true);
  });

  it('built anew is the same to the byte, also where subjects were erased, and signs nothing smaller meanwhile', async () => {
    await writer.waitFor(await happens(700), 60_000);
    const signed = await ledger.checkpoint(shop);
    await vault.destroy([subjectNumber(0)]);
    const last = await happens(50);
    await writer.waitFor(last, 60_000);
    const before = await written(world, 'shop');
    await writer.stop();
    for (let times = 0; times < 3; times++) {
      await beginAnew(world.database);
      await expect(ledger.checkpoint(shop)).rejects.toThrow('being built anew');
      writer = writerOf();
      // Cut off in the middle the first times.
      if (times < 2) {
        await until(async () => (await written(world, 'shop')).size > 0);
        await writer.stop();
      }
    }
    expect(await writer.waitFor(last, 60_000)).toBe(true);
    expect(await written(world, 'shop')).toEqual(before);
    expect(await ledger.checkpoint(shop)).toMatchObject({ size: 750 });
    expect(await ledger.rootAt(shop, 700)).toEqual(signed.root);
    await dropFormer(world.database);
    expect(await world.database.run('select 1 from ledger.former')).toEqual([]);
  });

  it('never comes to another root than was signed: its writer stops before', async () => {
    await writer.waitFor(await happens(300), 60_000);
    await ledger.checkpoint(shop);
    const next = await happens(10);
    await writer.waitFor(next, 60_000);
    await writer.stop();
    const [changed] = (await eventsOf('subject-shop.')).slice(123);
    await world.database.run('alter table log.events disable trigger events_are_never_changed');
    await world.database.run(`update log.events set data = '{"number":-1}' where position = $1`, [changed!.position]);
    await beginAnew(world.database);
    writer = writerOf();
    await until(() => writer.status().state === 'stopped');
    expect(writer.status()).toMatchObject({ error: 'SignedOtherwise' });
    expect((await written(world, 'shop')).size).toBeLessThan(300);
    await expect(ledger.checkpoint(shop)).rejects.toThrow('being built anew');
  });
});
