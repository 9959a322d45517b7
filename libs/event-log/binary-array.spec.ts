import { startLogDatabase, type LogDatabase } from '../../test/support/log-database.js';
import { binaryArray } from './binary-array.js';

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
