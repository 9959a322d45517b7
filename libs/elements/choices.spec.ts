import { describe, expect, it } from '@jest/globals';
import { choicesOf, ticksKept, type ShownPurpose } from './choices.js';

const purpose = (key: string, over: Partial<ShownPurpose> = {}): ShownPurpose => ({
  key,
  version: 2,
  name: key,
  description: '',
  category: 'ANALYTICS',
  consentModel: 'OPT_IN',
  gpc: false,
  default: 'DENIED',
  locked: false,
  ...over,
});
const PURPOSES = [
  purpose('asked'),
  purpose('objectable', { consentModel: 'OPT_OUT' }),
  purpose('sold', { consentModel: 'OPT_OUT', category: 'SALE_SHARE' }),
  purpose('signalled', { gpc: true }),
  purpose('told', { consentModel: 'NOTICE_ONLY' }),
  purpose('needed', { consentModel: 'ALWAYS_ON', locked: true }),
];
const said = (action: string, chosen: Record<string, boolean> = {}): Record<string, string> =>
  Object.fromEntries(choicesOf(action, PURPOSES, chosen).map(({ purpose: key, decision }) => [key, decision]));

describe('what a click says about each purpose', () => {
  it.each<[string, Record<string, string>]>([
    [
      'ACCEPT_ALL',
      { asked: 'GRANTED', objectable: 'GRANTED', sold: 'GRANTED', signalled: 'GRANTED', told: 'ACKNOWLEDGED' },
    ],
    ['REJECT_ALL', { asked: 'DENIED', objectable: 'OBJECTED', sold: 'OBJECTED', signalled: 'DENIED' }],
    ['DO_NOT_SELL', { sold: 'OBJECTED', signalled: 'DENIED' }],
    ['ACKNOWLEDGE', { told: 'ACKNOWLEDGED' }],
    ['SAVE', { asked: 'GRANTED', objectable: 'OBJECTED', sold: 'OBJECTED', signalled: 'DENIED' }],
  ])('%s', (action, decisions) => expect(said(action, { asked: true, sold: false })).toEqual(decisions));

  it('names the version that was shown', () =>
    expect(choicesOf('SAVE', [purpose('asked')], {})).toEqual([
      { purpose: 'asked', purposeVersion: 2, decision: 'DENIED' },
    ]));
});

it('nothing stays ticked for words that were not shown before, nor for a purpose that is new or gone', () =>
  expect(
    ticksKept(
      { same: true, unticked: false, reworded: true, gone: true },
      { same: 1, unticked: 1, reworded: 1, gone: 1 },
      [
        purpose('same', { version: 1 }),
        purpose('unticked', { version: 1 }),
        purpose('reworded', { version: 2 }),
        purpose('added', { version: 1 }),
      ],
    ),
  ).toEqual({ same: true, unticked: false }));
