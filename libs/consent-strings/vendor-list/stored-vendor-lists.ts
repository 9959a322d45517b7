import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CATALOGUE, type Catalogue } from '../../catalogue/index.js';
import { lookUpLocale } from '../../pages/locale.js';
import { Codec } from '../../streams/codec.js';
import type { EventLog } from '../../log/port.js';
import { StreamReading } from '../../streams/stream-reading.js';
import { EVENT_LOG } from '../../log/tokens.js';
import type { Instant, Scope } from '../../kernel/index.js';
import { agreedList, withDeletionsOf, type GrantedPurpose } from './agreed-list.js';
import { VENDOR_LISTS_STREAM, type VendorListEvent } from './events.js';
import type { GvlTexts } from './gvl.js';
import { KeptContents } from './kept-contents.js';
import { translated } from './read-texts.js';
import { takenAt, vendorListsFold, type VendorListsState } from './state.js';
import { listsContended } from './refusals.js';
import { SYNTHETIC, SYNTHETIC_TRANSLATIONS } from './synthetic.js';
import { VendorLists, type TranslatedList, type VendorList } from './vendor-lists.js';

/** How long the known lists are used without reading the log again, in ms. A list is taken once a week. */
const FRESH_MS = 1_000;
/** Older lists with the deletions of newer ones: of some weeks, for subjects who have not renewed. */
const AGREED_MAX = 8;
/** Language of published lists, and of the synthetic ones. */
const PUBLISHED_LOCALE = 'en';

/**
 * The lists in the log. A site uses the one that its catalogue says it has adopted. A site without vendors has adopted
 * none and gets the newest.
 */
@Injectable()
export class StoredVendorLists extends VendorLists {
  private readonly streams: StreamReading<VendorListsState, VendorListEvent>;
  private readonly contents: KeptContents;
  private readonly agreed = new LRUCache<string, VendorList>({ max: AGREED_MAX });
  private known: Promise<VendorListsState> | null = null;
  private askedAtMs = -Infinity;

  constructor(
    @Inject(EVENT_LOG) log: EventLog,
    codec: Codec,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
  ) {
    super();
    this.streams = new StreamReading(log, codec, { ...vendorListsFold, contended: listsContended });
    this.contents = new KeptContents(log, codec);
  }

  async inUse(scope: Scope, at?: Instant): Promise<VendorList> {
    const { vendorLists: adopted = [] } = this.catalogue.of(scope);
    const own = at === undefined ? adopted.at(-1) : adopted.findLast(({ adoptedAt }) => adoptedAt <= at);
    if (own) return this.list(own);
    if (at === undefined) return this.newest();
    const taken = takenAt(await this.state(), at);
    return taken ? this.list(taken) : SYNTHETIC.at(-1)!;
  }

  async agreedTo(
    scope: Scope,
    current: VendorList,
    granted: readonly GrantedPurpose[],
    at: Instant,
  ): Promise<VendorList> {
    const { vendorLists: adopted = [] } = this.catalogue.of(scope);
    const agreed = adopted.length > 1 ? agreedList(adopted, granted, at) : null;
    if (!agreed || agreed.digest === current.digest) return current;
    const name = `${agreed.digest} ${current.digest}`;
    let list = this.agreed.get(name);
    if (!list) {
      const older = await this.list(agreed);
      list = { ...older, content: withDeletionsOf(current.content, older.content) };
      this.agreed.set(name, list);
    }
    return list;
  }

  async newest(): Promise<VendorList> {
    const taken = (await this.state()).taken.at(-1);
    return taken ? this.list(taken) : SYNTHETIC.at(-1)!;
  }

  async byVersion(version: number): Promise<VendorList | null> {
    // Another process may have taken it a moment ago.
    const known = await this.state();
    const find = ({ taken }: VendorListsState) => taken.find((list) => list.version === version);
    const taken = find(known) ?? find(await this.looked());
    if (taken) return this.list(taken);
    return SYNTHETIC.find((list) => list.version === version) ?? null;
  }

  async inLanguage({ content, isSynthetic }: VendorList, wishes: readonly string[]): Promise<TranslatedList> {
    const original = { content, locale: PUBLISHED_LOCALE, textsDigest: '' };
    if (isSynthetic) {
      const locale = lookUpLocale(wishes, [PUBLISHED_LOCALE, ...SYNTHETIC_TRANSLATIONS.keys()]);
      const translation = locale === null ? undefined : SYNTHETIC_TRANSLATIONS.get(locale);
      return translation ? { locale: locale!, ...translatedBy(translation, content) } : original;
    }
    const { texts } = await this.state();
    const locale = lookUpLocale(wishes, [PUBLISHED_LOCALE, ...Object.keys(texts)]);
    if (locale === null || locale === PUBLISHED_LOCALE) return original;
    const { digest } = texts[locale]!;
    return { locale, ...translatedBy({ digest, words: await this.contents.texts(digest) }, content) };
  }

  async list({ version, digest }: { version: number; digest: string }): Promise<VendorList> {
    const synthetic = SYNTHETIC.find((list) => list.digest === digest);
    return synthetic ?? { version, digest, isSynthetic: false, content: await this.contents.list(digest) };
  }

  /** May be some milliseconds old: while it is renewed, callers get the last known state. */
  private async state(): Promise<VendorListsState> {
    const known = this.known;
    if (known && performance.now() - this.askedAtMs < FRESH_MS) return known;
    const looked = this.looked();
    if (!known) return looked;
    // If the log is away, no process can have taken a list either.
    looked.catch(() => undefined);
    return known;
  }

  private looked(): Promise<VendorListsState> {
    this.askedAtMs = performance.now();
    const loaded = this.streams.load(VENDOR_LISTS_STREAM).then(({ state }) => state);
    loaded.then(
      () => (this.known = loaded),
      () => undefined,
    );
    return loaded;
  }
}

const translatedBy = (
  { digest, words }: { digest: string; words: GvlTexts },
  content: VendorList['content'],
): Omit<TranslatedList, 'locale'> => ({ content: translated(content, words), textsDigest: digest });
