import type { ConsentEvent } from '../../../consent/index.js';
import type { PreferenceEvent } from '../../../preferences/index.js';
import type { SubjectEvent } from '../../../subjects/index.js';
import type { DataRequestStateName, DataRequestType } from '../../events.js';

/** What an archive and the page behind its link say in one language. `{…}` stands for what is filled in. */
export interface ArchiveWords {
  /** `{site}` */
  title: string;
  /** `{time}` */
  intro: string;
  /** `{file}` */
  machine: string;
  known: string;
  now: string;
  happened: string;
  /** `{shown}`, `{all}` and `{file}` */
  newest: string;
  texts: string;
  told: string;
  looked: string;
  requests: string;
  nothing: string;
  /** What somebody said, by the code of the answer. */
  answers: Readonly<
    Record<'GRANTED' | 'DENIED' | 'WITHDRAWN' | 'OBJECTED' | 'ACKNOWLEDGED' | 'PENDING' | 'EXPIRED' | 'UNSET', string>
  >;
  /** What else happened, by the type of the event. A decision is its answer, and of a subject that is erased nobody gets an archive. */
  events: Readonly<
    Record<
      Exclude<(SubjectEvent | ConsentEvent | PreferenceEvent)['type'], 'ConsentRecorded' | 'SubjectErased'>,
      string
    >
  >;
  /** The wish to get no messages at all, and whether it stands. */
  noMessages: string;
  switchedOn: string;
  switchedOff: string;
  /** What somebody is known by; a kind of the site's own has the site's name. */
  identifiers: Readonly<
    Record<
      'email' | 'phone' | 'user_id' | 'external_id' | 'visitor_id' | 'device_id' | 'idfa' | 'idfv' | 'gaid',
      string
    >
  >;
  /** What else is known of somebody. */
  described: Readonly<Record<'locale' | 'country', string>>;
  /** What other systems were told of, by the first word of the type of the event. */
  topics: Readonly<Record<'consent' | 'preference' | 'subject' | 'receipt' | 'data_request', string>>;
  /** Who looked; `{site}` */
  readers: { system: string; person: string };
  kinds: Readonly<Record<DataRequestType, string>>;
  states: Readonly<Record<DataRequestStateName, string>>;
  link: {
    title: string;
    /** `{time}` */
    text: string;
    button: string;
    used: string;
    expired: string;
    invalid: string;
    failed: string;
    /** `{time}` */
    fetched: string;
    over: string;
  };
}
