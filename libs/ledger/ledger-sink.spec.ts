import { randomBytes } from 'node:crypto';
import { LedgerWorld, subjectNumber } from '../../test/support/ledger-world.js';
import type { LogDatabase } from '../../test/support/log-database.js';
import type { RecordedEvent } from '../log/port.js';
import { describeSink } from '../following/sinks/sink.contract.js';
import { subjectOfStream, type Position } from '../kernel/index.js';
import { MasterKey } from '../vault/master-key.js';
import { Vault } from '../vault/vault.js';
import { beginAnew, dropFormer } from './begin-anew.js';
import { entryOf, recordText, SALT_KEY, saltOf } from './entry.js';
import { digestsIn, EMPTY_TREE, grow, rootOfEnd } from './growth.js';
import { LedgerSink } from './ledger-sink.js';
import { leafHash, verifyConsistency, verifyInclusion, type Digest } from './merkle.js';
import { readCheckpoint } from './note.js';
import { RecordProofs } from './record-proofs.js';
import { TILE_WIDTH } from './tiles.js';
import { positionsIn } from './trees.js';

const master = new MasterKey(randomBytes(32));
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
  let of: LedgerWorld;
  beforeEach(async () => {
    of = await LedgerWorld.start();
  });
  afterEach(() => of?.stop());

  const shop = { site: 'shop', env: 'live' } as const;
  const other = { site: 'other', env: 'test' } as const;
  const proofsOf = ({ ledger, log, vault, writer }: LedgerWorld): RecordProofs =>
    new RecordProofs(ledger, log, vault, { reached: (to, ms) => writer.waitFor(to, ms) });

  it('has a leaf for each event in the order of the log, apart from that of every other', async () => {
    await of.happens(330, shop);
    await of.happens(20, other);
    await of.written(300, shop);
    for (const scope of [shop, other]) {
      const events = await of.eventsOf(scope);
      expect(await written(of.world, scope.site)).toEqual(wanted(events, await entriesOf(of.vault, events)));
    }
  });

  it('signs what it is, keeps what it signed, and proves each leaf and its growth', async () => {
    await of.written(70, shop);
    const older = await of.ledger.checkpoint(shop);
    await of.written(600, shop);
    const newer = await of.ledger.checkpoint(shop);
    expect(await of.ledger.checkpoint(shop)).toEqual(newer);
    expect([older.size, newer.size]).toEqual([70, 670]);
    expect(readCheckpoint(newer.note)).toMatchObject({
      origin: 'urn:assent:ledger:shop:live',
      size: 670,
      root: newer.root,
    });
    expect((await of.ledger.signed(shop)).map(({ note }) => note)).toEqual([older.note, newer.note]);
    const growth = await of.ledger.proveGrowth(shop, 70, 670);
    expect(verifyConsistency(70, 670, older.root, newer.root, growth)).toBe(true);
    const events = await of.eventsOf(shop);
    const proofs = proofsOf(of);
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

  it('of an unknown site has the root of nothing', async () => {
    expect(await of.ledger.checkpoint({ site: 'nobody', env: 'live' })).toMatchObject({ size: 0 });
    expect(await of.ledger.tile({ site: 'nobody', env: 'live' }, { level: 0, number: 0, width: 1 })).toBeNull();
  });

  it('shows tiles as wide as they were asked for, as long as the tree has so many hashes', async () => {
    await of.written(300, shop);
    const entries = await entriesOf(of.vault, await of.eventsOf(shop));
    const tile = (level: number | 'entries', number: number, width: number) =>
      of.ledger.tile(shop, { level, number, width });
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

  it('keeps its leaves and proofs when a subject is erased, though they cannot be opened any more', async () => {
    await of.written(150, shop);
    const before = await of.ledger.checkpoint(shop);
    const events = await of.eventsOf(shop);
    const index = events.findIndex(({ stream }) => stream.endsWith(subjectNumber(1)));
    const { stream, revision } = events[index]!;
    const place = { ...shop, subjectId: subjectNumber(1), revision };
    const proofs = proofsOf(of);
    const earlier = await proofs.of(place);
    await of.vault.destroy([subjectNumber(1)]);
    const later = await proofs.of(place);
    expect(later).toEqual({ ...earlier, opening: null });
    expect(earlier.opening?.record).toContain(stream);
    expect(entryOf(earlier.opening!.record, null)).not.toEqual(earlier.entry);
    // What comes after an erasure has no salt, and is a leaf all the same.
    await of.written(150, shop);
    expect(await of.ledger.checkpoint(shop)).toMatchObject({ size: 300 });
    expect(verifyInclusion(earlier.leafHash, index, 150, earlier.hashes, before.root)).toBe(true);
  });

  it('built anew is the same to the byte, also where subjects were erased, and signs nothing smaller meanwhile', async () => {
    await of.written(700, shop);
    const signed = await of.ledger.checkpoint(shop);
    await of.vault.destroy([subjectNumber(0)]);
    const last = await of.written(50, shop);
    const before = await written(of.world, 'shop');
    await of.writer.stop();
    for (let times = 0; times < 3; times++) {
      await beginAnew(of.world.database);
      await expect(of.ledger.checkpoint(shop)).rejects.toThrow('being built anew');
      of.startWriter();
      // Cut off in the middle the first times.
      if (times < 2) {
        await of.until(async () => (await written(of.world, 'shop')).size > 0);
        await of.writer.stop();
      }
    }
    expect(await of.writer.waitFor(last, 60_000)).toBe(true);
    expect(await written(of.world, 'shop')).toEqual(before);
    expect(await of.ledger.checkpoint(shop)).toMatchObject({ size: 750 });
    expect(await of.ledger.rootAt(shop, 700)).toEqual(signed.root);
    await dropFormer(of.world.database);
    expect(await of.world.database.run('select 1 from ledger.former')).toEqual([]);
  });

  it('has no leaf twice where its checkpoint was lost, as after a restore', async () => {
    await of.written(300, shop);
    const before = await written(of.world, 'shop');
    await of.writer.stop();
    await of.world.database.run(`update projection.shards set position = -1 where name = 'ledger'`);
    of.startWriter();
    await of.written(20, shop);
    const after = await written(of.world, 'shop');
    expect(after.size).toBe(320);
    expect(after.entries.slice(0, 300)).toEqual(before.entries);
    const events = await of.eventsOf(shop);
    expect(after).toEqual(wanted(events, await entriesOf(of.vault, events)));
  });

  it('never comes to another root than was signed: its tree stops before, and others go on', async () => {
    const other = { site: 'other', env: 'test' } as const;
    const partedTrees = () =>
      of.world.database.run('select site, parted_at as at from ledger.trees where parted_at is not null');
    await of.written(300, shop);
    await of.written(20, other);
    await of.ledger.checkpoint(shop);
    await of.written(10, shop);
    await of.writer.stop();
    const [changed] = (await of.eventsOf(shop)).slice(123);
    await of.world.database.run('alter table log.events disable trigger events_are_never_changed');
    const [{ data } = { data: '' }] = await of.world.database.run<{ data: string }>(
      'select data from log.events where position = $1',
      [changed!.position],
    );
    await of.world.database.run(`update log.events set data = '{"number":-1}' where position = $1`, [
      changed!.position,
    ]);
    await beginAnew(of.world.database);
    of.startWriter();
    await of.written(20, shop);
    await of.written(20, other);
    expect((await written(of.world, 'other')).size).toBe(40);
    const stood = await written(of.world, 'shop');
    expect(stood.size).toBeLessThan(300);
    await expect(of.ledger.checkpoint(shop)).rejects.toThrow('not the one that was signed');
    expect(await partedTrees()).toEqual([{ site: 'shop', at: 300n }]);
    // Nor with another process, which does not remember it.
    await of.writer.stop();
    of.startWriter();
    await of.written(5, shop);
    await of.written(5, other);
    expect(await written(of.world, 'shop')).toEqual(stood);
    expect((await written(of.world, 'other')).size).toBe(45);
    // The log that was signed leads there.
    await of.world.database.run(`update log.events set data = $2 where position = $1`, [changed!.position, data]);
    await of.writer.stop();
    await beginAnew(of.world.database);
    of.startWriter();
    await of.written(5, shop);
    expect((await written(of.world, 'shop')).size).toBe(340);
    expect(await partedTrees()).toEqual([]);
  });
});
