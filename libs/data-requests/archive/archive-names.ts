import {
  purposeOf,
  purposeView,
  templateInForce,
  templateView,
  topicPath,
  versionInForce,
  type CatalogueState,
} from '../../catalogue/index.js';
import type { Instant } from '../../kernel/index.js';
import type { Language } from '../../pages/languages.js';
import { ARCHIVE_WORDS } from './texts/words.js';

/** What things are called where a person reads of them: by their keys the catalogue knows them in the person's language. */
export class ArchiveNames {
  private readonly fields: ReadonlyMap<string, string>;

  constructor(
    private readonly catalogue: CatalogueState,
    private readonly at: Instant,
    private readonly language: Language,
    /** What texts of the site are wanted in, best first. */
    private readonly wishes: readonly string[],
  ) {
    const { channels, sections } = templateView(templateInForce(catalogue, at), wishes);
    const channelOf = (key: string): string => channels.find((channel) => channel.key === key)?.label ?? key;
    this.fields = new Map(
      sections
        .flatMap((section) => section.fields)
        .map(({ key, label, channel, topic }) =>
          channel && topic ? [topicPath(channel, topic), `${label} (${channelOf(channel)})`] : [key, label],
        ),
    );
  }

  /** Of a purpose, a topic or a field; null where the catalogue has none of that key any more. */
  of(about: string): string | null {
    if (about === 'globalOptOut') return ARCHIVE_WORDS[this.language].noMessages;
    const purpose = purposeOf(this.catalogue, about);
    if (!purpose) return this.fields.get(about) ?? null;
    const version = versionInForce(purpose, this.at) ?? purpose.versions.at(-1)!;
    return purposeView(purpose, version, this.wishes, this.at).name;
  }

  /**
   * The name of a kind of identifier, or of what else is known of a person. A kind of the site's own, `custom.loyalty`, has
   * the name that the site gave it.
   */
  ofKind(kind: string): string {
    const { identifiers, described } = ARCHIVE_WORDS[this.language];
    const names: Readonly<Record<string, string>> = { ...identifiers, ...described };
    return Object.hasOwn(names, kind) ? names[kind]! : kind.replace(/^custom\./, '');
  }
}
