import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { LRUCache } from 'lru-cache';
import { Refused, type Scope } from '../../../kernel/index.js';
import { weakETag } from '../../../http/answers/conditional.js';
import { PreparedJson } from '../../../http/answers/prepared-json.js';
import { listNotFound } from '../refusals.js';
import { VendorLists } from '../vendor-lists.js';

/** Most cached answers, by version and language. One of 1,100 vendors takes 1.5 MB. */
const MADE_MAX = 4;

/** The vendor list in use, or a version that was in use earlier. */
export class GetVendorList extends Query<VendorListAnswer> {
  constructor(
    readonly scope: Scope,
    readonly version: number | undefined,
    readonly locales: readonly string[],
  ) {
    super();
  }
}

export interface VendorListAnswer {
  etag: string;
  locale: string;
  isSynthetic: boolean;
  /** A VendorListDto. */
  body: PreparedJson;
}

@QueryHandler(GetVendorList)
export class GetVendorListHandler implements IQueryHandler<GetVendorList> {
  private readonly made = new LRUCache<string, PreparedJson>({ max: MADE_MAX });

  constructor(private readonly lists: VendorLists) {}

  async execute({ scope, version, locales }: GetVendorList): Promise<VendorListAnswer> {
    const list = version === undefined ? await this.lists.inUse(scope) : await this.lists.byVersion(version);
    if (!list) throw new Refused(listNotFound(version!));
    const { content, locale, textsDigest } = await this.lists.inLanguage(list, locales);
    const etag = weakETag(`v${list.version}.${list.digest.slice(0, 16)}-${locale}.${textsDigest.slice(0, 16)}`);
    let body = this.made.get(etag);
    if (!body) {
      body = new PreparedJson(Buffer.from(JSON.stringify(content)));
      this.made.set(etag, body);
    }
    return { etag, locale, isSynthetic: list.isSynthetic, body };
  }
}
