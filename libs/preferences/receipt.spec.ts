import { readFileSync } from 'node:fs';
import { canonicalJson, FORGOTTEN } from '../kernel/index.js';
import type { PreferenceConfirmedData, PreferenceSetData } from './events.js';
import { confirmationReceipt, preferenceReceipt } from './receipt.js';

const golden = <T>(name: string): T =>
  (JSON.parse(readFileSync(new URL(`../../test/history/${name}.json`, import.meta.url), 'utf8')) as { clear: T }).clear;
const record = golden<PreferenceSetData>('PreferenceSet.v1');
const NEWS = 'channels.email.topics.news';
const where = {
  site: 'shop',
  env: 'live',
  subjectId: 'sub_01M7ZE2S4SNHGM8EYYCDX7W584',
  previousRecordOf: (field: string) => (field === NEWS ? 'rec_01M7ZE2S9BR1RN6773TSK9TMED' : null),
} as const;

describe('the receipt of preferences', () => {
  it('says of each field what it was and what it became, and no value of a typed field', () => {
    const receipt = preferenceReceipt(record, where);
    expect(receipt).toMatchObject({
      id: 'rct_01M7ZE2SA4SHEWN3NYW9AJ1FN6',
      event: { type: 'preference', at: record.givenAt, method: 'TOGGLE', surface: 'PREFERENCE_CENTER', source: 'API' },
      purposes: [],
      notice: { hash: record.template.contentHash, language: 'de', url: '/v1/preference-template?locale=de' },
      withdrawal: { method: 'POST', url: '/v1/preferences' },
    });
    const change = (field: string, previousState: string, state: string, previousReceipt: string | null = null) => ({
      field,
      previousState,
      state,
      applied: true,
      previousReceipt,
    });
    expect(receipt.preferences).toEqual([
      change(NEWS, 'UNSET', 'PENDING', 'rct_01M7ZE2S9BR1RN6773TSK9TMED'),
      change('channels.email.topics.product_updates', 'GRANTED', 'DENIED'),
      change('birthday', 'UNSET', 'SET'),
      change('interests', 'SET', 'SET'),
      change('age', 'SET', 'UNSET'),
      change('globalOptOut', 'ACTIVE', 'NONE'),
    ]);
  });

  it('is the same to the byte when what was personal is forgotten', () => {
    const forgotten = {
      ...record,
      changes: record.changes.map((each) => (each.kind === 'field' ? { ...each, value: FORGOTTEN } : each)),
      actor: { ...record.actor, id: FORGOTTEN, relationship: FORGOTTEN },
      collection: { ...record.collection, url: FORGOTTEN },
      metadata: FORGOTTEN,
      provenance: { ...record.provenance, ip: FORGOTTEN, userAgent: FORGOTTEN },
    } as unknown as PreferenceSetData;
    expect(canonicalJson(preferenceReceipt(forgotten, where))).toBe(canonicalJson(preferenceReceipt(record, where)));
  });
});

describe('the receipt of a confirmation', () => {
  it('says what was confirmed and when, by the person themselves', () =>
    expect(confirmationReceipt(golden<PreferenceConfirmedData>('PreferenceConfirmed.v1'), where)).toMatchObject({
      id: 'rct_01M7ZE2SC0SHEWN3NYW9AJ1FN8',
      event: {
        type: 'confirmation',
        at: '2026-11-21T17:00:00.000Z',
        recordedAt: '2026-11-21T17:00:00.000Z',
        method: 'CONFIRMATION_LINK',
        surface: 'PAGE',
        source: 'LINK',
        actor: 'SUBJECT',
      },
      preferences: [
        {
          field: NEWS,
          previousState: 'PENDING',
          state: 'GRANTED',
          applied: true,
          previousReceipt: 'rct_01M7ZE2S9BR1RN6773TSK9TMED',
        },
      ],
      notice: null,
    }));
});
