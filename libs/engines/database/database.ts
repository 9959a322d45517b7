import pg from 'pg';
import { DependencyUnavailable } from '../dependency-unavailable.js';
import { breaksConnection, translated, wasCut } from './failures.js';
import { Listener, type OnNotify } from './listener.js';

/** A statement that is prepared once per connection under its name. The same name always means the same text. */
export interface Statement {
  name: string;
  text: string;
}

/** Statements of one connection are carried out in the order of the calls; a caller need not wait for an answer before. */
export interface Queries {
  query<R>(statement: Statement, values: readonly unknown[]): Promise<R[]>;
  /** Plain SQL. Without values it may hold several statements; answered are the rows of the last one. */
  run<R>(text: string, values?: readonly unknown[]): Promise<R[]>;
}

export interface DatabaseOptions {
  /** Most connections, default 10: more than 8 to 10 on two cores only adds latency. */
  max?: number;
  /**
   * How long one call may take, waiting for a connection included, in ms. Default 1900, for requests, which answer
   * within 2 s also when the server hangs. Background work passes more.
   */
  budgetMs?: number;
  /** Shown in pg_stat_activity. */
  name?: string;
}

/** How a pool of connections is used at this moment. */
export interface PoolUse {
  used: number;
  idle: number;
  max: number;
  /** Calls that wait for a connection. */
  waiting: number;
}

/** How long a request waits to connect before the server counts as hung. A larger budget waits three quarters of it. */
const CONNECT_MS_MAX = 1500;
const connectMs = (budgetMs: number): number => Math.max(Math.min(CONNECT_MS_MAX, budgetMs), budgetMs * 0.75);

/** bigint columns as BigInt; only here, since pg's own parsers are shared by the whole process. */
const TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
    oid === 20 && format !== 'binary' ? BigInt : pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig;

/**
 * A pool of connections to Postgres, which reconnects by itself. Rejects with DependencyUnavailable('database') where the
 * database does not answer in time: a write may have taken effect or not. Rejects with pg's DatabaseError, `code` being
 * the SQLSTATE, where the server refuses a statement.
 */
export class Database implements Queries {
  private readonly pool: pg.Pool;
  private readonly listener: Listener;
  private readonly budgetMs: number;
  private readonly max: number;
  private closing: Promise<void> | null = null;

  constructor(url: string, { max = 10, budgetMs = 1900, name = 'assent' }: DatabaseOptions = {}) {
    this.budgetMs = budgetMs;
    this.max = max;
    const connection = {
      connectionString: url,
      application_name: name,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // What is called without waiting for answers is sent at once, and all of it takes one round trip.
      pipeline: true,
    };
    this.pool = new pg.Pool({
      ...connection,
      types: TYPES,
      max,
      connectionTimeoutMillis: connectMs(budgetMs),
      // Below our own budget, so that the server stops a slow statement before we give it up.
      statement_timeout: Math.max(100, Math.min(budgetMs - 400, Math.round(budgetMs * 0.95))),
      idle_in_transaction_session_timeout: budgetMs + 5000,
      idleTimeoutMillis: 60_000,
    });
    // An idle connection broke; the pool has dropped it already. Without a listener the event would end the process.
    this.pool.on('error', () => undefined);
    // The same for a connection in use. It may report its end more than once, also after its release.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
    this.listener = new Listener({
      ...connection,
      application_name: `${name} listener`,
      connectionTimeoutMillis: CONNECT_MS_MAX,
      query_timeout: 5000,
    });
  }

  query<R>(statement: Statement, values: readonly unknown[]): Promise<R[]> {
    return this.withConnection((queries) => queries.query<R>(statement, values));
  }

  run<R>(text: string, values?: readonly unknown[]): Promise<R[]> {
    return this.withConnection((queries) => queries.run<R>(text, values));
  }

  /** Commits when `work` resolves, rolls back when it rejects. The whole of it shares one budget. */
  transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T> {
    return this.withConnection(async (queries) => {
      await queries.run('begin');
      let done: T;
      try {
        done = await work(queries);
      } catch (error) {
        // A connection that cannot roll back is closed, and the server rolls back.
        await queries.run('rollback').catch(() => undefined);
        throw error;
      }
      await queries.run('commit');
      return done;
    });
  }

