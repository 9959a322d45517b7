import { describe, expect, it } from '@jest/globals';
import { fold, FORGOTTEN, isRefusal } from '../kernel/index.js';
import { ruleAt } from '../policy/index.js';
import { termsOfRequest } from './dates.js';
import { decideRequest, receiveRequest, type RequestCommand } from './decide.js';
import { requestFold, type DataRequest } from './state.js';
import { dataRequestView, listedView } from './view.js';

const T0 = '2026-11-01T12:00:00.000Z';
const ID = 'dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S';

function after(...commands: RequestCommand[]): DataRequest {
  const received = receiveRequest(
    {
      type: 'receive',
      requestId: ID,
      subjectId: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
      requestType: 'ACCESS',
      regulation: 'UK-GDPR',
      regulationOfPlace: 'GDPR',
      jurisdiction: { country: 'GB', region: 'GB-SCT' },
      terms: termsOfRequest('ACCESS', ruleAt({ country: 'GB', region: null }, T0)),
      receivedAt: T0,
      source: 'PHONE',
      locale: 'en',
      requester: { type: 'GUARDIAN', name: 'Jo', email: 'jo@example.org', evidence: 'custody' },
      details: 'All of it.',
    },
    null,
    T0,
  );
  if (isRefusal(received)) throw new Error(received.code);
  return commands.reduce((state, command) => {
    const decided = decideRequest(command, state, T0);
    if (isRefusal(decided)) throw new Error(decided.message);
    return fold(requestFold, decided.events, state)!;
  }, fold(requestFold, received.events)!);
}
const VERIFY: RequestCommand = { type: 'verify', method: 'DOCUMENT' };
const START: RequestCommand = { type: 'start' };

describe('a data request as it is shown', () => {
  it('says all that is known of it', () => {
    expect(dataRequestView(after(), T0)).toEqual({
      id: ID,
      object: 'data_request',
      subject: { id: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S' },
      type: 'ACCESS',
      state: 'RECEIVED',
      regulation: 'UK-GDPR',
      jurisdiction: { country: 'GB', region: 'GB-SCT' },
      receivedAt: T0,
      acknowledgeBy: null,
      dueAt: '2026-12-02T00:00:00.000Z',
      extendedDueAt: null,
      overdue: false,
      clock: { running: true, pausedSince: null },
      holdReason: null,
      verification: { status: 'PENDING', method: null, verifiedAt: null, expiresAt: null, reason: null },
      source: 'PHONE',
      duplicateOf: null,
      reasonCode: null,
      completing: null,
      effect: null,
      closedAt: null,
      assignee: null,
      updatedAt: T0,
      locale: 'en',
      details: 'All of it.',
      corrections: [],
      requester: { type: 'GUARDIAN', name: 'Jo', email: 'jo@example.org', evidence: 'custody' },
      period: { rule: 'GB.2026-02-05', dueDays: 1, unit: 'MONTHS', extensionDays: 2, clockStops: true },
      note: null,
      notes: [],
      history: [{ state: 'RECEIVED', at: T0 }],
    });
  });

  it('is overdue from the moment of its date on, as long as it is open', () => {
    const overdue = (request: DataRequest, at: string): boolean => listedView(request, at).overdue;
    const request = after(VERIFY);
    expect([overdue(request, '2026-12-01T23:59:59.999Z'), overdue(request, '2026-12-02T00:00:00.000Z')]).toEqual([
      false,
      true,
    ]);
    expect(overdue(after({ type: 'reject', reasonCode: 'NO_MATCH' }), '2027-01-01T00:00:00.000Z')).toBe(false);
  });

  it('shows a clock that stands still, an extension, and what it is being completed as', () => {
    const held = listedView(after(VERIFY, START, { type: 'hold', reason: 'AWAITING_REQUESTER' }), T0);
    expect(held).toMatchObject({
      dueAt: null,
      clock: { running: false, pausedSince: T0 },
      holdReason: 'AWAITING_REQUESTER',
    });
    const extended = listedView(after(VERIFY, { type: 'extend' }), T0);
    expect([extended.dueAt, extended.extendedDueAt]).toEqual(['2026-12-02T00:00:00.000Z', '2027-02-02T00:00:00.000Z']);
    const completing = listedView(after(VERIFY, { type: 'beginCompletion', outcome: 'PARTIALLY_COMPLETED' }), T0);
    expect([completing.completing, completing.verification]).toEqual([
      'PARTIALLY_COMPLETED',
      { status: 'VERIFIED', method: 'DOCUMENT', verifiedAt: T0, expiresAt: null, reason: null },
    ]);
    const closed = listedView(after({ type: 'cancel', reason: 'OPENED_BY_MISTAKE' }), T0);
    expect(closed).toMatchObject({ closedAt: T0, reasonCode: 'OPENED_BY_MISTAKE', clock: { running: false } });
  });

  it('shows nothing of what was forgotten, and lists never what people wrote', () => {
    const request = after();
    const texts = Object.fromEntries(Object.keys(request.texts).map((name) => [name, FORGOTTEN]));
    const view = dataRequestView({ ...request, texts }, T0);
    expect([view.details, view.locale, view.requester]).toEqual([
      null,
      null,
      { type: 'GUARDIAN', name: null, email: null, evidence: null },
    ]);
    expect(Object.keys(listedView(request, T0))).not.toEqual(expect.arrayContaining(['details', 'requester', 'note']));
  });
});
