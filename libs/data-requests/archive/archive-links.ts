import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, isRefusal, plusMs, type Clock, type Instant, type Refusal, type Scope } from '../../kernel/index.js';
import { PUBLIC_URL } from '../../engines/config/public-url.js';
import type { Download } from '../../http/answers/download.js';
import { idBytes } from '../../engines/id-bytes.js';
import { openWith } from '../../vault/master-key.js';
import { Vault } from '../../vault/vault.js';
import type { Language } from '../../pages/languages.js';
import { dataRequestRefusals } from '../refusals.js';
import { RequestViews } from '../request-views.js';
import { aboutChunk, ARCHIVE_KEY } from './archive-key.js';
import { ArchiveRows, type StoredArchive } from './archive-rows.js';

export const ARCHIVE_PATH = '/v1/archive';
const HOUR_MS = 3_600_000;
const TOKEN = /^dat_[A-Za-z0-9_-]{43}$/;

export interface ArchiveLink {
  url: string;
  expiresAt: Instant;
  archive: StoredArchive;
}

/** An archive that the holder of a link may fetch. */
export interface FetchableArchive {
  archive: StoredArchive;
  expiresAt: Instant;
  language: Language;
  site: string;
}

/** An archive that is being fetched. */
export interface FetchedArchive {
  archive: StoredArchive;
  /** Piece by piece. A piece that cannot be read rejects. */
  content: AsyncIterable<Buffer>;
}

export const downloadOf = ({ archive: { requestId, bytes }, content }: FetchedArchive): Download => ({
  fileName: `your-data-${requestId}.zip`,
  mediaType: 'application/zip',
  bytes,
  content,
});

/** All that is kept of a token; null where the text can be none. */
const hashOf = (token: string): string | null =>
  TOKEN.test(token) ? createHash('sha256').update(token).digest('hex') : null;

/** Hands out links by which an archive is fetched once, and what is behind them. */
@Injectable()
export class ArchiveLinks {
  constructor(
    private readonly rows: ArchiveRows,
    private readonly views: RequestViews,
    private readonly vault: Vault,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(PUBLIC_URL) private readonly at: string,
  ) {}

  /** A new link, which takes the place of the one before. */
  async issue(
    scope: Scope,
    requestId: string,
    hours: number,
  ): Promise<(ArchiveLink & { subjectId: string }) | Refusal> {
    const request = await this.views.find(scope, requestId);
    if (!request) return dataRequestRefusals.notFound();
    if (request.effect?.kind !== 'ARCHIVE') return dataRequestRefusals.noArchive();
    const archive = await this.rows.find(requestId);
    if (!(await this.keyOf(archive?.subjectId ?? request.subjectId))) return dataRequestRefusals.subjectErased();
    if (!archive) return dataRequestRefusals.archiveGone();
    const token = `dat_${Buffer.from(idBytes(32)).toString('base64url')}`;
    const expiresAt = plusMs(this.clock(), hours * HOUR_MS);
    await this.rows.putLink(hashOf(token)!, scope, requestId, expiresAt);
    return { url: `${this.at}${ARCHIVE_PATH}?token=${token}`, expiresAt, archive, subjectId: archive.subjectId };
  }

  /** What a token leads to; changes nothing. */
  async look(token: string): Promise<FetchableArchive | Refusal> {
    const found = await this.find(token);
    if (isRefusal(found)) return found;
    const { archive, expiresAt, site } = found;
    return { archive, expiresAt, language: archive.language, site };
  }

  /** Uses the token: the archive, piece by piece. A piece that cannot be read rejects. */
  async fetch(token: string): Promise<FetchedArchive | Refusal> {
    const found = await this.find(token);
    if (isRefusal(found)) return found;
    if (!(await this.rows.claim(hashOf(token)!, this.clock()))) return dataRequestRefusals.linkUsed();
    return { archive: found.archive, content: this.contentOf(found.archive, found.key) };
  }

  /**
   * The archive of a request for its subject, who is signed in and needs no link: once, and once more for each link that
   * was made and not used. The caller must have been shown to be the subject.
   */
  async fetchDirectly(scope: Scope, requestId: string): Promise<FetchedArchive | Refusal> {
    const archive = await this.rows.find(requestId);
    if (!archive) return dataRequestRefusals.archiveGone();
    const key = await this.keyOf(archive.subjectId);
    if (!key) return dataRequestRefusals.subjectErased();
    if (!(await this.rows.claimDirectly(scope, requestId, this.clock()))) return dataRequestRefusals.linkUsed();
    return { archive, content: this.contentOf(archive, key) };
  }

  private async find(
    token: string,
  ): Promise<{ archive: StoredArchive; expiresAt: Instant; key: Buffer; site: string } | Refusal> {
    const hash = hashOf(token);
    const link = hash && (await this.rows.link(hash));
    if (!link) return dataRequestRefusals.linkInvalid();
    if (link.isUsed) return dataRequestRefusals.linkUsed();
    if (link.expiresAt <= this.clock()) return dataRequestRefusals.linkExpired();
    const archive = await this.rows.find(link.requestId);
    if (!archive) return dataRequestRefusals.linkExpired();
    const key = await this.keyOf(archive.subjectId);
    return key
      ? { archive, expiresAt: link.expiresAt, key, site: link.scope.site }
      : dataRequestRefusals.subjectErased();
  }

  private async *contentOf({ id, chunks }: StoredArchive, key: Buffer): AsyncGenerator<Buffer> {
    for (let n = 0; n < chunks; n++) {
      const sealed = await this.rows.chunk(id, n);
      if (!sealed) throw new Error(`piece ${n} of an archive is gone`);
      yield inflateRawSync(openWith(key, sealed, aboutChunk(id, n)));
    }
  }

  private async keyOf(subjectId: string): Promise<Buffer | undefined> {
    return (await this.vault.keysFor(ARCHIVE_KEY, [subjectId])).get(subjectId);
  }
}
