import type { DomainEvent, Instant, Scope } from '../kernel/index.js';
import type { Language } from '../pages/languages.js';
import type { Happened } from '../streams/folding.js';
import type { SubjectPart } from './subject-part.js';
import { inSnake, type FamilyEvent, type SideStreams, type TimelineItem, type TimelineSays } from './timeline-item.js';

/** One row of a timeline. A record of several choices makes several rows. Null: does not apply, or is not known. */
export interface TimelineEntry {
  position: string;
  recordedAt: Instant;
  /** When the person said so. */
  givenAt: Instant | null;
  subject: string | null;
  type: string;
  /** Key of a purpose, path of a preference, kind of an identifier; empty where it is about the subject as a whole. */
  about: string;
  answer: string | null;
  state: string | null;
  /** False where something newer stood already. */
  applied: boolean | null;
  validUntil: Instant | null;
  version: number | null;
  /** Of the words. */
  language: string | null;
  /** Hashes by which the words are kept that were shown. */
  text: string | null;
  banner: string | null;
  method: string | null;
  surface: string | null;
  /** Of what was on the screen: PASSED, or the checks that failed, with spaces between them. */
  display: string | null;
  country: string | null;
  region: string | null;
  source: string | null;
  /** Who acted: the person, or an agent or operator for them. */
  actor: string | null;
  record: string | null;
  receipt: string | null;
  /** Codes and ids that no other column has. */
  note: string | null;
}

/** Values of an entry's members that its event does not set. */
const SAYS_NOTHING: Omit<TimelineEntry, 'position' | 'recordedAt' | 'subject' | 'type'> = {
  givenAt: null,
  about: '',
  answer: null,
  state: null,
  applied: null,
  validUntil: null,
  version: null,
  language: null,
  text: null,
  banner: null,
  method: null,
  surface: null,
  display: null,
  country: null,
  region: null,
  source: null,
  actor: null,
  record: null,
  receipt: null,
  note: null,
};

export const TIMELINE_COLUMNS = [
  'position',
  'recordedAt',
  'givenAt',
  'subject',
  'type',
  'about',
  'answer',
  'state',
  'applied',
  'validUntil',
  'version',
  'language',
  'text',
  'banner',
  'method',
  'surface',
  'display',
  'country',
  'region',
  'source',
  'actor',
  'record',
  'receipt',
  'note',
] as const satisfies readonly (keyof TimelineEntry)[];

/** An event of a subject, in today's schema. */
export interface ReadEvent {
  position: string;
  recordedAt: Instant;
  type: string;
  subjectId: string | null;
  /** Null: this release cannot read it, or it counts no more. */
  event: DomainEvent | null;
}

/** Masks text that a person may have written, so that it can be recognised but not used; the identity for text in clear. */
export type Mask = (text: string) => string;

/** Words that are stored with the event itself. */
export interface StoredWords {
  /** BCP 47. */
  language: string;
  dir: 'ltr' | 'rtl';
  title: string;
  paragraphs: string[];
  button: string;
}

/** The part of a purpose that a receipt names, in the version of the decision. */
export interface ReceiptedPurpose {
  key: string;
  legalBasis: string;
  dataCategories: readonly { key: string; sensitive: boolean }[];
  recipients: readonly { name: string; role: string; country?: string }[];
  /** ISO 8601 duration; null where the controller stated none. */
  retention: string | null;
  controller: { name: string; contact: string };
}

/** The context of an event that has a receipt. */
export interface ReceiptWhere<State> extends Scope {
  subjectId: string;
  /** State of the context's part of the subject before the event; undefined where the context has no part. */
  before: State;
  /** The version of a purpose, as it was published. Throws where the catalogue holds none. */
  purpose: (key: string, version: number) => ReceiptedPurpose;
}

export interface MadeReceipt {
  receipt: object;
  /** The signing key follows from it. */
  recordedAt: Instant;
}

