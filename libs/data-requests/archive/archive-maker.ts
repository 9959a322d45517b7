import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { Inject, Injectable } from '@nestjs/common';
import { makeZip } from 'client-zip';
import { KeyDirectory, shownBrand } from '../../access/index.js';
import { SubjectTimeline } from '../../context/subject-timeline.js';
import { CATALOGUE, type Catalogue } from '../../catalogue/index.js';
import { Codec } from '../../streams/codec.js';
import type { EventLog } from '../../log/port.js';
import { EVENT_LOG } from '../../log/tokens.js';
import { ciphersOf, familyOfSubject, opened } from '../../subject-archive/index.js';
import { CLOCK, subjectStream, type Clock, type Refusal, type Scope } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { idBytes } from '../../engines/id-bytes.js';
import { MasterKey, sealWith } from '../../vault/master-key.js';
import { Vault } from '../../vault/vault.js';
import type { Html } from '../../pages/html.js';
import { languageOf } from '../../pages/languages.js';
import { RECEIPT_SIGNER, type ReceiptSigner } from '../../receipts/index.js';
import { firstLocale } from '../../subjects/index.js';
import { dataRequestRefusals } from '../refusals.js';
import { RequestViews } from '../request-views.js';
import { RequestIndex } from '../write/request-index.js';
import { aboutChunk, ARCHIVE_KEY } from './archive-key.js';
import { archiveJson, type ArchiveOf } from './archive-json.js';
import { ArchiveNames } from './archive-names.js';
import { archivePage, DATA_FILE, type ShownArchive } from './archive-page.js';
import { ArchiveRows, type StoredArchive } from './archive-rows.js';
import { ARCHIVE_JSON_SCHEMA } from './archive-schema.js';
import { Holdings } from './holdings.js';
import { pieces } from './pieces.js';

/** What one row of the table holds at most before it is compressed. It bounds the memory of making and of fetching. */
const CHUNK_BYTES = 256 * 1024;

/** What an archive is made for. */
export interface WantedArchive {
  requestId: string;
  /** Language of the requester, BCP 47. Null: that of the subject, else of the site. */
  locale: string | null;
}

/** Makes archives, piece by piece: memory is bounded however much is known of a subject, and nothing lies on a disk in clear. */
@Injectable()
export class ArchiveMaker {
  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    private readonly codec: Codec,
    private readonly timeline: SubjectTimeline,
    private readonly vault: Vault,
    private readonly database: Database,
    private readonly master: MasterKey,
    @Inject(RECEIPT_SIGNER) private readonly signer: ReceiptSigner,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    private readonly index: RequestIndex,
    private readonly views: RequestViews,
    private readonly rows: ArchiveRows,
    private readonly directory: KeyDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Why there can be none of a subject; null where there can. */
  async refuses(scope: Scope, subjectId: string): Promise<Refusal | null> {
    return (await this.sealingOf(scope, subjectId)) ? null : dataRequestRefusals.subjectErased();
  }

  /** The archive of a request, made on the first call. All that is known of the subject and of those merged with it. */
  async archiveOf(scope: Scope, subjectId: string, wanted: WantedArchive): Promise<StoredArchive | Refusal> {
    const before = await this.rows.find(wanted.requestId);
    if (before) return before;
    const sealing = await this.sealingOf(scope, subjectId);
    if (!sealing) return dataRequestRefusals.subjectErased();
    const { family, key } = sealing;
    const settings = this.directory.site(scope.site)?.settings;
    const locales = [wanted.locale, await this.localeOf(scope, family[0]!), settings?.defaultLocale];
    const wishes = locales.filter((locale) => typeof locale === 'string');
    const language = languageOf(wishes);
    const of: ArchiveOf = { requestId: wanted.requestId, language };
    const holdings = new Holdings(this.sources(), scope, family, await this.log.head(), this.clock());
    const shown: ShownArchive = {
      language,
      names: new ArchiveNames(this.catalogue.of(scope), holdings.at, language, [language, ...wishes]),
      brand: settings ? shownBrand(settings, [language, ...wishes]) : null,
    };
    const id = Buffer.from(idBytes(16)).toString('hex');
    const hash = createHash('sha256');
    let bytes = 0;
    let chunks = 0;
    for await (const piece of pieces(zipped(holdings, of, shown), CHUNK_BYTES)) {
      hash.update(piece);
      bytes += piece.length;
      await this.rows.putChunk(id, chunks, sealWith(key, deflateRawSync(piece), aboutChunk(id, chunks)));
      chunks++;
    }
    const sha256 = hash.digest('hex');
    return this.rows.finish({ ...of, id, subjectId: family[0]!, sha256, bytes, chunks });
  }

  /** The language that the site knows of the subject; null where it knows none. */
  private async localeOf(scope: Scope, subjectId: string): Promise<string | null> {
    const stream = subjectStream(scope, subjectId);
    const [first] = await this.log.read(stream, { direction: 'forwards', limit: 1 });
    if (!first) return null;
    const cipherOf = await ciphersOf(this.vault, [subjectId]);
    return firstLocale(opened(this.codec, first, cipherOf(subjectId)!, cipherOf));
  }

  /** Null: the subject was erased. */
  private async sealingOf(scope: Scope, subjectId: string): Promise<{ family: string[]; key: Buffer } | null> {
    const family = await familyOfSubject({ log: this.log, codec: this.codec }, scope, subjectId);
    const key = (await this.vault.keysFor(ARCHIVE_KEY, [family[0]!])).get(family[0]!);
    return key ? { family, key } : null;
  }

  private sources() {
    const { log, codec, timeline, vault, database, master, signer, catalogue } = this;
    const requestsOf = async (scope: Scope, family: readonly string[]) => {
      const found = await Promise.all((await this.index.of(scope, family)).map((id) => this.views.find(scope, id)));
      return Promise.all(found.filter((each) => each !== null).map((each) => this.views.of(each)));
    };
    return { log, codec, timeline, vault, database, master, signer, catalogue, requestsOf };
  }
}

function zipped(holdings: Holdings, of: ArchiveOf, shown: ShownArchive): AsyncIterable<Uint8Array> {
  const counted = { events: 0 };
  const lastModified = new Date(holdings.at);
  const file = (name: string, parts: AsyncIterable<string | Html>) => ({ name, lastModified, input: encoded(parts) });
  const schema = `${JSON.stringify(ARCHIVE_JSON_SCHEMA, null, 2)}\n`;
  return makeZip([
    file(DATA_FILE, archiveJson(holdings, of, counted)),
    // Read after the file before it, which counts.
    file('your-data.html', archivePage(holdings, shown, counted)),
    { name: 'schema.json', lastModified, input: schema },
  ]) as unknown as AsyncIterable<Uint8Array>;
}

async function* encoded(parts: AsyncIterable<string | Html>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) yield Buffer.from(part.toString());
}
