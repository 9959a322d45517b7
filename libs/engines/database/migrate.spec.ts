import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createDatabase, type OwnDatabase } from '../../../test/support/databases.js';
import { Database } from './database.js';
import { migrate, pendingMigrations } from './migrate.js';

class First1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table first (id int)');
  }
  async down(): Promise<void> {}
}
class Second1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table second (id int)');
  }
  async down(): Promise<void> {}
}
class Broken1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table third (id int)');
    await runner.query('create table first (id int)');
  }
  async down(): Promise<void> {}
}

let postgres: OwnDatabase;

beforeAll(async () => {
  postgres = await createDatabase('template1');
});
afterAll(() => postgres?.drop());

describe('migrating', () => {
  it('runs each migration once, in order, however many processes start at once', async () => {
    const both = [Second1700000000002, First1700000000001];
    expect(await pendingMigrations(postgres.url, both)).toEqual(['First1700000000001', 'Second1700000000002']);
    const ran = await Promise.all([1, 2, 3].map(() => migrate(postgres.url, both)));
    expect(ran.flat()).toEqual(['First1700000000001', 'Second1700000000002']);
    expect(await pendingMigrations(postgres.url, both)).toEqual([]);
    expect(await migrate(postgres.url, both)).toEqual([]);
  });

  it('leaves nothing of a migration that failed', async () => {
    const all = [First1700000000001, Second1700000000002, Broken1700000000003];
    await expect(migrate(postgres.url, all)).rejects.toThrow('already exists');
    expect(await pendingMigrations(postgres.url, all)).toEqual(['Broken1700000000003']);
    const database = new Database(postgres.url, { max: 1 });
    expect(await database.run(`select to_regclass('third') as third`)).toEqual([{ third: null }]);
    await database.close();
  });

  it('says that the password is refused', async () => {
    await expect(migrate(postgres.url.replace(/:[0-9a-f]+@/, ':wrong@'), [])).rejects.toMatchObject({
      name: 'StartRefused',
    });
  });
});
