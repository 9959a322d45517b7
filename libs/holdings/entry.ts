import type { ConsentRecordedData, ConsentExpiredData } from '../consent/index.js';
import { sameUlid, type Instant } from '../kernel/index.js';
import type {
  PreferenceChange,
  PreferenceConfirmationExpiredData,
  PreferenceConfirmationMailedData,
  PreferenceConfirmationRequestedData,
  PreferenceConfirmedData,
  PreferenceSetData,
} from '../preferences/index.js';
import type {
  IdentifierAddedData,
  IdentifierVerifiedData,
  SubjectErasedData,
  SubjectMergeRevertedData,
  SubjectRectifiedData,
  SubjectsMergedData,
} from '../subjects/index.js';

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
  data: unknown;
}

/** What an event of a subject says, row by row. Of a type that is not known here, one row that names it. */
export function entriesOf({ position, recordedAt, type, subjectId, data }: ToldEvent): Entry[] {
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
  return toldBy(type, data).map(entry);
}

const receiptOf = (recordId: string): Pick<Entry, 'record' | 'receipt'> => ({
  record: recordId,
  receipt: sameUlid('rct', recordId),
});

function toldBy(type: string, data: unknown): Partial<Entry>[] {
  switch (type) {
    case 'ConsentRecorded':
      return [consentTold(data as ConsentRecordedData)];
    case 'ConsentExpired': {
      const { recordId, purpose, expiredAt } = data as ConsentExpiredData;
      return [{ givenAt: expiredAt, about: purpose, state: 'EXPIRED', record: recordId }];
    }
    case 'PreferenceSet':
      return preferencesTold(data as PreferenceSetData);
    case 'PreferenceConfirmationRequested': {
      const { requestId, fields, requestedAt, expiresAt, template } = data as PreferenceConfirmationRequestedData;
      return fields.map(({ field }) => ({
        givenAt: requestedAt,
        about: field,
        state: 'PENDING',
        validUntil: expiresAt,
        ...shownTemplate(template),
        note: requestId,
      }));
    }
    case 'PreferenceConfirmationMailed': {
      const { requestId, outcome, code, at } = data as PreferenceConfirmationMailedData;
      return [{ givenAt: at, state: outcome, note: [requestId, code].filter(Boolean).join(' ') }];
    }
    case 'PreferenceConfirmed': {
      const { recordId, requestId, fields, confirmedAt, via } = data as PreferenceConfirmedData;
      return fields.map(({ field }) => ({
        givenAt: confirmedAt,
        about: field,
        answer: 'GRANTED',
        state: 'GRANTED',
        applied: true,
        method: 'CONFIRMATION_LINK',
        surface: via,
        actor: 'SUBJECT',
        ...receiptOf(recordId),
        note: requestId,
      }));
    }
    case 'PreferenceConfirmationExpired': {
      const { requestId, fields, expiredAt } = data as PreferenceConfirmationExpiredData;
      return fields.map(({ field, state }) => ({
        givenAt: expiredAt,
        about: field,
        state: state ?? null,
        note: requestId,
      }));
    }
    default:
      return [lifecycleTold(type, data)];
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
    country: jurisdiction?.country ?? null,
    region: jurisdiction?.region ?? null,
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

function lifecycleTold(type: string, data: unknown): Partial<Entry> {
  switch (type) {
    case 'IdentifierAdded': {
      const { identifierId, kind, addedAt, source } = data as IdentifierAddedData;
      return { givenAt: addedAt, about: kind, source, note: identifierId };
    }
    case 'IdentifierVerified': {
      const { identifierId, method, verifiedAt } = data as IdentifierVerifiedData;
      return { givenAt: verifiedAt, method, note: identifierId };
    }
    case 'SubjectRectified': {
      const { rectifiedAt, removed = [], locale, country } = data as SubjectRectifiedData;
      const about = [
        ...removed.map(({ kind }) => kind),
        ...(locale === undefined ? [] : ['locale']),
        ...(country === undefined ? [] : ['country']),
      ];
      return { givenAt: rectifiedAt, about: about.join(' '), note: removed.map((each) => each.identifierId).join(' ') };
    }
    case 'SubjectsMerged': {
      const { absorbedId, survivorId, mergedAt } = data as SubjectsMergedData;
      return { givenAt: mergedAt, note: `${absorbedId} into ${survivorId}` };
    }
    case 'SubjectMergeReverted': {
      const { absorbedIds, survivorId, revertedAt } = data as SubjectMergeRevertedData;
      return { givenAt: revertedAt, note: `${absorbedIds.join(' ')} out of ${survivorId}` };
    }
    case 'SubjectErased': {
      const { receiptId, rootId, erasedAt, reason } = data as SubjectErasedData;
      return { givenAt: erasedAt, receipt: receiptId, note: `${reason} ${rootId}` };
    }
    default:
      return {};
  }
}
