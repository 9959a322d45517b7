import { readFileSync } from 'node:fs';
import type { PurposePublishedData } from '../catalogue/index.js';
import { canonicalJson, FORGOTTEN } from '../kernel/index.js';
import type { ConsentRecordedData } from './events.js';
import { consentReceipt } from './receipt.js';

const golden = <T>(name: string): T =>
  (JSON.parse(readFileSync(new URL(`../../test/history/${name}.json`, import.meta.url), 'utf8')) as { clear: T }).clear;
const record = golden<ConsentRecordedData>('ConsentRecorded.v1');
const { definition } = JSON.parse(
  readFileSync(new URL('../../test/history/PurposePublished.v1.json', import.meta.url), 'utf8'),
).data as PurposePublishedData;
const where = {
  site: 'shop',
  env: 'live',
  subjectId: 'sub_01M7Z4BEN0C14YZQKPWXGJRVHX',
  previousRecordId: 'rec_01M7Z4BEP4YJRV1PB9ZKMVARSA',
  purpose: definition,
} as const;

describe('the receipt of a decision', () => {
  it('says what was decided, by whom, on which text, and how it is taken back', () =>
    expect(consentReceipt(record, where)).toEqual({
      schema: 'urn:consent-receipt:1',
      id: 'rct_01M7Z4BEP4YJRV1PB9ZKMVARSQ',
      record: 'rec_01M7Z4BEP4YJRV1PB9ZKMVARSQ',
      issuer: 'urn:assent:site:shop',
      site: 'shop',
      environment: 'live',
      subject: { id: 'sub_01M7Z4BEN0C14YZQKPWXGJRVHX' },
      controllers: [{ name: definition.controller.name, contact: definition.controller.contact }],
      jurisdiction: { country: 'US', region: 'US-CA', source: 'DETECTED' },
      event: {
        type: 'consent',
        at: '2026-11-21T13:22:25.092Z',
        recordedAt: '2026-11-21T13:22:25.092Z',
        validUntil: '2027-05-20T13:22:25.092Z',
        method: 'TOGGLE',
        surface: 'BANNER',
        source: 'API',
        actor: 'GUARDIAN',
      },
      purposes: [
        {
          key: definition.key,
          version: 1,
          legalBasis: definition.legalBasis,
          dataCategories: definition.dataCategories,
          recipients: definition.recipients,
          retention: definition.retention,
          decision: 'GRANTED',
          previousState: 'NOT_COLLECTED',
          state: 'GRANTED',
          applied: true,
          previousReceipt: 'rct_01M7Z4BEP4YJRV1PB9ZKMVARSA',
        },
      ],
      preferences: [],
      vendors: [{ framework: 'TCF', id: 755, decision: 'DENIED' }],
      gpc: true,
      notice: {
        hash: 'sha256:75ff73880916cea9be0c35e6f32f11068620c5d9e33f20bc13c553856bcae40b',
        language: 'de',
        url: `/v1/purposes/${definition.key}/versions/1?locale=de`,
      },
      evidence: ['bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'],
      withdrawal: { method: 'POST', url: '/v1/consent' },
    }));

  it('says how it was on the screen where the page said so, and has no such member otherwise', () => {
    const displayed = golden<ConsentRecordedData>('ConsentRecorded.v1.displayed');
    expect(consentReceipt(displayed, where).display).toEqual(displayed.collection!.display);
    expect(consentReceipt(record, where)).not.toHaveProperty('display');
  });

  // A holder of a receipt compares these bytes: where they change, RECEIPT_SCHEMA has to change too.
  it('holds nothing personal, so that it is the same to the byte when that is forgotten', () => {
    const forgotten = {
      ...record,
      actor: { ...record.actor, id: FORGOTTEN, relationship: FORGOTTEN },
      collection: { ...record.collection, url: FORGOTTEN, presentationToken: FORGOTTEN },
      evidence: record.evidence!.map((each) => ({ ...each, uri: FORGOTTEN })),
      metadata: FORGOTTEN,
      provenance: { ...record.provenance, ip: FORGOTTEN, userAgent: FORGOTTEN },
    } as unknown as ConsentRecordedData;
    expect(canonicalJson(consentReceipt(forgotten, where))).toBe(canonicalJson(consentReceipt(record, where)));
  });

  it('leaves open what the caller did not tell', () => {
    const { jurisdiction: _, collection: __, signals: ___, vendors: ____, evidence: _____, ...bare } = record;
    expect(consentReceipt(bare, { ...where, previousRecordId: null })).toMatchObject({
      jurisdiction: null,
      event: { method: null, surface: null },
      purposes: [{ previousReceipt: null }],
      vendors: [],
      gpc: null,
      evidence: [],
    });
  });

  it.each([{ subjectId: 'email:ada@example.org' }])('is not made about %j', (wrong) =>
    expect(() => consentReceipt(record, { ...where, ...wrong })).toThrow(TypeError),
  );
});
