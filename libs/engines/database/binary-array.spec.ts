import { startLogDatabase, type LogDatabase } from '../../../test/support/log-database.js';
import { binaryArray, byteaArray, int4Array, int8Array, uuidArray } from './binary-array.js';

let world: LogDatabase;
beforeAll(async () => void (world = await startLogDatabase()));
afterAll(() => world.stop());

describe('an array of text in binary form', () => {
  const texts = ['', 'a', null, '"\\{},', 'née – 🦊', 'x'.repeat(70_000), 'NULL', '\n\t'];

  it.each([[[]], [texts], [[null]]])('is read by Postgres as it was given', async (values) => {
    const [row] = await world.database.run<{ seen: (string | null)[] }>('select $1::text[] as seen', [
      binaryArray('text', values),
    ]);
    expect(row!.seen).toEqual(values);
  });

  it.each(['json', 'jsonb'])('holds %s as well', async (type) => {
    const values = texts.map((text) => (text === null ? null : { text, list: [1, 2.5, true] }));
    const rows = await world.database.run<{ seen: unknown }>(`select seen from unnest($1::${type}[]) as seen`, [
      binaryArray(
        type,
        values.map((value) => (value === null ? null : JSON.stringify(value))),
      ),
    ]);
    expect(rows.map(({ seen }) => seen)).toEqual(values);
  });

  it('is refused where a text holds what no text of the database can', async () => {
    await expect(world.database.run('select $1::text[]', [binaryArray('text', ['\u0000'])])).rejects.toMatchObject({
      code: '22021',
    });
  });
});

describe('an array in binary form of what is no text', () => {
  it('is read by Postgres as it was given', async () => {
    const ids = ['6f1c5f0e-6b0a-4d3c-9a5e-7c1b2d4e8f90', '00000000-0000-0000-0000-000000000000'];
    const bytes = [Buffer.from([0, 255, 34]), null, Buffer.alloc(0), Buffer.alloc(300, 7)];
    const [whole, large] = [
      [0, -1, 2 ** 31 - 1],
      [0, -1, Number.MAX_SAFE_INTEGER],
    ];
    const [row] = await world.database.run(
      'select $1::uuid[] as ids, $2::bytea[] as bytes, $3::int[] as whole, $4::bigint[]::text[] as large',
      [uuidArray(ids), byteaArray(bytes), int4Array(whole), int8Array(large)],
    );
    expect(row).toEqual({ ids, bytes, whole, large: large.map(String) });
  });

  it('may be empty', async () => {
    const [row] = await world.database.run(
      'select $1::uuid[] as ids, $2::bytea[] as bytes, $3::int[] as whole, $4::bigint[] as large',
      [uuidArray([]), byteaArray([]), int4Array([]), int8Array([])],
    );
    expect(row).toEqual({ ids: [], bytes: [], whole: [], large: [] });
  });
});
