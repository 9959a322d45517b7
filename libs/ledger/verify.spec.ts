import { LedgerWorld, subjectNumber, type LedgerCopies } from '../../test/support/ledger-world.js';
import { anEvent } from '../log/contract/log.contract.js';
import type { RecordedEvent } from '../log/port.js';
import { subjectStream } from '../kernel/index.js';
import { verifyLedger, type LedgerBreak } from './verify.js';

const shop = { site: 'shop', env: 'live' } as const;
const other = { site: 'other', env: 'test' } as const;
/** The bytes of a column with another value at that place, whatever stands there. */
const changed = (column: string, at: number): string =>
  `${column} = set_byte(${column}, ${at}, 255 - get_byte(${column}, ${at}))`;

describe('the ledger is verified', () => {
  let copies: LedgerCopies;
  let of: LedgerWorld;
  let events: RecordedEvent[];
  beforeAll(async () => {
    const model = await LedgerWorld.start();
    await model.written(320, shop);
    await model.ledger.checkpoint(shop);
    await model.written(30, other);
    await model.written(280, shop);
    await model.ledger.checkpoint(shop);
    await model.ledger.checkpoint(other);
    events = await model.eventsOf(shop);
    copies = await model.rest();
  });
  afterAll(() => copies?.drop());
  beforeEach(async () => {
    of = await copies.copy();
  });
  afterEach(() => of?.stop());

  const verified = () => verifyLedger({ ...of, database: of.world.database });
  /** Changes rows as an attacker with the database could. */
  async function behindTheBack(...statements: [string, ...unknown[]][]): Promise<void> {
    await of.world.database.transaction(async (tx) => {
      await tx.run(`set local session_replication_role = 'replica'`);
      for (const [text, ...values] of statements) await tx.run(text, values);
    });
  }
  const first = async (): Promise<LedgerBreak | undefined> => (await verified()).breaks[0];
  const at = (leaf: number) => {
    const { position, stream, revision } = events[leaf]!;
    return { leaf, position: String(position), stream, revision };
  };
  const drop = (position: bigint): [string, ...unknown[]] => ['delete from log.events where position = $1', position];
  const put = (position: bigint): [string, ...unknown[]] => {
    const { id, type, data, metadata } = anEvent('Happened', { number: -1 });
    return [
      'insert into log.events (position, stream, revision, id, type, data, metadata) values ($1, $2, $3, $4, $5, $6, $7)',
      ...[
        position,
        subjectStream(shop, subjectNumber(1)),
        9_999,
        id,
        type,
        JSON.stringify(data),
        JSON.stringify(metadata),
      ],
    ];
  };

  it('and fits, with its checkpoints, while it grows', async () => {
    await of.happens(5, shop);
    const { seconds, ...found } = await verified();
    expect(found).toEqual({
      trees: 2,
      leaves: 635,
      forgotten: 0,
      checkpoints: 3,
      through: expect.any(String),
      breaks: [],
    });
    expect(seconds).toBeGreaterThanOrEqual(0);
  });

  it.each([
    ['data', `data = '{"number":-1}'`],
    ['data by a blank', `data = data || ' '`],
    ['metadata', `metadata = replace(metadata, '"actor"', '"acteur"')`],
    ['type', `type = 'Other'`],
    ['id', `id = '00000000-0000-4000-8000-000000000000'`],
    ['revision', 'revision = 7777'],
  ])('and an event whose %s was edited is found', async (_, edit) => {
    await behindTheBack([`update log.events set ${edit} where position = $1`, events[411]!.position]);
    expect(await first()).toMatchObject({
      ...shop,
      kind: 'EDITED',
      leaf: 411,
      position: at(411).position,
      changed: 'LOG',
    });
  });

  it('and an event that was moved to another subject is found', async () => {
    const to = subjectStream(shop, subjectNumber((Number(events[7]!.stream.at(-1)) + 1) % 3));
    await behindTheBack([
      'update log.events set stream = $2, revision = 8888 where position = $1',
      events[7]!.position,
      to,
    ]);
    expect(await first()).toMatchObject({ kind: 'EDITED', leaf: 7, stream: to, changed: 'LOG' });
  });

  it.each([0, 255, 256, 333, 599])('and event %i, which was dropped, is found', async (leaf) => {
    await behindTheBack(drop(events[leaf]!.position));
    expect(await first()).toMatchObject({ ...shop, kind: 'DROPPED', leaf, changed: 'LOG' });
  });

  it('and an event that was dropped is found where the others were moved up', async () => {
    const { position } = events[123]!;
    await behindTheBack(
      drop(position),
      ['update log.events set position = -position - 10 where position > $1', position],
      ['update log.events set position = -position - 11 where position < -1'],
    );
    expect(await first()).toMatchObject({ ...shop, kind: 'DROPPED', leaf: 123, changed: 'LOG' });
  });

  it('and an event that was inserted is found where the others were moved on', async () => {
    const { position } = events[123]!;
    await behindTheBack(
      ['update log.events set position = -position - 10 where position >= $1', position],
      ['update log.events set position = -position - 9 where position < -1'],
      put(position),
    );
    expect(await first()).toMatchObject({ ...shop, kind: 'INSERTED', leaf: 123, revision: 9_999, changed: 'LOG' });
  });

  it('and an event that was inserted where there was none is found', async () => {
    // Where an event of another site stood.
    const [foreign] = await of.eventsOf(other);
    await behindTheBack(drop(foreign!.position), put(foreign!.position));
    const { breaks } = await verified();
    expect(breaks).toEqual([
      expect.objectContaining({ ...other, kind: 'DROPPED', leaf: 0 }),
      expect.objectContaining({ ...shop, kind: 'INSERTED', leaf: 320, revision: 9_999 }),
    ]);
  });

  it.each([
    [10, 11],
    [10, 500],
    [255, 256],
  ])('and events %i and %i, which were swapped, are found', async (one, two) => {
    const [a, b] = [events[one]!.position, events[two]!.position];
    await behindTheBack(
      ['update log.events set position = -5 where position = $1', a],
      ['update log.events set position = $1 where position = $2', a, b],
      ['update log.events set position = $1 where position = -5', b],
    );
    expect(await first()).toMatchObject({
      ...shop,
      kind: 'SWAPPED',
      leaf: one,
      revision: events[two]!.revision,
      changed: 'LOG',
    });
  });

  it('and an entry of the ledger that was changed is found, and that it was the ledger', async () => {
    await behindTheBack([`update ledger.bundles set ${changed('entries', 64)} where site = 'shop' and number = 1`]);
    expect(await first()).toMatchObject({ ...shop, kind: 'EDITED', leaf: 258, changed: 'LEDGER' });
  });

  it.each([
    ['TILE', `update ledger.tiles set ${changed('hashes', 32)} where site = 'shop'`],
    ['TILE', `delete from ledger.tiles where site = 'shop'`],
    ['EDGE', `update ledger.trees set ${changed('edge', 0)} where site = 'shop'`],
    ['CHECKPOINT', `update ledger.checkpoints set note = replace(note, '320', '321') where size = 320`],
    ['CHECKPOINT', `update ledger.checkpoints set note = left(note, -10) where size = 320`],
    ['CHECKPOINT', `update ledger.checkpoints set kid = repeat('x', 43) where size = 320`],
    [
      'CHECKPOINT',
      `update ledger.checkpoints set note = overlay(note placing 'AAAA' from length(note) - 20) where size = 320`,
    ],
    ['CHECKPOINT', `update ledger.checkpoints set root = decode(repeat('00', 32), 'hex') where size = 320`],
    ['CHECKPOINT', `update ledger.checkpoints set size = 100000 where size = 320`],
  ])('and a %s that does not follow is found: %s', async (kind, statement) => {
    await behindTheBack([statement]);
    expect((await verified()).breaks).toContainEqual(expect.objectContaining({ ...shop, kind }));
  });

  it('and log and ledger that were changed together do not give what was signed', async () => {
    const last = events.at(-1)!;
    await of.writer.stop();
    await behindTheBack(
      [`update log.events set data = '{"number":-1}' where position = $1`, last.position],
      [`truncate ledger.trees, ledger.bundles, ledger.tiles`],
      [`update projection.shards set position = -1 where name = 'ledger'`],
    );
    expect(await first()).toMatchObject({ ...shop, kind: 'CHECKPOINT' });
  });

  it('and fits where subjects were erased; a key that is gone without that is found', async () => {
    await of.vault.destroy([subjectNumber(1)]);
    const lost = await verified();
    expect(lost.breaks).toEqual([
      expect.objectContaining({ kind: 'KEY_GONE', detail: expect.stringContaining(subjectNumber(1)) }),
    ]);
    for (const scope of [shop, other]) {
      const stream = subjectStream(scope, subjectNumber(1));
      const [end] = await of.log.read(stream, { direction: 'backwards', limit: 1 });
      if (end) await of.log.append(stream, end.revision, [anEvent('SubjectErased', {})]);
    }
    await of.written(10, shop);
    const { breaks, forgotten } = await verified();
    expect([breaks, forgotten > 0]).toEqual([[], true]);
    // That it was there cannot be taken away all the same.
    const gone = events.findIndex(({ stream }) => stream.endsWith(subjectNumber(1)));
    await behindTheBack(drop(events[gone]!.position));
    expect(await first()).toMatchObject({ ...shop, kind: 'DROPPED', leaf: gone });
  });
});
