import pg from 'pg';

/** A statement that is prepared once per connection under its name. The same name always means the same text. */
export interface Statement {
  name: string;
  text: string;
}

/** A statement and the values that it is asked with. */
export interface Asked {
  statement: Statement;
  values: readonly unknown[];
}

/** What pg's own queries do with the messages of the server. */
interface Answered {
  submit(connection: pg.Connection): Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
  handleReadyForQuery(connection: pg.Connection): void;
}

/** What is used of pg's connection, and not part of its types. */
interface ConnectionInside extends pg.Connection {
  submittedNamedStatements: Record<string, string>;
  sync(): void;
}

const UNENDED = new WeakMap<pg.Connection, ConnectionInside>();

/** The connection without its way to end what is sent. Made once: V8 prepares anew each object that others are derived from. */
function unendedOf(connection: pg.Connection): ConnectionInside {
  let unended = UNENDED.get(connection);
  if (!unended) {
    unended = Object.create(connection, { sync: { value: () => undefined } }) as ConnectionInside;
    UNENDED.set(connection, unended);
  }
  return unended;
}

/**
 * Several statements that are sent at once with a single end, which is where the server commits: one round trip and one
 * transaction, undone as a whole by the first that is refused. Each statement is one of pg's own queries, whose end is
 * left out.
 */
export class StatementBatch implements pg.Submittable {
  /** Of pg: how long an answer may take, in ms. */
  readonly query_timeout: number;
  /** Of pg: told what became of it; pg puts its own in front of this one. */
  callback: (error: Error | null) => void;
  readonly rows: Promise<unknown[][]>;
  private readonly queries: readonly Answered[];
  private readonly answers: unknown[][] = [];
  /** The one whose answer comes next. */
  private at = 0;
  private failure: Error | null = null;

  constructor(
    private readonly asked: readonly Asked[],
    types: pg.CustomTypesConfig,
    timeoutMs: number,
  ) {
    this.query_timeout = timeoutMs;
    let settle!: (error: Error | null) => void;
    this.rows = new Promise((resolve, reject) => {
      settle = (error) => (error ? reject(error) : resolve(this.answers));
    });
    this.callback = settle;
    this.queries = asked.map(({ statement: { name, text }, values }) => {
      const config = { name, text, values: values as unknown[], types };
      return new pg.Query(config, (error: Error | undefined, result: { rows: unknown[] }) => {
        if (error) this.failure ??= error;
        else this.answers.push(result.rows);
      }) as unknown as Answered;
    });
  }

  /** Of pg: the statement that it notes as prepared, or not, is the one whose answer comes next. */
  get name(): string | undefined {
    return this.asked[this.at]?.statement.name;
  }

  get text(): string | undefined {
    return this.asked[this.at]?.statement.text;
  }

  submit(connection: pg.Connection): void {
    const { stream } = connection;
    const unended = unendedOf(connection);
    stream.cork();
    for (const query of this.queries) {
      const refused = query.submit(unended);
      this.failure ??= refused;
    }
    // Values that cannot be sent. Nothing of it may count, so the server must not see the end of it.
    if (this.failure) stream.destroy(this.failure);
    else (connection as ConnectionInside).sync();
    stream.uncork();
  }

  handleRowDescription(message: unknown): void {
    this.queries[this.at]!.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.queries[this.at]!.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    this.queries[this.at++]!.handleCommandComplete(message, connection);
  }

  /** What comes after a statement that was refused was not looked at: it has to be prepared again. */
  handleError(error: Error, connection: ConnectionInside): void {
    for (const { statement } of this.asked.slice(this.at)) delete connection.submittedNamedStatements[statement.name];
    this.callback(error);
  }

  handleReadyForQuery(connection: pg.Connection): void {
    for (const query of this.queries) query.handleReadyForQuery(connection);
    this.callback(this.failure);
  }
}
