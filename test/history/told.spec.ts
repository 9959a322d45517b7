import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { catalogueFold } from '../../libs/catalogue/index.js';
import { happenedLines } from '../../libs/data-requests/archive/archive-history.js';
import { ArchiveNames } from '../../libs/data-requests/archive/archive-names.js';
import { ARCHIVE_WORDS } from '../../libs/data-requests/archive/texts/words.js';
import type { RecordedEvent } from '../../libs/log/port.js';
import { TIMELINE_COLUMNS, type ReadEvent } from '../../libs/context/subject-timeline.js';
import type { DomainEvent } from '../../libs/kernel/index.js';
import { opened, Texts } from '../../libs/subject-archive/index.js';
import { recordEvent } from '../../libs/operator/bundle/page.js';
import { withheld } from '../../libs/operator/bundle/withheld.js';
import { exportedAs } from '../../libs/operator/export/export.js';
import { fieldCipher } from '../../libs/vault/vault.js';
import { COMPOSITION } from '../../libs/composition/contexts.js';

/*
 * What is told of every event that was ever stored in a subject's stream, in each place that tells it: the table and the
 * page of an auditor's bundle, the person's archive, an operator's timeline and an export.
 */

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const KEY = Buffer.alloc(32, 7);
const AT = '2026-12-01T12:00:00.000Z';
const SUBJECT = 'sub_01M7ZE2S88GK14HQ92C6K7S07D';

interface Golden {
  type: string;
  metadata: RecordedEvent['metadata'];
  data: unknown;
  subject?: string;
}

const { codec, timeline } = COMPOSITION;
const { types } = timeline;
const catalogue = catalogueFold.initial();
const texts = new Texts(catalogue, timeline);
const files = readdirSync(FOLDER).filter((name) => types.some((type) => name.startsWith(`${type}.`)));

function stored(file: string): { event: RecordedEvent; subject: string } {
  const { subject = SUBJECT, ...golden } = JSON.parse(readFileSync(`${FOLDER}${file}`, 'utf8')) as Golden;
  const place = { stream: `subject-demo.test.${subject}`, position: 7n, revision: 3, id: 'e4b2' };
  return { event: { ...golden, ...place } as RecordedEvent, subject };
}

/** The ways in which an event is read: with its key, after that was destroyed, and without personal data. */
const READINGS: Record<string, (event: RecordedEvent, subject: string) => DomainEvent> = {
  'in clear': (event, subject) => readWith(event, subject, KEY),
  forgotten: (event, subject) => readWith(event, subject, null),
  withheld: (event) => timeline.known(withheld(codec, event))!,
};
function readWith(event: RecordedEvent, subject: string, key: Buffer | null): DomainEvent {
  const cipher = fieldCipher(subject, key);
  return timeline.known(opened(codec, event, cipher, () => cipher))!;
}

/** Everything that is told of an event, by place. */
function toldOf(recorded: RecordedEvent, event: DomainEvent | null) {
  const { type, metadata, position } = recorded;
  const told: ReadEvent = { position: String(position), recordedAt: metadata.recordedAt, type, subjectId: SUBJECT, event };
  const words = ARCHIVE_WORDS.en;
  const names = new ArchiveNames(catalogue, AT, 'en', ['en']);
  const entries = timeline.entriesOf(told);
  return {
    entries,
    table: entries.map((entry) => TIMELINE_COLUMNS.map((column) => entry[column])),
    headlines: entries.map((entry) => timeline.headlineOf(entry)),
    // Words that were shown are in the catalogue of a site, which the specs of the bundle have.
    page: timeline.textsOf(event).length > 0 ? [] : [recordEvent(told, { timeline, texts }, true).toString()],
    archive: happenedLines(told, { timeline, language: 'en', words, names, textOf: () => null, time: (at) => at }).map(String),
    archived: event && timeline.ownOf(event, [SUBJECT]),
    timeline: timeline.lineOf(event, (text) => `masked ${text.length}`),
    exported: exportedAs(COMPOSITION.streams, recorded, event?.data ?? null),
  };
}

