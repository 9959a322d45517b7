import { DependencyUnavailable } from './dependency-unavailable.js';
import { patiently } from './patience.js';
import { StartRefused } from './start-refused.js';

const away = (): Error => new DependencyUnavailable('database');
const state = (code: string): Error => Object.assign(new Error('from Postgres'), { code });
const failing =
  (...errors: Error[]): (() => Promise<string>) =>
  async () => {
    const error = errors.shift();
    if (error) throw error;
    return 'done';
  };

test.each([
  ['the database is away', away()],
  ['a statement ran out of time', state('57014')],
  ['another transaction holds a lock', state('55P03')],
  ['two were in each other’s way', state('40P01')],
])('tries again where %s, and says so once', async (_, error) => {
  const said: string[] = [];
  await expect(patiently((line) => said.push(line), failing(error, error, error))).resolves.toBe('done');
  expect(said).toEqual(['the database does not answer in time; trying again for up to 60 s...']);
});

test.each([
  ['a refusal', new StartRefused('The master key is another one.')],
  ['a fault in the statement', state('42703')],
  ['a bug', new TypeError('x is not a function')],
])('passes %s on at once', async (_, error) => {
  const said: string[] = [];
  await expect(patiently((line) => said.push(line), failing(error))).rejects.toBe(error);
  expect(said).toEqual([]);
});

test('ends with one clear line when patience is over', async () => {
  const error = await patiently(
    () => undefined,
    () => Promise.reject(away()),
    300,
  ).catch((refused: unknown) => refused);
  expect(error).toBeInstanceOf(StartRefused);
  expect((error as Error).message).toMatch(/^The database has not answered in time for 0 s; .+\.$/);
});