/** The receipt of an event. */
export interface EventReceipt<Data, State> {
  /** `rct_…`; null where the receipt of another event stands for this one too. */
  id: (data: Data, subjectId: string) => string | null;
  /** Its context finds it by an index of its own. Absent: `read.receipts` has a row for it. */
  hasOwnIndex?: true;
  /** The same bytes as the service answered, whenever it is made. */
  make: (data: Data, where: ReceiptWhere<State>) => MadeReceipt;
}

/** How archives, audit bundles, timelines, exports and receipts show one type of event. Pure. */
export interface EventDisplay<Data, State = undefined, Type extends string = string> {
  /** What happened, in a few English words, for auditors. */
  headline: string | ((entry: TimelineEntry) => string);
  /** What the event says, row by row, at least one. */
  entries: (data: Data) => Partial<TimelineEntry>[];
  /** What the timeline of the subject says of it. */
  says: (event: Happened<DomainEvent<Type, Data>>, mergedFrom: string | null) => TimelineSays;
  /** One line for operators; empty where the type says it all. */
  line: (data: Data, mask: Mask) => string;
  /** Hashes of published words that were shown. Absent: none were. */
  texts?: (data: Data) => string[];
  /** Words that stand in the event itself. Absent: none do. */
  words?: (data: Data) => StoredWords;
  /** Place and time of the decision, whose law applies. Absent: the event is no decision under such a law. */
  decided?: (data: Data) => { country: string | null; region: string | null; at: Instant };
  /** The part of the event that the subject's own archive shows. Absent: all. `family`: ids of the subject and its merged ones. */
  own?: (data: Data, family: readonly string[]) => object;
  /** `about` of its entries names kinds of identifiers. */
  isAboutIdentifiers?: true;
  /** Absent: it has none. */
  receipt?: EventReceipt<Data, State>;
}

/** How each type of a context's events in streams of subjects is shown: a type that is missing does not compile. */
export type EventDisplays<E extends DomainEvent, State = undefined> = {
  readonly [Type in E['type']]: EventDisplay<Extract<E, { type: Type }>['data'], State, Type>;
};

/** What happened, as an archive says it to the person, by language and type. `Unsaid`: types that no archive says in such words. */
export type EventWords<E extends DomainEvent, Unsaid extends E['type'] = never> = Readonly<
  Record<Language, Readonly<Record<Exclude<E['type'], Unsaid>, string>>>
>;
/** The same with its own types forgotten. */
export type AnyEventWords = Readonly<Record<Language, Readonly<Record<string, string>>>>;

type AnyDisplay = EventDisplay<unknown, unknown>;
/** The same with its own types forgotten, as lists of contexts hold it. */
export type AnyDisplays = Readonly<Record<string, AnyDisplay>>;
export const defineDisplays = <E extends DomainEvent, State = undefined>(
  displays: EventDisplays<E, State>,
): AnyDisplays => displays as unknown as AnyDisplays;

/** A type of event that has a receipt. */
export interface ReceiptedType {
  type: string;
  receipt: EventReceipt<unknown, unknown>;
  /** What its context folds of the subject; null where it folds nothing. */
  part: SubjectPart | null;
}

/** How all contexts show the events in streams of subjects. */
export class SubjectTimeline {
  /** Types in the order of the contexts. */
  readonly types: readonly string[];
  readonly receipted: readonly ReceiptedType[];
  /** What contexts fold of a subject, in their order. */
  readonly parts: readonly SubjectPart[];
  /** Streams beside those of subjects whose events are part of a timeline. */
  readonly sides: readonly SideStreams[];
  private readonly displays: ReadonlyMap<string, AnyDisplay>;

  private readonly words: readonly AnyEventWords[];

  constructor(
    contexts: readonly {
      displays?: AnyDisplays;
      eventWords?: AnyEventWords;
      part?: SubjectPart;
      sideStreams?: SideStreams;
    }[],
  ) {
    this.sides = contexts.flatMap(({ sideStreams }) => sideStreams ?? []);
    this.words = contexts.flatMap(({ eventWords }) => eventWords ?? []);
    this.displays = new Map(contexts.flatMap(({ displays = {} }) => Object.entries(displays)));
    this.types = [...this.displays.keys()];
    this.parts = contexts.flatMap(({ part }) => part ?? []);
    this.receipted = contexts.flatMap(({ displays = {}, part = null }) =>
      Object.entries(displays).flatMap(([type, { receipt }]) => (receipt ? [{ type, receipt, part }] : [])),
    );
  }

