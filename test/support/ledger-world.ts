import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { PostgresEventLog } from '../../libs/log/adapters/postgres/postgres.js';
import { Consumer } from '../../libs/following/consumer.js';
import { anEvent } from '../../libs/log/contract/log.contract.js';
import { readLog } from '../../libs/log/log-reading.js';
import { NO_STREAM, type RecordedEvent } from '../../libs/log/port.js';
import { subjectStream, type Position, type Scope } from '../../libs/kernel/index.js';
import { LedgerSink } from '../../libs/ledger/ledger-sink.js';
import { Ledger } from '../../libs/ledger/ledger.js';
import { LEDGER } from '../../libs/ledger/trees.js';
import { MasterKey } from '../../libs/vault/master-key.js';
import { Vault } from '../../libs/vault/vault.js';
import { SigningKeys } from '../../libs/receipts/signing-keys.js';
import { startLogDatabase, type LogDatabase } from './log-database.js';

const WAIT_MS = 60_000;
/** Of one stream in a row. */
const AT_ONCE = 50;

/** A world as it was when it rested, of which copies begin. */
export interface LedgerCopies {
  copy(): Promise<LedgerWorld>;
  drop(): Promise<void>;
}

export const subjectNumber = (n: number): string => `sub_${'0'.repeat(25)}${n}`;

/** A log with events of three subjects, and a ledger that is written from it. */
export class LedgerWorld {
  readonly log: PostgresEventLog;
  readonly vault: Vault;
  readonly keys: SigningKeys;
  readonly ledger: Ledger;
  writer: Consumer;
  private serial = 0;

  private constructor(
    readonly world: LogDatabase,
    readonly master: MasterKey,
  ) {
    this.log = new PostgresEventLog(world.database);
    this.vault = new Vault(world.database, master);
    this.keys = new SigningKeys(this.vault, this.log, () => new Date().toISOString());
    this.ledger = new Ledger(world.database, this.keys);
    this.writer = this.startWriter();
  }

  static async start(): Promise<LedgerWorld> {
    const world = await startLogDatabase('assent_whole');
    const master = new MasterKey(randomBytes(32));
    for (const n of [0, 1, 2])
      await world.database.run('insert into vault.subject_keys (subject_id, wrapped, master) values ($1, $2, $3)', [
        subjectNumber(n),
        master.wrapSubjectKey(subjectNumber(n), randomBytes(32)),
        master.id,
      ]);
    return new LedgerWorld(world, master);
  }

  /** Ends here, and goes on in copies: what was written for one test needs not be written for the next. */
  async rest(): Promise<LedgerCopies> {
    await this.end();
    const own = await this.world.rest();
    return { copy: async () => new LedgerWorld(await startLogDatabase(own), this.master), drop: () => own.drop() };
  }

  async stop(): Promise<void> {
    await this.end();
    await this.world.stop();
  }

  private async end(): Promise<void> {
    await this.writer.stop();
    await this.log.close();
  }

  /** Writes the ledger from where it stands; the one before must have stopped. */
  startWriter(): Consumer {
    const { database } = this.world;
    this.writer = new Consumer({
      log: this.log,
      database,
      id: { name: LEDGER, version: 1, rebuild: 0, shard: 0, shards: 1 },
      streams: ['subject-'],
      sink: new LedgerSink(database, new Vault(database, this.master)),
      takesLeftOut: true,
      batchSize: 100,
    });
    this.writer.start();
    return this.writer;
  }

  /** Appends so many events, to one subject after the other. */
  async happens(count: number, scope: Scope): Promise<Position> {
    let position = -1n;
    for (let left = count; left > 0; left -= AT_ONCE) {
      const stream = subjectStream(scope, subjectNumber(++this.serial % 3));
      const [last] = await this.log.read(stream, { direction: 'backwards', limit: 1 });
      const events = Array.from({ length: Math.min(left, AT_ONCE) }, (_, n) => anEvent('Happened', { number: n }));
      const outcome = await this.log.append(stream, last?.revision ?? NO_STREAM, events);
      if (outcome.outcome !== 'appended') throw new Error(outcome.outcome);
      position = outcome.position;
    }
    return position;
  }

  /** The same, and waits until the ledger has them. */
  async written(count: number, scope: Scope): Promise<Position> {
    const position = await this.happens(count, scope);
    if (!(await this.writer.waitFor(position, WAIT_MS))) throw new Error(`the ledger did not come to ${position}`);
    return position;
  }

  async eventsOf({ site, env }: Scope): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    const through = await this.log.head();
    await readLog(this.log, { after: -1n, through, prefixes: [`subject-${site}.${env}.`] }, (batch) => {
      events.push(...batch);
    });
    return events;
  }

  async until(holds: () => unknown): Promise<void> {
    for (const deadline = Date.now() + WAIT_MS; !(await holds()); await pause(10))
      if (Date.now() > deadline) throw new Error(`it did not happen within ${WAIT_MS / 1000} s`);
  }
}
