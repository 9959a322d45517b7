import { Injectable } from '@nestjs/common';
import { plusMs, type Environment, type Instant, type Scope } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import type { Language } from '../../pages/languages.js';
import type { ArchiveOutlook } from '../view.js';

/** An archive is kept this long, in days; then its hash in the log is what is left. */
export const ARCHIVE_DAYS = 30;
/** How long after its end a link is still known to have expired. */
const LINK_DAYS = 90;
const PRUNED_AT_ONCE = 1_000;
const DAY_MS = 86_400_000;

const PUT_CHUNK = {
  name: 'archive_put_chunk',
  text: 'insert into write.archive_chunk (archive, n, sealed) values ($1, $2, $3)',
};
const CHUNK = { name: 'archive_chunk', text: 'select sealed from write.archive_chunk where archive = $1 and n = $2' };
const FINISH = {
  name: 'archive_finish',
  text: `insert into write.archive (request_id, id, subject_id, language, sha256, bytes, chunks)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (request_id) do nothing`,
};
const FIND = { name: 'archive_find', text: 'select * from write.archive where request_id = $1' };
const DROP_CHUNKS = { name: 'archive_drop_chunks', text: 'delete from write.archive_chunk where archive = $1' };
const PUT_LINK = {
  name: 'archive_put_link',
  text: `with replaced as (delete from write.archive_link where request_id = $4 and used_at is null)
         insert into write.archive_link (token_hash, site, env, request_id, expires_at) values (decode($1, 'hex'), $2, $3, $4, $5)`,
};
const LINK = {
  name: 'archive_link',
  text: `select site, env, request_id, expires_at, used_at from write.archive_link where token_hash = decode($1, 'hex')`,
};
const CLAIM = {
  name: 'archive_claim',
  text: `update write.archive_link set used_at = $2 where token_hash = decode($1, 'hex') and used_at is null returning 1`,
};
/**
 * Notes that the subject fetches the archive without a link: `$1` request, `$2` site, `$3` environment, `$4` now. Once, or
 * once more for each link that was made and not used. The row stands in the place of a link whose number is that of the
 * uses before it, so that of two at the same time one wins.
 */
const CLAIM_DIRECTLY = {
  name: 'archive_claim_directly',
  text: `with links as (select count(*) as n, count(used_at) as used from write.archive_link where request_id = $1),
              waiting as (delete from write.archive_link where request_id = $1 and used_at is null returning expires_at)
         insert into write.archive_link (token_hash, site, env, request_id, expires_at, used_at)
         select sha256(convert_to($1 || '/' || used, 'UTF8')), $2, $3, $1, $4::timestamptz, $4::timestamptz from links
         where (used = 0 and n = (select count(*) from waiting))
            or exists (select from waiting where expires_at > $4::timestamptz)
         on conflict (token_hash) do nothing returning 1`,
};
const OUTLOOK = {
  name: 'archive_outlook',
  text: `select a.request_id, a.made_at, max(l.used_at) as used_at,
                coalesce(bool_or(l.used_at is null and l.expires_at > $2::timestamptz), false) as is_waiting
         from write.archive a left join write.archive_link l using (request_id)
         where a.request_id = any($1::text[]) group by a.request_id`,
};
const FORGET = {
  name: 'archive_forget',
  text: `with gone as (delete from write.archive where subject_id = any($1::text[]) returning id, request_id),
         chunks as (delete from write.archive_chunk where archive in (select id from gone))
         delete from write.archive_link where request_id in (select request_id from gone)`,
};
/** Chunks without an archive are of one that was not finished, or lost a race. */
const PRUNE_CHUNKS = {
  name: 'archive_prune_chunks',
  text: `delete from write.archive_chunk where (archive, n) in (
           select c.archive, c.n from write.archive_chunk c
           where c.made_at < now() - make_interval(days => $1)
              or (c.made_at < now() - interval '1 day' and not exists (select from write.archive a where a.id = c.archive))
           limit $2) returning 1`,
};
const PRUNE = {
  name: 'archive_prune',
  text: 'delete from write.archive where made_at < now() - make_interval(days => $1)',
};
const PRUNE_LINKS = {
  name: 'archive_prune_links',
  text: 'delete from write.archive_link where expires_at < now() - make_interval(days => $1)',
};

/** An archive that is whole. */
export interface StoredArchive {
  requestId: string;
  id: string;
  /** Whose key seals it. */
  subjectId: string;
  language: Language;
  /** Hex. */
  sha256: string;
  bytes: number;
  chunks: number;
}