/** What the first golden file of each type says: `about: note` of each row, a line of the archive, a line of the timeline. */
const SAID: Record<string, [rows: string[], archive: string, timeline: string]> = {
  SubjectCreated: [[':'], 'First seen', ''],
  IdentifierAdded: [
    ['visitor_id: idn_01M7Z4BEN0C14YZQKPWXGJRVHX'],
    'An identifier was added: Visitor number of a browser',
    'visitor_id masked 32',
  ],
  IdentifierVerified: [[': idn_01M7ZE5F2QWQB5CNFD1PADVS8Q'], 'An identifier was verified', 'OPERATOR'],
  SubjectRectified: [
    ['email: idn_01M7ZE5F2QWQB5CNFD1PADVS8Q', 'locale:', 'country:'],
    'Your data was put right: E-mail address',
    'email removed, locale = masked 5, country = (none)',
  ],
  SubjectsMerged: [
    [': sub_01M7ZE2S88GK14HQ92C6K7S07D into sub_01M7ZE2S4SNHGM8EYYCDX7W584'],
    'This record was joined with another one of yours',
    'sub_01M7ZE2S88GK14HQ92C6K7S07D into sub_01M7ZE2S4SNHGM8EYYCDX7W584',
  ],
  SubjectMergeReverted: [
    [': sub_01M7ZE2S88GK14HQ92C6K7S07D out of sub_01M7ZE2S4SNHGM8EYYCDX7W584'],
    'This record was separated from another one',
    'sub_01M7ZE2S88GK14HQ92C6K7S07D out of sub_01M7ZE2S4SNHGM8EYYCDX7W584',
  ],
  // Nobody gets an archive of a subject that was erased.
  SubjectErased: [
    [': DATA_SUBJECT_REQUEST sub_01M7ZE3QMM0M23WKAZK1G1YEAV'],
    'SubjectErased',
    'DATA_SUBJECT_REQUEST',
  ],
  SubjectRestricted: [[':'], 'The use of your data was restricted', 'until 2028-01-01T00:00:00.000Z'],
  SubjectRestrictionLifted: [[':'], 'The restriction ended', ''],
  ConsentRecorded: [['marketing:'], 'Agreed: marketing', 'marketing GRANTED, version 1'],
  ConsentExpired: [['analytics:'], 'A consent ended by itself: analytics', 'analytics EXPIRED'],
  PreferenceSet: [
    [
      'channels.email.topics.news:',
      'channels.email.topics.product_updates:',
      'birthday:',
      'interests:',
      'age:',
      'globalOptOut:',
    ],
    'Agreed: channels.email.topics.news',
    'channels.email.topics.news = true, channels.email.topics.product_updates = false, birthday = masked 10, interests = ["books","garden"], age = (forgotten, or cleared), all of them',
  ],
  PreferenceConfirmationRequested: [
    ['channels.email.topics.news: rec_01M7ZE2SB0SHEWN3NYW9AJ1FN7'],
    'You were asked to confirm: channels.email.topics.news',
    'channels.email.topics.news',
  ],
  PreferenceConfirmationMailed: [
    [': rec_01M7ZE2SB0SHEWN3NYW9AJ1FN7 250'],
    'A mail was sent to you',
    'ACCEPTED 250',
  ],
  PreferenceConfirmed: [
    ['channels.email.topics.news: rec_01M7ZE2SB0SHEWN3NYW9AJ1FN7'],
    'Agreed: channels.email.topics.news',
    'channels.email.topics.news',
  ],
  PreferenceConfirmationExpired: [
    ['channels.email.topics.news: rec_01M7ZE2SB0SHEWN3NYW9AJ1FN7'],
    'Not confirmed in time: channels.email.topics.news',
    'channels.email.topics.news',
  ],
};

const TIME = /20\d\d-\d\d-\d\dT[\d:.]+Z/;
/** What JavaScript writes where a member is missing or is no text. */
const NO_VALUE = /undefined|\bNaN\b|\[object|>null<|null into|into null|out of null/;

describe('what is told of events about a person', () => {
  it('is of every type that there is', () =>
    expect(new Set(files.map((file) => file.split('.')[0]))).toEqual(new Set(types)));

  it.each(types)('of %s, says what happened', (type) => {
    const { event, subject } = stored(`${type}.v1.json`);
    const { entries, archive, timeline } = toldOf(event, READINGS['in clear']!(event, subject));
    const [first] = archive.map((line) => line.replace(/<[^>]+>/g, '').replace(TIME, '').trim());
    expect([entries.map(({ about, note }) => `${about}: ${note ?? ''}`.trim()), first, timeline]).toEqual(SAID[type]);
  });

  it.each(files.flatMap((file) => Object.keys(READINGS).map((reading) => [file, reading] as const)))(
    '%s, %s, has no gap anywhere',
    (file, reading) => {
      const { event, subject } = stored(file);
      const read = READINGS[reading]!(event, subject);
      const told = toldOf(event, read);
      expect(told.entries.length).toBeGreaterThan(0);
      expect(told.entries.flatMap((entry) => Object.keys(entry))).toHaveLength(
        told.entries.length * TIMELINE_COLUMNS.length,
      );
      for (const cell of told.table.flat()) expect(['string', 'number', 'boolean', 'object']).toContain(typeof cell);
      for (const cell of told.table.flat()) expect(typeof cell === 'object' ? cell : null).toBeNull();
      for (const line of told.archive) expect(line).toMatch(TIME);
      expect(told.archived).not.toHaveProperty('absorbed');
      // A headline is in words: a type has none of them.
      expect(told.headlines).not.toContain(event.type);
      expect(JSON.stringify(told)).not.toMatch(NO_VALUE);
    },
  );

  it.each(types)('of a %s that this release cannot read, names the type', (type) => {
    const { event } = stored(`${type}.v1.json`);
    const told = toldOf(event, null);
    expect(told.entries).toMatchObject([{ type, about: '', answer: null, note: null }]);
    expect([told.timeline, told.archived, told.archive.length]).toEqual(['', null, 1]);
    expect(JSON.stringify(told)).not.toMatch(NO_VALUE);
  });
});
