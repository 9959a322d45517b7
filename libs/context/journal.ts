import { subjectOfStream, type DomainEvent, type Environment } from '../kernel/index.js';
import { ownerOf, type StreamKind } from './stream-kind.js';
import { inSnake } from './timeline-item.js';

/** What the journal names as done that is no event of the log. */
export const ACTIONS_ASIDE = ['subject_read', 'signed_in', 'sign_in_refused', 'signed_out', 'sessions_ended'] as const;

/** Every action of the journal: the names of the events that operators cause, in lower_snake, and those aside. */
export const JOURNAL_ACTIONS = [
  ...ACTIONS_ASIDE,
  'consent_recorded',
  'preference_set',
  'preference_confirmation_requested',
  'subject_created',
  'identifier_added',
  'identifier_verified',
  'subject_rectified',
  'subjects_merged',
  'subject_merge_reverted',
  'subject_erased',
  'subject_restricted',
  'subject_restriction_lifted',
  'identifiers_revealed',
  'data_request_received',
  'data_request_verification_requested',
  'data_request_verified',
  'data_request_started',
  'data_request_held',
  'data_request_resumed',
  'data_request_extended',
  'data_request_completion_begun',
  'data_request_completion_stopped',
  'data_request_completed',
  'data_request_rejected',
  'data_request_canceled',
  'data_request_marked_duplicate',
  'data_request_assigned',
  'data_request_noted',
  'purpose_published',
  'purpose_retired',
  'template_published',
  'vendors_published',
  'cookies_published',
  'banner_published',
  'policies_published',
  'catalogue_editing_changed',
  'catalogue_draft_saved',
  'catalogue_draft_discarded',
  'catalogue_draft_published',
  'webhook_endpoint_created',
  'webhook_endpoint_changed',
  'webhook_endpoint_paused',
  'webhook_endpoint_resumed',
  'webhook_secret_rotated',
  'webhook_endpoint_deleted',
  'webhook_test_requested',
  'webhook_replay_requested',
  'webhook_delivery_retried',
  'site_registered',
  'site_changed',
  'api_key_issued',
  'api_key_rotated',
  'api_key_revoked',
  'operator_token_issued',
  'operator_token_rotated',
  'operator_token_revoked',
  'operator_token_changed',
  'signing_key_announced',
  'signing_key_revoked',
  'projection_rebuilt',
  'projection_resumed',
  'projection_skipped',
  'audit_exported',
  'subject_shown',
  'data_role_changed',
  'log_accepted',
] as const;
export type JournalAction = (typeof JOURNAL_ACTIONS)[number];

/** What an entry of the journal is about. */
export const JOURNAL_TARGETS = [
  'SUBJECT',
  'DATA_REQUEST',
  'PURPOSE',
  'CATALOGUE',
  'WEBHOOK_ENDPOINT',
  'SITE',
  'API_KEY',
  'OPERATOR',
  'SIGNING_KEY',
  'PROJECTION',
  'DATA_ROLE',
  'LOG',
] as const;

export interface JournalTarget {
  type: (typeof JOURNAL_TARGETS)[number];
  /** Null: there is one of it in the place. */
  id: string | null;
}

/** What the journal says of one event. Nothing in it is personal: it looks at no field that is sealed. */
export interface JournalSays {
  target: JournalTarget;
  /** A few English words. */
  summary: string;
  /** Why, in the words of the operator, where the log keeps them in clear. */
  reason?: string | null;
  /** What was, where the event itself says it. */
  before?: object | null;
  /** What is from now on, where the event itself says it: what was set, and no secret. */
  after?: object | null;
  /** Where the stream does not say it. */
  site?: string | null;
  env?: string | null;
  /** Of a command at the machine: the account, `<user>@<host>`. */
  operator?: string;
}

/** An event that the journal may show. */
export interface JournaledEvent {
  type: string;
  stream: string;
  data: unknown;
}

/** Of which stream an event is, where it is one of a subject. */
interface Place {
  subjectId: string | null;
}

/**
 * How the journal shows the events of a context where an operator caused them: a type that is missing does not compile.
 * `null`: it shows none of that type, because operators cause none, or because another event of the same act is shown.
 */
export type JournalEntries<E extends DomainEvent> = {
  readonly [Type in E['type']]: ((data: Extract<E, { type: Type }>['data'], place: Place) => JournalSays | null) | null;
};

/** The same with its own types forgotten, as lists of contexts hold it. */
export type AnyJournalEntries = Readonly<Record<string, ((data: unknown, place: Place) => JournalSays | null) | null>>;

export const defineJournal = <E extends DomainEvent>(entries: JournalEntries<E>): AnyJournalEntries =>
  entries as unknown as AnyJournalEntries;

/** An entry, and where it belongs. Null: to no site, or to both environments. */
export interface PlacedSays extends JournalSays {
  action: string;
  site: string | null;
  env: Environment | null;
}

const BY_OPERATOR = /^operator(?::(.*))?$/s;

/** The operator that an event names as its actor: its id; null: one of before tokens had ids. Undefined: no operator. */
export function operatorOf(actor: string): string | null | undefined {
  const found = BY_OPERATOR.exec(actor);
  return found ? (found[1] ?? null) : undefined;
}

/** How all contexts show what operators did. */
export class Journal {
  /** Types of events that are shown. */
  readonly types: readonly string[];
  /** Prefixes of the streams that hold them. */
  readonly streams: readonly string[];
  private readonly entries: ReadonlyMap<string, (data: unknown, place: Place) => JournalSays | null>;
  private readonly kinds: readonly StreamKind[];

  constructor(contexts: readonly { journal?: AnyJournalEntries; streams?: readonly StreamKind[] }[]) {
    const declared = contexts.flatMap(({ journal = {} }) => Object.entries(journal));
    this.entries = new Map(declared.flatMap(([type, entry]) => (entry ? [[type, entry]] : [])));
    this.types = [...this.entries.keys()];
    this.kinds = contexts.flatMap(({ streams = [] }) => streams);
    this.streams = contexts.flatMap(({ journal = {}, streams = [] }) =>
      Object.values(journal).some((entry) => entry !== null)
        ? streams.map(({ name, of }) => (of === 'INSTALLATION' ? name : `${name}-`))
        : [],
    );
  }

  /** What the journal shows of an event that an operator caused; null: nothing. */
  saysOf({ type, stream, data }: JournaledEvent): PlacedSays | null {
    const says = this.entries.get(type)?.(data, { subjectId: subjectOfStream(stream)?.subjectId ?? null });
    if (!says) return null;
    const owner = ownerOf(this.kinds, stream);
    const { site = owner?.site ?? null, env = owner?.env ?? null } = says;
    return { ...says, action: inSnake(type), site, env: env as Environment | null };
  }
}