  /** Null where this release cannot read the event, or where it is not about a subject. */
  known(event: DomainEvent | null): DomainEvent | null {
    return event !== null && this.displays.has(event.type) ? event : null;
  }

  /** What an event says, row by row; one row that names the type where it cannot be read. */
  entriesOf({ position, recordedAt, type, subjectId, event }: ReadEvent): TimelineEntry[] {
    const said = (event && this.displays.get(event.type)?.entries(event.data)) ?? [{}];
    return said.map((entry) => ({ position, recordedAt, subject: subjectId, type, ...SAYS_NOTHING, ...entry }));
  }

  /** What happened, in a few English words; the type where no context knows it. */
  headlineOf(entry: TimelineEntry): string {
    const headline = this.displays.get(entry.type)?.headline ?? entry.type;
    return typeof headline === 'string' ? headline : headline(entry);
  }

  /** What a timeline shows of an event of the subject or of a side stream. */
  itemOf({ event, mergedFrom }: FamilyEvent): TimelineItem {
    const { position, type, data, metadata } = event;
    const { recordedAt, actor: by } = metadata;
    const aside = this.sides.find(({ displays }) => Object.hasOwn(displays, type))?.displays[type];
    const says = aside?.says(data) ?? this.displays.get(type)?.says(event, mergedFrom) ?? { at: recordedAt };
    const place = { position: String(position), recordedAt, type: inSnake(type), mergedFrom, by };
    return { ...place, title: aside?.headline ?? this.titleOf(event), ...says };
  }

  /** The names of all events that a timeline can show, in lower_snake. */
  itemTypes(): { own: string[]; aside: string[] } {
    return {
      own: this.types.map(inSnake),
      aside: this.sides.flatMap(({ displays }) => Object.keys(displays)).map(inSnake),
    };
  }

  /** Its headlines, each once: a record of several choices may have several. */
  private titleOf(event: Happened<DomainEvent>): string {
    const { type, metadata } = event;
    const read = { position: '', recordedAt: metadata.recordedAt, type, subjectId: null, event };
    return [...new Set(this.entriesOf(read).map((entry) => this.headlineOf(entry)))].join(', ');
  }

  /** One line for operators; empty where this release cannot read the event. */
  lineOf(event: DomainEvent | null, mask: Mask): string {
    return this.displayOf(event)?.line(event!.data, mask) ?? '';
  }

  /** Hashes of published words that the event says were shown. */
  textsOf(event: DomainEvent | null): string[] {
    return this.displayOf(event)?.texts?.(event!.data) ?? [];
  }

  wordsOf(event: DomainEvent | null): StoredWords | null {
    return this.displayOf(event)?.words?.(event!.data) ?? null;
  }

  decidedIn(event: DomainEvent | null): ReturnType<NonNullable<AnyDisplay['decided']>> | null {
    return this.displayOf(event)?.decided?.(event!.data) ?? null;
  }

  /** What the archive of a subject shows of an event. */
  ownOf(event: DomainEvent, family: readonly string[]): unknown {
    return this.displayOf(event)?.own?.(event.data, family) ?? event.data;
  }

  /** What happened, as an archive says it to the person; null where no context has words for it. */
  saidToPerson(type: string, language: Language): string | null {
    const words = this.words.find((each) => Object.hasOwn(each[language], type));
    return words?.[language][type] ?? null;
  }

  isAboutIdentifiers(type: string): boolean {
    return this.displays.get(type)?.isAboutIdentifiers === true;
  }

  private displayOf(event: DomainEvent | null): AnyDisplay | undefined {
    return event === null ? undefined : this.displays.get(event.type);
  }
}
