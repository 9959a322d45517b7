import type { DataSource, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import { translated } from './failures.js';

/** People ask for lists: two at a time are enough. */
const CONNECTIONS_MAX = 2;
const BUDGET_MS = 1_500;

/**
 * TypeORM repositories over read models that are listed and not hot. It is loaded and connected when the first list is
 * asked for: loading alone takes 0.2 s, which no start should wait for.
 */
export class Repositories {
  private source: Promise<DataSource> | null = null;

  /** `entities` loads the classes of the lists, by an import of its own. */
  constructor(
    private readonly url: string,
    private readonly entities: () => Promise<(new () => ObjectLiteral)[]>,
  ) {}

  /** Rejects with DependencyUnavailable where the database is away, at the first call and at every other. */
  async ask<E extends ObjectLiteral, R>(
    entity: EntityTarget<E>,
    work: (rows: Repository<E>) => Promise<R>,
  ): Promise<R> {
    try {
      return await work((await this.opened()).getRepository(entity));
    } catch (error) {
      throw translated(error);
    }
  }

  async close(): Promise<void> {
    await this.source?.then((source) => source.destroy()).catch(() => undefined);
  }

  private opened(): Promise<DataSource> {
    this.source ??= this.open().catch((error: unknown) => {
      // The next call tries again.
      this.source = null;
      throw error;
    });
    return this.source;
  }

  private async open(): Promise<DataSource> {
    const [{ DataSource }, entities] = await Promise.all([import('typeorm'), this.entities()]);
    return new DataSource({
      type: 'postgres',
      url: this.url,
      entities,
      synchronize: false,
      logging: false,
      installExtensions: false,
      applicationName: 'assent lists',
      poolErrorHandler: () => undefined,
      extra: {
        max: CONNECTIONS_MAX,
        connectionTimeoutMillis: BUDGET_MS,
        statement_timeout: BUDGET_MS,
        query_timeout: BUDGET_MS,
      },
    }).initialize();
  }
}
