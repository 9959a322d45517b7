import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { KeyDirectory } from '../../../access/index.js';
import { Database } from '../../../engines/database/database.js';
import { readList } from '../read-list.js';
import { readTexts } from '../read-texts.js';
import { ListSources } from './list-sources.js';
import { VendorListRegister } from './register.js';
import { SourceRows, type Claimed } from './source-rows.js';
import type { Looked, Source, Validators } from './sources.js';

/** Looks for a vendor list, and for its texts in the languages of the sites, if the source is due. */
export class LoadVendorLists extends Command<void> {}

const NOT_KNOWN: Validators = { etag: null, lastModified: null };
@CommandHandler(LoadVendorLists)
export class LoadVendorListsHandler implements ICommandHandler<LoadVendorLists> {
  private readonly rows: SourceRows;

  constructor(
    database: Database,
    private readonly sources: ListSources,
    private readonly register: VendorListRegister,
    private readonly keys: KeyDirectory,
  ) {
    this.rows = new SourceRows(database);
  }

  async execute(): Promise<void> {
    const list = this.sources.list;
    if (!list) return;
    await this.lookAt(
      list,
      () => this.register.hasList(),
      async (bytes) => {
        const offered = await this.register.offer(readList(bytes), list.from);
        return typeof offered === 'string' ? null : [offered.refused, offered.detail].filter(Boolean).join(': ');
      },
    );
    for (const locale of this.languages())
      await this.lookAt(
        this.sources.texts(locale)!,
        () => this.register.hasTexts(locale),
        async (bytes) => {
          const texts = readTexts(bytes);
          if (!texts) return 'NOT_TEXTS';
          await this.register.offerTexts(locale, texts, list.from);
          return null;
        },
      );
  }

  /** `take` returns why the found list is not used; null if it is used. */
  private async lookAt(
    source: Source,
    isKept: () => Promise<boolean>,
    take: (bytes: Buffer) => Promise<string | null>,
  ): Promise<void> {
    const claimed = await this.rows.claim(source.name);
    if (!claimed) return;
    // An earlier find need not be in this log: the operator may have configured another log since.
    const looked = await source.look((await isKept()) ? claimed : NOT_KNOWN);
    await this.note(source, claimed, looked, take);
  }

  private async note(
    { name }: Source,
    { failures }: Claimed,
    looked: Looked,
    take: (bytes: Buffer) => Promise<string | null>,
  ): Promise<void> {
    switch (looked.outcome) {
      case 'FOUND':
        return this.rows.looked(name, looked, await take(looked.bytes));
      case 'UNCHANGED':
        return this.rows.looked(name, looked);
      case 'NONE':
        return this.rows.looked(name, { ...looked, validators: NOT_KNOWN }, 'NONE');
      case 'FAILED':
        return this.rows.failed(name, looked, failures);
    }
  }

  /** Languages of all sites, without the one that lists are published in. */
  private languages(): string[] {
    const all = this.keys.sites().flatMap(({ settings }) => settings.languages.map((locale) => locale.toLowerCase()));
    return [...new Set(all)].filter((locale) => locale !== 'en' && LANGUAGE.test(locale)).sort();
  }
}

/** Part of a file name and of an address. */
const LANGUAGE = /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,2}$/;
