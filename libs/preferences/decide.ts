import type { Presentation, ResolvedField } from '../catalogue/index.js';
import {
  isUndated,
  keptCollection,
  type Actor,
  type Collection,
  type Provenance,
  type Said,
  type Source,
} from '../consent/index.js';
import { epochMs, happened, plusMs, type Decision, type Instant, type Refusal } from '../kernel/index.js';
import type { IdentifierVerified } from '../subjects/index.js';
import type {
  ConfirmationText,
  FieldValue,
  OptOutState,
  PreferenceChange,
  PreferenceConfirmationExpired,
  PreferenceConfirmationRequested,
  PreferenceConfirmed,
  PreferenceSet,
  PreferenceSetData,
  TemplateShown,
  TopicChange,
} from './events.js';
import { linkStanding } from './links/link-standing.js';
import { preferenceRefusals } from './refusals.js';
import {
  evolvePreferences,
  fieldNamed,
  fieldStandsAbove,
  isOpenRequest,
  shownState,
  standingOptOut,
  standsAbove,
  topicStandsAbove,
  type PreferenceState,
} from './state.js';

const FUTURE_TOLERANCE_MS = 5 * 60_000;
const HOUR_MS = 3_600_000;
const OLDEST_BY_SUBJECT_MS = 24 * HOUR_MS;
const MAILS_PER_HOUR = 3;
const MAILS_PER_DAY = 10;

/** One field as it is to be, resolved and checked against the template. */
export interface Wish {
  resolved: ResolvedField;
  /** `channels.<channel>.topics.<topic>`, or the key. */
  field: string;
  value?: FieldValue;
  frequency?: string | null;
  pausedUntil?: Instant | null;
}

export interface SetPreferences {
  recordId: string;
  wishes: readonly Wish[];
  globalOptOut?: boolean;
  source: Source;
  givenAt?: Instant;
  template: TemplateShown;
  collection?: Collection;
  presentation?: Presentation;
  actor?: Actor;
  metadata?: Record<string, unknown>;
  /** The record by a link that this takes back. */
  undoes?: string;
  provenance: Provenance;
  /** By channel: the kind of identifier that must be verified for it. */
  verifiedBy: Readonly<Record<string, string | null>>;
}

/** What needs no history: asked before anything is written, so that a refused request leaves no subject behind. */
export function checkPreferences(
  { wishes, globalOptOut, givenAt, source }: SetPreferences,
  at: Instant,
): Refusal | null {
  if (wishes.length === 0 && globalOptOut === undefined) return preferenceRefusals.nothingSaid();
  const seen = new Set<string>();
  for (const [i, { field, value, frequency, pausedUntil, resolved }] of wishes.entries()) {
    if (seen.has(field)) return preferenceRefusals.namedTwice(`values[${i}].field`);
    seen.add(field);
    if (value === undefined && frequency === undefined && pausedUntil === undefined)
      return preferenceRefusals.emptyWish(`values[${i}]`);
    if (pausedUntil !== undefined && resolved.kind !== 'topic')
      return preferenceRefusals.pauseNotTaken(`values[${i}].pausedUntil`);
    if (pausedUntil !== undefined && pausedUntil !== null && pausedUntil <= at)
      return preferenceRefusals.pauseOver(`values[${i}].pausedUntil`);
  }
  if (givenAt === undefined) return null;
  if (epochMs(givenAt) > epochMs(at) + FUTURE_TOLERANCE_MS) return preferenceRefusals.givenInFuture();
  return source === 'API' && epochMs(givenAt) < epochMs(at) - OLDEST_BY_SUBJECT_MS
    ? preferenceRefusals.givenTooLongAgo()
    : null;
}

/** Always one event: a choice that changes nothing is evidence too. */
export function setPreferences(command: SetPreferences, state: PreferenceState, at: Instant): Decision<PreferenceSet> {
  const refused = checkPreferences(command, at);
  if (refused) return refused;
  const { recordId, wishes, source, template, collection, presentation, actor, metadata, undoes, provenance } = command;
  const givenAt = command.givenAt ?? at;
  const changes = wishes.map((wish) => changeOf(wish, command, state, at));
  const optOut = optOutOf(command, state, at);
  const refusedTopics = changes.flatMap((change) =>
    change.kind === 'topic' && change.wanted === false && change.appliedToState ? [change.field] : [],
  );
  return happened({
    type: 'PreferenceSet',
    data: {
      recordId,
      changes,
      ...(optOut && { globalOptOut: optOut }),
      ended: openRequestsAbout(state, optOut?.wanted && optOut.appliedToState ? null : refusedTopics),
      ...(undoes !== undefined && { undoes }),
      source,
      givenAt,
      ...(isUndated(command) && { undated: true }),
      recordedAt: at,
      template,
      ...(collection && { collection: keptCollection(collection) }),
      ...(presentation && { presentation }),
      actor: actor ?? { type: 'SUBJECT' },
      ...(metadata && { metadata }),
      provenance,
    },
  });
}