export interface ArchiveLinkRow {
  scope: Scope;
  requestId: string;
  expiresAt: Instant;
  isUsed: boolean;
}

interface Row {
  request_id: string;
  id: string;
  subject_id: string;
  language: Language;
  sha256: string;
  bytes: bigint;
  chunks: number;
}

/** The tables of archives. Everything rejects with DependencyUnavailable where the database is away. */
@Injectable()
export class ArchiveRows {
  constructor(private readonly database: Database) {}

  async putChunk(archive: string, n: number, sealed: Buffer): Promise<void> {
    await this.database.query(PUT_CHUNK, [archive, n, sealed]);
  }

  async chunk(archive: string, n: number): Promise<Buffer | null> {
    return (await this.database.query<{ sealed: Buffer }>(CHUNK, [archive, n]))[0]?.sealed ?? null;
  }

  /** Of several archives of one request the first one stands, and is answered; the chunks of others go. */
  async finish(made: StoredArchive): Promise<StoredArchive> {
    const { requestId, id, subjectId, language, sha256, bytes, chunks } = made;
    await this.database.query(FINISH, [requestId, id, subjectId, language, sha256, bytes, chunks]);
    const stands = (await this.find(requestId)) ?? made;
    if (stands.id !== id) await this.database.query(DROP_CHUNKS, [id]);
    return stands;
  }

  async find(requestId: string): Promise<StoredArchive | null> {
    const [row] = await this.database.query<Row>(FIND, [requestId]);
    if (!row) return null;
    const { request_id, id, subject_id: subjectId, language, sha256, bytes, chunks } = row;
    return { requestId: request_id, id, subjectId, language, sha256, bytes: Number(bytes), chunks };
  }

  /** Takes the place of an earlier link that was not used. */
  async putLink(tokenHash: string, { site, env }: Scope, requestId: string, expiresAt: Instant): Promise<void> {
    await this.database.query(PUT_LINK, [tokenHash, site, env, requestId, expiresAt]);
  }

  async link(tokenHash: string): Promise<ArchiveLinkRow | null> {
    const [row] = await this.database.query<{
      site: string;
      env: Environment;
      request_id: string;
      expires_at: Date;
      used_at: Date | null;
    }>(LINK, [tokenHash]);
    if (!row) return null;
    return {
      scope: { site: row.site, env: row.env },
      requestId: row.request_id,
      expiresAt: row.expires_at.toISOString(),
      isUsed: row.used_at !== null,
    };
  }

  /** True for the one who uses it. */
  async claim(tokenHash: string, at: Instant): Promise<boolean> {
    return (await this.database.query(CLAIM, [tokenHash, at])).length === 1;
  }

  /** The same for a subject that is signed in and needs no link: true for the one fetch that is allowed. */
  async claimDirectly({ site, env }: Scope, requestId: string, at: Instant): Promise<boolean> {
    return (await this.database.query(CLAIM_DIRECTLY, [requestId, site, env, at])).length === 1;
  }

  /** What is to be said of each request that has an archive still. */
  async outlook(requestIds: readonly string[], at: Instant): Promise<ReadonlyMap<string, ArchiveOutlook>> {
    const rows = await this.database.query<{
      request_id: string;
      made_at: Date;
      used_at: Date | null;
      is_waiting: boolean;
    }>(OUTLOOK, [requestIds, at]);
    return new Map(
      rows.map(({ request_id, made_at, used_at, is_waiting }) => [
        request_id,
        {
          keptUntil: plusMs(made_at.toISOString(), ARCHIVE_DAYS * DAY_MS),
          fetchedAt: used_at && used_at.toISOString(),
          isOffered: used_at === null || is_waiting,
        },
      ]),
    );
  }
}

/** Archives of subjects that were erased, with their links. */
export async function forgetArchives(database: Database, subjectIds: readonly string[]): Promise<void> {
  await database.query(FORGET, [subjectIds]);
}

/** Archives that are older than 30 days, pieces that belong to none, and links that ended 90 days ago. */
export async function pruneArchives(database: Database): Promise<void> {
  while ((await database.query(PRUNE_CHUNKS, [ARCHIVE_DAYS, PRUNED_AT_ONCE])).length === PRUNED_AT_ONCE);
  await database.query(PRUNE, [ARCHIVE_DAYS]);
  await database.query(PRUNE_LINKS, [LINK_DAYS]);
}
