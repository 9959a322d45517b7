import type { Environment, Instant, Position, ReadProgress } from '../../kernel/index.js';
import type { Repositories } from '../../engines/database/repositories.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { LIST_LIMIT_DEFAULT, pageOf, readCursor, type ListQuery, type Page } from '../../http/list.js';
import type { KeyType } from '../../context/scopes.js';
import type { KeyDirectory } from '../sites/key-directory.js';
import type { KeyCondition, ShownKey, SiteState } from '../state.js';
import type { ListedKey } from './entities.js';
import { pageOfKeys, pageOfSites } from './view.js';

/** How long a list waits until its rows hold the caller's writes, before it is made from memory. */
const ROWS_WITHIN_MS = 250;
/** How long a list from memory waits for another process's write, whose position the caller names. */
const KNOWN_WITHIN_MS = 1_500;

/** The rows of the operator's lists, and the position up to which they are complete. */
export interface ListedRows {
  repositories: Repositories;
  sites: ReadProgress;
  keys: ReadProgress;
}

export interface KeyFilter extends Pick<ListQuery, 'limit' | 'cursor'> {
  type?: KeyType;
  env?: Environment;
  /** That the caller reaches; default: both. */
  envs?: readonly Environment[];
  state?: KeyCondition;
}

/**
 * The operator's lists, page by page from rows. A list contains every write that its caller knows (the caller sends its
 * position) and every write that this process knows. If the rows are late or unavailable, the same page is made from the
 * fold in memory. Both use the same cursors, so the next page may come from the other source.
 */
export class OperatorLists {
  constructor(
    private readonly directory: KeyDirectory,
    private readonly rows: ListedRows | null,
  ) {}

  /** @param names of the sites that the caller reaches; null: all. */
  async sites(
    { limit = LIST_LIMIT_DEFAULT, cursor }: ListQuery,
    after: Position | null,
    names: readonly string[] | null = null,
  ): Promise<Page<SiteState>> {
    const since = cursor === undefined ? '' : readCursor(cursor, ['string'] as const)[0];
    const listed = await this.fromRows('sites', after, this.directory.changedAt(), async ({ repositories }) => {
      const [{ And, In, MoreThan }, { ListedSite }] = await Promise.all([import('typeorm'), import('./entities.js')]);
      const found = await repositories.ask(ListedSite, (sites) =>
        sites.find({
          where: { registered: true, site: names ? And(MoreThan(since), In(names)) : MoreThan(since) },
          order: { site: 'ASC' },
          take: limit + 1,
        }),
      );
      return pageOf(
        found.map(({ site, settings }): SiteState => ({ site, settings, keys: new Map() })),
        limit,
        ({ site }) => [site!],
      );
    });
    const known = this.directory.sites();
    return listed ?? pageOfSites(names ? known.filter(({ site }) => names.includes(site!)) : known, limit, since);
  }

  /** Null if there is no such site. */
  async keys(site: string, filter: KeyFilter, at: Instant, after: Position | null): Promise<Page<ShownKey> | null> {
    const { limit = LIST_LIMIT_DEFAULT, cursor } = filter;
    const before = cursor === undefined ? null : readCursor(cursor, ['number'] as const)[0];
    const listed = await this.fromRows('keys', after, this.directory.changedAt(site), async ({ repositories }) => {
      const { ListedKey } = await import('./entities.js');
      const found = await repositories.ask(ListedKey, (keys) => {
        const query = keys.createQueryBuilder('key').where('key.site = :site', { site, at });
        if (before !== null) query.andWhere('key.place < :before', { before });
        if (filter.type) query.andWhere('key.type = :type', { type: filter.type });
        if (filter.envs) query.andWhere('key.env in (:...envs)', { envs: filter.envs });
        if (filter.env) query.andWhere('key.env = :env', { env: filter.env });
        if (filter.state) query.andWhere(CONDITIONS[filter.state]);
        return query
          .orderBy('key.place', 'DESC')
          .take(limit + 1)
          .getMany();
      });
      const page = pageOf(found, limit, ({ place }) => [place]);
      return { ...page, data: page.data.map(shownKey) };
    });
    // Another process may have registered it a moment ago.
    if (after !== null && !this.directory.site(site)) await this.directory.waitFor(after, KNOWN_WITHIN_MS);
    const known = this.directory.site(site);
    return known ? (listed ?? pageOfKeys(known, filter, at, limit, before)) : null;
  }

  /** Null if the rows lack something that the answer must hold; the caller then asks the directory. */
  private async fromRows<T>(
    name: 'sites' | 'keys',
    after: Position | null,
    known: Position,
    read: (rows: ListedRows) => Promise<T>,
  ): Promise<T | null> {
    const wanted = after !== null && after > known ? after : known;
    try {
      if (this.rows && (await this.rows[name].reached(wanted, ROWS_WITHIN_MS))) return await read(this.rows);
    } catch (error) {
      if (!(error instanceof DependencyUnavailable)) throw error;
    }
    if (after !== null) await this.directory.waitFor(after, KNOWN_WITHIN_MS);
    return null;
  }
}

/** The same condition as `conditionOf`. */
const ENDED = '(key.expiresAt <= :at or key.expiresAt <= key.rotatedAt)';
const CONDITIONS: Readonly<Record<KeyCondition, string>> = {
  revoked: 'key.revokedAt is not null',
  expired: `key.revokedAt is null and ${ENDED}`,
  live: `key.revokedAt is null and ${ENDED} is not true`,
};

function shownKey({ keyId, type, env, name, last4, scopes, allowedOrigins, createdBy, ...key }: ListedKey): ShownKey {
  const instant = (date: Date | null): Instant | null => date && date.toISOString();
  const { rotatedFrom, replacedBy } = key;
  return {
    keyId,
    type,
    env,
    name,
    last4,
    scopes,
    allowedOrigins,
    createdBy,
    rotatedFrom,
    replacedBy,
    issuedAt: key.issuedAt.toISOString(),
    expiresAt: instant(key.expiresAt),
    rotatedAt: instant(key.rotatedAt),
    revokedAt: instant(key.revokedAt),
  };
}
