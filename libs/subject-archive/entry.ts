import { placeTold, type ConsentRecordedData } from '../consent/index.js';
import { sameUlid, type Instant } from '../kernel/index.js';
import type { PreferenceChange, PreferenceSetData } from '../preferences/index.js';
import type { SubjectRectifiedData } from '../subjects/index.js';
import type { PersonEvent } from './person-event.js';

/** One thing that was said or done, as a row of a table: a record of several choices makes several. Null: does not apply, or was not told. */
export interface Entry {
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
  country: string | null;
  region: string | null;
  source: string | null;
  /** Who acted: the person, or somebody for them. */
  actor: string | null;
  record: string | null;
  receipt: string | null;
  /** Codes and ids that no other column has. */
  note: string | null;
}

export const ENTRY_COLUMNS = [
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
  'country',
  'region',
  'source',
  'actor',
  'record',
  'receipt',
  'note',
] as const satisfies readonly (keyof Entry)[];

/** An event of a subject, in today's schema. */
export interface ToldEvent {
  position: string;
  recordedAt: Instant;
  type: string;
  subjectId: string | null;
  /** Null: this release cannot read it, or it counts no more. */
  event: PersonEvent | null;
}

/** What an event of a subject says, row by row; one row that names the type where it cannot be read. */
export function entriesOf({ position, recordedAt, type, subjectId, event }: ToldEvent): Entry[] {
  const entry = (told: Partial<Entry>): Entry => ({
    position,
    recordedAt,
    givenAt: null,
    subject: subjectId,
    type,
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
    country: null,
    region: null,
    source: null,
    actor: null,
    record: null,
    receipt: null,
    note: null,
    ...told,
  });
  return (event === null ? [{}] : toldBy(event)).map(entry);
}

const receiptOf = (recordId: string): Pick<Entry, 'record' | 'receipt'> => ({
  record: recordId,
  receipt: sameUlid('rct', recordId),
});

/** Has a case for every type: without one the function would end without an answer, which does not compile. */
function toldBy({ type, data }: PersonEvent): Partial<Entry>[] {
  switch (type) {
    case 'ConsentRecorded':
      return [consentTold(data)];
    case 'ConsentExpired':
      return [{ givenAt: data.expiredAt, about: data.purpose, state: 'EXPIRED', record: data.recordId }];
    case 'PreferenceSet':
      return preferencesTold(data);
    case 'PreferenceConfirmationRequested':
      return data.fields.map(({ field }) => ({
        givenAt: data.requestedAt,
        about: field,
        state: 'PENDING',
        validUntil: data.expiresAt,
        ...shownTemplate(data.template),
        note: data.requestId,
      }));
    case 'PreferenceConfirmationMailed':
      return [{ givenAt: data.at, state: data.outcome, note: [data.requestId, data.code].filter(Boolean).join(' ') }];
    case 'PreferenceConfirmed':
      return data.fields.map(({ field }) => ({
        givenAt: data.confirmedAt,
        about: field,
        answer: 'GRANTED',
        state: 'GRANTED',
        applied: true,
        method: 'CONFIRMATION_LINK',
        surface: data.via,
        actor: 'SUBJECT',
        ...receiptOf(data.recordId),
        note: data.requestId,
      }));
    case 'PreferenceConfirmationExpired':
      return data.fields.map(({ field, state }) => ({
        givenAt: data.expiredAt,
        about: field,
        state: state ?? null,
        note: data.requestId,
      }));
    case 'SubjectCreated':
      return [{}];
    case 'IdentifierAdded':
      return [{ givenAt: data.addedAt, about: data.kind, source: data.source, note: data.identifierId }];
    case 'IdentifierVerified':
      return [{ givenAt: data.verifiedAt, method: data.method, note: data.identifierId }];
    case 'SubjectRectified':
      return rectifiedTold(data);
    case 'SubjectsMerged':
      return [{ givenAt: data.mergedAt, note: `${data.absorbedId} into ${data.survivorId}` }];
    case 'SubjectMergeReverted':
      return [{ givenAt: data.revertedAt, note: `${data.absorbedIds.join(' ')} out of ${data.survivorId}` }];
    case 'SubjectErased':
      return [{ givenAt: data.erasedAt, receipt: data.receiptId, note: `${data.reason} ${data.rootId}` }];
    case 'SubjectRestricted':
      return [{ givenAt: data.restrictedAt, validUntil: data.until }];
    case 'SubjectRestrictionLifted':
      return [{ givenAt: data.liftedAt }];
  }
}

function consentTold(record: ConsentRecordedData): Partial<Entry> {
  const { collection, jurisdiction, presentation, notice } = record;
  return {
    givenAt: record.givenAt,
    about: record.purpose,
    answer: record.decision,
    state: record.state,
    applied: record.appliedToState,
    validUntil: record.expiresAt,
    version: record.purposeVersion,
    language: notice.locale,
    text: notice.contentHash,
    banner: presentation?.banner.contentHash ?? null,
    method: collection?.method ?? null,
    surface: collection?.surface ?? null,
    ...placeTold(jurisdiction),
    source: record.source,
    actor: record.actor.type,
    ...receiptOf(record.recordId),
  };
}

function preferencesTold(record: PreferenceSetData): Partial<Entry>[] {
  const { changes, globalOptOut, collection, presentation, template } = record;
  const common: Partial<Entry> = {
    givenAt: record.givenAt,
    ...shownTemplate(template),
    banner: presentation?.banner.contentHash ?? null,
    method: collection?.method ?? null,
    surface: collection?.surface ?? null,
    source: record.source,
    actor: record.actor.type,
    ...receiptOf(record.recordId),
  };
  return [
    ...changes.map((change) => ({
      ...common,
      about: change.field,
      answer: answerOf(change),
      state: change.state,
      applied: change.appliedToState,
    })),
    ...(globalOptOut
      ? [
          {
            ...common,
            about: 'globalOptOut',
            answer: globalOptOut.wanted ? 'DENIED' : 'GRANTED',
            state: globalOptOut.state,
            applied: globalOptOut.appliedToState,
          },
        ]
      : []),
  ];
}

/** A typed field has a value, which is personal, and no answer. */
function answerOf(change: PreferenceChange): string | null {
  if (change.kind === 'field' || change.wanted === undefined) return null;
  return change.wanted ? 'GRANTED' : 'DENIED';
}

/** Before anything was published there were no words to show. */
const shownTemplate = ({ version, locale, contentHash }: PreferenceSetData['template']): Partial<Entry> =>
  version === 0 ? { version } : { version, language: locale, text: contentHash };

/** What was taken away, and what was set anew: not to what. */
function rectifiedTold({ rectifiedAt, removed = [], locale, country }: SubjectRectifiedData): Partial<Entry>[] {
  const rows = [
    ...removed.map(({ kind, identifierId }) => ({ about: kind, note: identifierId })),
    ...(locale === undefined ? [] : [{ about: 'locale' }]),
    ...(country === undefined ? [] : [{ about: 'country' }]),
  ];
  return rows.map((row) => ({ givenAt: rectifiedAt, ...row }));
}
