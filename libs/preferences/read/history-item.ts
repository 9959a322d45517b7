import type { Happened } from '../../streams/stream.js';
import { sameUlid, type DomainEvent } from '../../kernel/index.js';
import type { PreferenceChange, PreferenceEvent } from '../events.js';
import type { PreferenceHistoryItemDto } from './dto.js';

const TYPES: readonly string[] = [
  'PreferenceSet',
  'PreferenceConfirmationRequested',
  'PreferenceConfirmationMailed',
  'PreferenceConfirmed',
  'PreferenceConfirmationExpired',
] satisfies PreferenceEvent['type'][];
/** Under this name the global opt-out is asked for. */
const GLOBAL_OPT_OUT = 'globalOptOut';

export const isOfPreferences = (event: Happened<DomainEvent>): event is Happened<PreferenceEvent> =>
  TYPES.includes(event.type);

/** Whether an event says something of a field; what became of a mail stands at its request. */
export function isAbout(event: PreferenceEvent, field: string): boolean {
  switch (event.type) {
    case 'PreferenceSet':
      return field === GLOBAL_OPT_OUT
        ? event.data.globalOptOut !== undefined
        : event.data.changes.some((change) => change.field === field);
    case 'PreferenceConfirmationMailed':
      return false;
    default:
      return event.data.fields.some((each) => each.field === field);
  }
}

/** Everything that was recorded, but what a link could be made from. */
export function historyItem(event: Happened<PreferenceEvent>, mergedFrom: string | null): PreferenceHistoryItemDto {
  const common = { sequence: event.revision, eventId: event.id, mergedFrom, recordedAt: event.metadata.recordedAt };
  switch (event.type) {
    case 'PreferenceSet': {
      const { recordId, changes, globalOptOut, ended, ...recorded } = event.data;
      const optOut = globalOptOut && {
        previousState: globalOptOut.previousState,
        state: globalOptOut.state,
        appliedToState: globalOptOut.appliedToState,
      };
      return {
        object: 'preference_record',
        id: recordId,
        receiptId: sameUlid('rct', recordId),
        ...recorded,
        ...common,
        changes: changes.map(changeItem),
        ...(optOut && { globalOptOut: optOut }),
        endedRequests: ended,
      };
    }
    case 'PreferenceConfirmationRequested': {
      const { requestId, tokenHash: _, ended, requestedAt: __, ...recorded } = event.data;
      return {
        object: 'preference_confirmation_request',
        id: requestId,
        receiptId: null,
        ...recorded,
        ...common,
        // A wish that waits never hides a grant.
        fields: recorded.fields.map((each) => ({
          ...each,
          state: each.previousState === 'GRANTED' ? ('GRANTED' as const) : ('PENDING' as const),
        })),
        endedRequests: ended,
      };
    }
    case 'PreferenceConfirmationMailed': {
      const { requestId, messageId, outcome, code, response, attempts } = event.data;
      return {
        object: 'preference_confirmation_mail',
        id: requestId,
        receiptId: null,
        ...common,
        delivery: { messageId, outcome, code, response, attempts },
      };
    }
    case 'PreferenceConfirmed': {
      const { recordId, confirmedAt, ...recorded } = event.data;
      return {
        object: 'preference_confirmation',
        id: recordId,
        receiptId: sameUlid('rct', recordId),
        ...recorded,
        ...common,
        fields: recorded.fields.map((each) => ({ ...each, state: 'GRANTED' as const })),
        confirmedAt,
      };
    }
    case 'PreferenceConfirmationExpired': {
      const { requestId, fields, expiredAt } = event.data;
      return {
        object: 'preference_confirmation_expiry',
        id: requestId,
        receiptId: null,
        ...common,
        fields,
        expiresAt: expiredAt,
      };
    }
  }
}

/** Personal values are null where they are forgotten. */
function changeItem(change: PreferenceChange): NonNullable<PreferenceHistoryItemDto['changes']>[number] {
  const { field, previousState, state, appliedToState } = change;
  if (change.kind === 'field')
    return { field, channel: null, previousState, state, value: change.value, appliedToState };
  const { channel, wanted = null, frequency, pausedUntil } = change;
  return {
    field,
    channel,
    previousState,
    state,
    value: wanted,
    appliedToState,
    ...(frequency !== undefined && { frequency }),
    ...(pausedUntil !== undefined && { pausedUntil }),
  };
}
