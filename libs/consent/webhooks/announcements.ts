import { recordReceiptIssued } from '../../context/receipt-issued.js';
import { RECORD_ID } from '../../context/webhook-fields.js';
import {
  announcedAs,
  defineAnnouncements,
  type AnnouncedAs,
  type Announcement,
  type LoggedEvent,
} from '../../context/webhook-types.js';
import type { ConsentEvent, ConsentExpiredData, ConsentRecordedData, ConsentStateName } from '../events.js';
import { recordView } from '../view.js';
import { ExpiredConsentDto, PreviousConsentDto, AnnouncedConsentDto } from './dto.js';

/** What is looked at. */
type Recorded = Omit<ConsentRecordedData, 'provenance' | 'actor' | 'notice'>;

const SAMPLE: Recorded = {
  recordId: RECORD_ID.example,
  purpose: 'analytics',
  purposeVersion: 1,
  decision: 'GRANTED',
  previousState: 'NOT_COLLECTED',
  state: 'GRANTED',
  appliedToState: true,
  supersededBy: null,
  source: 'API',
  givenAt: '2026-11-21T12:00:00.000Z',
  recordedAt: '2026-11-21T12:00:00.000Z',
  expiresAt: '2027-11-21T12:00:00.000Z',
};

function decided({ data, subjectId, revision }: LoggedEvent<Recorded>): Announcement {
  const { subject: _, previousState, ...object } = recordView(subjectId!, revision, data as ConsentRecordedData);
  return { occurredAt: data.givenAt, object, previous: { state: previousState } };
}

const recorded = (
  type: string,
  description: string,
  sample: Recorded,
  when?: (event: LoggedEvent<Recorded>) => boolean,
): AnnouncedAs<Recorded> =>
  announcedAs<Recorded>({
    webhook: { type, description, isAboutSubject: true, object: AnnouncedConsentDto, previous: PreviousConsentDto },
    ...(when && { when }),
    announce: decided,
    sample,
  });

/** A decision that applied, and left the purpose in one of these states. */
const became = (type: string, states: readonly ConsentStateName[], description: string, sample: Recorded) =>
  recorded(type, description, sample, ({ data }) => data.appliedToState && states.includes(data.state));

/** What webhooks announce of consent. */
export const consentAnnouncements = defineAnnouncements<ConsentEvent>({
  ConsentRecorded: [
    recorded(
      'consent.recorded',
      'A decision was recorded, whichever it was, also one that did not apply because a newer one already stood.',
      SAMPLE,
    ),
    became('consent.granted', ['GRANTED'], 'A decision applied, and the purpose is granted since.', SAMPLE),
    became(
      'consent.denied',
      ['DENIED', 'OBJECTED'],
      'A decision applied, and the purpose is denied or objected to since.',
      { ...SAMPLE, decision: 'DENIED', state: 'DENIED', expiresAt: null },
    ),
    became('consent.withdrawn', ['WITHDRAWN'], 'A decision applied, and the purpose that was granted is so no more.', {
      ...SAMPLE,
      decision: 'WITHDRAWN',
      previousState: 'GRANTED',
      state: 'WITHDRAWN',
      expiresAt: null,
    }),
    recordReceiptIssued('CONSENT', { recordId: RECORD_ID.example }),
  ],
  ConsentExpired: [
    announcedAs<ConsentExpiredData>({
      webhook: {
        type: 'consent.expired',
        description: 'A grant ran out.',
        isAboutSubject: true,
        object: ExpiredConsentDto,
        previous: PreviousConsentDto,
      },
      announce: ({ data: { recordId, purpose, expiredAt } }) => ({
        occurredAt: expiredAt,
        object: { object: 'consent_record', id: recordId, purpose, state: 'EXPIRED', expiredAt },
        previous: { state: 'GRANTED' },
      }),
      sample: { recordId: RECORD_ID.example, purpose: 'analytics', expiredAt: '2027-11-21T12:00:00.000Z' },
    }),
  ],
});