  /**
   * Calls back at each notification, and once whenever listening begins, at first or after a lost connection: earlier
   * notifications were missed. One connection serves all channels. Returns a function that ends it.
   */
  listen(channel: string, onNotify: OnNotify): () => void {
    return this.listener.listen(channel, onNotify);
  }

  use(): PoolUse {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { used: totalCount - idleCount, idle: idleCount, max: this.max, waiting: waitingCount };
  }

  /** Whether it answers now; within 1 s. */
  async reachable(): Promise<boolean> {
    return this.withConnection((queries) => queries.run('select 1'), Math.min(1000, this.budgetMs)).then(
      () => true,
      () => false,
    );
  }

  /** Waits for running statements, at most their budget. Idempotent. */
  close(): Promise<void> {
    return (this.closing ??= this.closeAll());
  }

  private async closeAll(): Promise<void> {
    this.listener.close();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, this.budgetMs)));
    await Promise.race([this.pool.end().catch(() => undefined), late]);
    clearTimeout(timer);
  }

  private async withConnection<T>(work: (connection: Connection) => Promise<T>, budgetMs = this.budgetMs): Promise<T> {
    const deadline = performance.now() + budgetMs;
    const client = await this.connect(deadline);
    const connection = new Connection(client, deadline);
    try {
      return await work(connection);
    } finally {
      connection.release();
      // After an ordinary refusal the connection goes back to the pool: a new one costs 5 ms for its password alone.
      if (connection.broken) destroy(client, connection.broken);
      else client.release();
    }
  }

  /**
   * Connects a second time where the first connection was cut while it was made: no statement was sent on it, and the
   * server or its proxy may be back. A server that refuses or is silent is not tried again.
   */
  private async connect(deadline: number): Promise<pg.PoolClient> {
    try {
      return await this.connectBy(deadline);
    } catch (error) {
      if (!wasCut(error)) return fail(error);
      return this.connectBy(deadline).catch(fail);
    }
  }

  private async connectBy(deadline: number): Promise<pg.PoolClient> {
    const left = deadline - performance.now();
    if (left >= connectMs(this.budgetMs)) return this.pool.connect();
    let late = false;
    let timer: NodeJS.Timeout | undefined;
    const connecting = this.pool.connect();
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        late = true;
        reject(new DependencyUnavailable('database'));
      }, left);
    });
    void connecting.then((client) => late && client.release()).catch(() => undefined);
    return Promise.race([connecting, timeout]).finally(() => clearTimeout(timer));
  }
}

/** One connection while a call uses it. */
class Connection implements Queries {
  /** Why it cannot be used again. */
  broken: Error | null = null;

  constructor(
    private readonly client: pg.PoolClient,
    private readonly deadline: number,
  ) {
    client.on('error', this.lost);
  }

  private readonly lost = (error: Error): void => void (this.broken ??= error);

  release(): void {
    this.client.off('error', this.lost);
  }

  async query<R>(statement: Statement, values: readonly unknown[]): Promise<R[]> {
    const answered = await this.send({ name: statement.name, text: statement.text, values: values as unknown[] });
    return answered.rows as R[];
  }

  async run<R>(text: string, values?: readonly unknown[]): Promise<R[]> {
    const answered = await this.send(values ? { text, values: values as unknown[] } : { text });
    // pg answers a list where the text held several statements.
    return (Array.isArray(answered) ? (answered as pg.QueryResult[]).at(-1)! : answered).rows as R[];
  }

  private async send(config: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.broken) throw new DependencyUnavailable('database', { cause: this.broken });
    const left = this.deadline - performance.now();
    if (left < 1) {
      this.broken = new Error('the budget of the call is used up');
      throw new DependencyUnavailable('database', { cause: this.broken });
    }
    try {
      return await this.client.query({ query_timeout: Math.ceil(left), ...config } as pg.QueryConfig);
    } catch (error) {
      if (breaksConnection(error)) this.broken = error as Error;
      return fail(error);
    }
  }
}

function fail(error: unknown): never {
  throw translated(error);
}

/** Also closes the socket: a server that hangs would keep it open, and the process with it. */
function destroy(client: pg.PoolClient, reason: Error): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  client.release(reason);
}