/** Who says no now is not kept waiting by a clock that ran ahead when something else was said. */
const applies = (
  refusing: boolean,
  { givenAt, source }: SetPreferences,
  at: Instant,
  standsAboveIt: (said: Said) => boolean,
): boolean =>
  (refusing && givenAt === undefined && source === 'API') ||
  standsAboveIt({
    ...{ givenAt: givenAt ?? at, refusing, source },
    ...(isUndated({ source, givenAt }) && { undated: true as const }),
  });

function optOutOf(
  command: SetPreferences,
  { globalOptOut: current }: PreferenceState,
  at: Instant,
): PreferenceSetData['globalOptOut'] | null {
  const { globalOptOut: wanted } = command;
  if (wanted === undefined) return null;
  const appliedToState = applies(wanted, command, at, (said) => standsAbove(said, standingOptOut(current)));
  const previousState: OptOutState = current?.active ? 'ACTIVE' : 'NONE';
  return {
    previousState,
    state: appliedToState ? (wanted ? 'ACTIVE' : 'NONE') : previousState,
    wanted,
    appliedToState,
  };
}

function changeOf(wish: Wish, command: SetPreferences, state: PreferenceState, at: Instant): PreferenceChange {
  const { resolved, field, value = null } = wish;
  if (resolved.kind === 'topic') return topicChange(wish, resolved, command, state, at);
  const current = fieldNamed(state, field);
  const appliedToState = applies(false, command, at, (said) =>
    fieldStandsAbove({ ...said, refusing: value === false }, current, resolved.definition.kind),
  );
  const before = current && current.value !== null ? 'SET' : 'UNSET';
  return {
    kind: 'field',
    type: resolved.definition.kind,
    field,
    previousState: before,
    state: appliedToState ? (value === null ? 'UNSET' : 'SET') : before,
    value,
    appliedToState,
  };
}

function topicChange(
  { value, frequency, pausedUntil, field }: Wish,
  resolved: Extract<ResolvedField, { kind: 'topic' }>,
  command: SetPreferences,
  state: PreferenceState,
  at: Instant,
): TopicChange {
  const { channel, topic, definition } = resolved;
  const current = state.topics[field];
  const previousState = shownState(current, at);
  const wanted = value === undefined ? undefined : value === true;
  const appliedToState = applies(wanted === false, command, at, (said) => topicStandsAbove(said, current, at));
  const base = {
    kind: 'topic' as const,
    field,
    channel,
    topic,
    previousState,
    appliedToState,
    ...(wanted !== undefined && { wanted }),
    ...(frequency !== undefined && { frequency }),
    ...(pausedUntil !== undefined && { pausedUntil }),
  };
  if (wanted === undefined || !appliedToState) return { ...base, state: previousState };
  return { ...base, state: wanted ? granted(definition.doubleOptIn, channel, command, state, field) : 'DENIED' };
}

/** The state of a topic that is wanted: with a double opt-in it waits, unless the caller vouches for a confirmation elsewhere. */
function granted(
  doubleOptIn: 'NONE' | 'REQUIRED' | 'IF_UNVERIFIED',
  channel: string,
  { source, verifiedBy }: SetPreferences,
  state: PreferenceState,
  field: string,
): 'GRANTED' | 'PENDING' {
  if (doubleOptIn === 'NONE' || source !== 'API' || state.topics[field]?.state === 'GRANTED') return 'GRANTED';
  const kind = verifiedBy[channel] ?? null;
  if (doubleOptIn === 'IF_UNVERIFIED' && (kind === null || state.verifiedKinds.includes(kind))) return 'GRANTED';
  return 'PENDING';
}

