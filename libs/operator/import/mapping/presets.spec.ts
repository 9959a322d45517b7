import { describe, expect, it } from '@jest/globals';
import type { ImportMap } from './import-map.js';
import { readImportMap } from './map-file.js';
import { PRESETS, presetNamed } from './presets.js';
import { recordMaker } from './row-records.js';

/** Subject, purpose, decision and date of what a preset makes of a row. */
function made(
  name: string,
  header: readonly string[] | null,
  content: readonly string[] | Record<string, unknown>,
): unknown[] {
  const maker = recordMaker(readImportMap(presetNamed(name)) as ImportMap, header, null);
  if (Array.isArray(maker)) throw new Error(JSON.stringify(maker));
  return maker
    .recordsOf(content)
    .map(({ body }) => [body['subject'], body['purpose'], body['decision'], body['givenAt']]);
}

describe('the map of another product', () => {
  it.each(Object.keys(PRESETS))('can be read: %s', (name) =>
    expect(readImportMap(presetNamed(name))).toMatchObject({ records: expect.anything() as unknown }),
  );

  it('reads a consent log of Cookiebot', () => {
    const header = ['Consent ID', 'Date UTC', 'Country', 'URL', 'Preferences', 'Statistics', 'Marketing'];
    const cells = [
      'G+6rYDfrzwrZItFRfHCbe8iQ/w==',
      '2026-03-01 10:00:00',
      'Germany',
      'shop.example/',
      'true',
      'FALSE',
      '',
    ];
    expect(made('cookiebot', header, cells)).toEqual([
      ['visitor_id:G-6rYDfrzwrZItFRfHCbe8iQ_w', 'preferences', 'GRANTED', '2026-03-01T10:00:00.000Z'],
      ['visitor_id:G-6rYDfrzwrZItFRfHCbe8iQ_w', 'analytics', 'DENIED', '2026-03-01T10:00:00.000Z'],
    ]);
  });

  it('reads receipts of OneTrust, and no test receipts', () => {
    const receipt = {
      id: '09ccd1b9-84a0-4bcb-a167-f761391ebffa',
      dataSubjectIdentifier: 'user@example.com',
      interactionDate: '2026-03-01T10:00:00Z',
      test: false,
      geolocation: { country: 'US' },
      purposes: ['CONFIRMED', 'WITHDRAWN', 'NOTGIVEN', 'EXPIRED', 'PENDING'].map((transactionType, i) => ({
        id: `p${i}`,
        name: 'n',
        version: 2,
        transactionType,
      })),
    };
    expect(made('onetrust', null, receipt)).toEqual(
      ['GRANTED', 'WITHDRAWN', 'DENIED', 'WITHDRAWN'].map((decision, i) => [
        'email:user@example.com',
        `p${i}`,
        decision,
        '2026-03-01T10:00:00.000Z',
      ]),
    );
    expect(made('onetrust', null, { ...receipt, test: true })).toEqual([]);
  });

  it('reads the consent history of Usercentrics', () => {
    const header =
      'Controller ID,Timestamp,CMP Configuration ID,CMP Configuration Version,Consent Action,Data Processing Service ID,Data Processing Service Version,Consent Given,Consent String';
    const cells = [
      'c'.repeat(64),
      '2026-03-01T10:00:00.000Z',
      's',
      '1',
      'onAcceptAllServices',
      'HkocEodjb7',
      '1',
      'true',
      '',
    ];
    expect(made('usercentrics', header.split(','), cells)).toEqual([
      [`visitor_id:${'c'.repeat(64)}`, 'HkocEodjb7', 'GRANTED', '2026-03-01T10:00:00.000Z'],
    ]);
  });

  it('reads events and users of Didomi', () => {
    const purposes = [
      { id: 'analytics', enabled: true, enabled_li: null },
      { id: 'ads', enabled: null, enabled_li: false },
      { id: 'fit', enabled: null },
    ];
    const id = '9556b7f5-ae22-4616-97f9-3f61e22f0ec7';
    const event = {
      id: 'e',
      created_at: '2026-03-01T10:00:00Z',
      status: 'confirmed',
      user: { id },
      consents: { purposes },
    };
    const expected = (at: string): unknown[] => [
      [`visitor_id:${id}`, 'analytics', 'GRANTED', at],
      [`visitor_id:${id}`, 'ads', 'OBJECTED', at],
    ];
    expect(made('didomi', null, event)).toEqual(expected('2026-03-01T10:00:00.000Z'));
    expect(made('didomi', null, { ...event, status: 'pending_approval' })).toEqual([]);
    const user = { id, created_at: '2026-03-01T10:00:00Z', updated_at: '2026-04-01T10:00:00Z', consents: { purposes } };
    expect(made('didomi', null, user)).toEqual(expected('2026-04-01T10:00:00.000Z'));
  });

  it('reads what a query makes of the tables of c15t', () => {
    const header = [
      'id',
      'subject_id',
      'external_id',
      'purpose',
      'granted',
      'given_at',
      'valid_until',
      'ui_source',
      'consent_action',
      'jurisdiction',
    ];
    const row = (purpose: string, granted: string): string[] => [
      'cns_1',
      'sub_3zqcd4X9QpVdfJ8b',
      '',
      purpose,
      granted,
      '2026-03-01 10:00:00.5+00',
      '',
      'banner',
      'custom',
      'GDPR',
    ];
    expect(made('c15t', header, row('measurement', 't'))).toEqual([
      ['visitor_id:sub_3zqcd4X9QpVdfJ8b', 'analytics', 'GRANTED', '2026-03-01T10:00:00.500Z'],
    ]);
    expect(made('c15t', header, row('marketing', 'f'))).toMatchObject([
      [expect.anything(), 'marketing', 'DENIED', expect.anything()],
    ]);
    expect(made('c15t', header, row('necessary', 't'))).toEqual([]);
  });
});