/** Requests that can still be confirmed and are about one of these fields; null: about whatever. */
function openRequestsAbout(state: PreferenceState, fields: readonly string[] | null): string[] {
  return Object.entries(state.requests)
    .filter(
      ([, request]) =>
        isOpenRequest(request) && (fields === null || request.fields.some(({ field }) => fields.includes(field))),
    )
    .map(([requestId]) => requestId);
}

export interface RequestConfirmation {
  requestId: string;
  tokenHash: string;
  fields: readonly { field: string; channel: string; topic: string }[];
  validForMs: number;
  redirectUrl: string;
  template: TemplateShown;
  text: ConfirmationText;
  mail?: { identifierId: string; messageId: string; subject: string };
  provenance: Provenance;
}

/** When the next mail may go to an address; null: now. */
export function mailAllowedAt(state: PreferenceState, identifierId: string, at: Instant): Instant | null {
  const sent = state.mails[identifierId] ?? [];
  const waits = (
    [
      [MAILS_PER_HOUR, HOUR_MS],
      [MAILS_PER_DAY, 24 * HOUR_MS],
    ] as const
  ).flatMap(([most, within]) => {
    const oldest = sent.at(-most);
    return oldest !== undefined && epochMs(oldest) > epochMs(at) - within ? [plusMs(oldest, within)] : [];
  });
  return waits.sort().at(-1) ?? null;
}

/** Makes the topics wait for the owner of the address; an older request about one of them no longer counts. */
export function requestConfirmation(
  command: RequestConfirmation,
  state: PreferenceState,
  at: Instant,
): Decision<PreferenceConfirmationRequested> {
  const { requestId, tokenHash, fields, validForMs, redirectUrl, template, text, mail, provenance } = command;
  if (mail && mailAllowedAt(state, mail.identifierId, at) !== null) return preferenceRefusals.tooManyMails();
  return happened({
    type: 'PreferenceConfirmationRequested',
    data: {
      requestId,
      tokenHash,
      fields: fields.map((field) => ({ ...field, previousState: shownState(state.topics[field.field], at) })),
      ended: openRequestsAbout(
        state,
        fields.map(({ field }) => field),
      ),
      requestedAt: at,
      expiresAt: plusMs(at, validForMs),
      redirectUrl,
      template,
      text,
      ...(mail && { mail }),
      provenance,
    },
  });
}

export interface ConfirmPreferences {
  recordId: string;
  requestId: string;
  tokenHash: string;
  via: 'PAGE' | 'API';
  provenance: Provenance;
}

/** The owner of the address says so, which proves the address too where the service wrote to it; nothing where it was said before. */
export function confirmPreferences(
  { recordId, requestId, tokenHash, via, provenance }: ConfirmPreferences,
  state: PreferenceState,
  at: Instant,
): Decision<PreferenceConfirmed | IdentifierVerified> {
  const standing = linkStanding(requestId, tokenHash, state, at);
  if (typeof standing !== 'string') return standing;
  if (standing !== 'OPEN') return happened();
  const { fields: asked, identifierId } = state.requests[requestId]!;
  const fields = asked.map((field) => ({ ...field, previousState: shownState(state.topics[field.field], at) }));
  const confirmed: PreferenceConfirmed = {
    type: 'PreferenceConfirmed',
    data: { recordId, requestId, fields, confirmedAt: at, via, provenance },
  };
  if (identifierId === null || !Object.hasOwn(state.identifierKinds, identifierId)) return happened(confirmed);
  return happened<PreferenceConfirmed | IdentifierVerified>(confirmed, {
    type: 'IdentifierVerified',
    data: { identifierId, method: 'DOUBLE_OPT_IN', verifiedAt: at },
  });
}

/** Records which requests for confirmation ended without an answer. */
export function expireConfirmations(state: PreferenceState, at: Instant): Decision<PreferenceConfirmationExpired> {
  const over = Object.entries(state.requests).filter(
    ([, request]) => isOpenRequest(request) && request.expiresAt <= at,
  );
  let after = state;
  return happened(
    ...over.map(([requestId, { fields, expiresAt }]): PreferenceConfirmationExpired => {
      const expired = { requestId, fields: [...fields], expiredAt: expiresAt };
      after = evolvePreferences(after, { type: 'PreferenceConfirmationExpired', data: expired });
      const states = fields.map((each) => ({ ...each, state: shownState(after.topics[each.field], at) }));
      return { type: 'PreferenceConfirmationExpired', data: { ...expired, fields: states } };
    }),
  );
}
