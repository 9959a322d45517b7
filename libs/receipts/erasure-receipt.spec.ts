import { canonicalJson } from '../kernel/index.js';
import { erasureReceipt, type ErasureFacts } from './index.js';

const [ADA, ADA_ON_PHONE, ADA_AT_WORK] = [
  'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T',
  'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2V',
];
const facts: ErasureFacts = {
  receiptId: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2W',
  subjectId: ADA!,
  erasedTogether: [ADA_ON_PHONE!, ADA_AT_WORK!],
  site: 'shop',
  env: 'live',
  erasedAt: '2026-11-21T12:00:00.000Z',
  reason: 'SUBJECT_REQUEST',
  issuer: 'https://consent.shop.example',
};

describe('the receipt of an erasure', () => {
  // These bytes were signed for people who keep them: where they change, RECEIPT_SCHEMA has to change too.
  it('is to the byte what it was when the first one was signed', () =>
    expect(canonicalJson(erasureReceipt(facts))).toBe(
      '{"environment":"live","erased":{"destroyed":["SUBJECT_KEY","IDENTIFIERS","PERSONAL_FIELDS","READ_MODELS","CACHES","PENDING_MAIL","DELIVERIES"],' +
        '"subjects":["sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S","sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T","sub_01KAK3V0ZC8W9J2M4N6P8Q0R2V"]},' +
        '"event":{"at":"2026-11-21T12:00:00.000Z","reason":"SUBJECT_REQUEST","state":"ERASED","type":"erasure"},"id":"rct_01KAK3V0ZC8W9J2M4N6P8Q0R2W","issuer":"https://consent.shop.example",' +
        '"kept":[{"as":"ANONYMOUS_EVIDENCE","under":["GDPR art. 17(3)(e)","GDPR art. 7(1)"],"what":"DECISIONS"}],"schema":"urn:consent-receipt:1","site":"shop","subject":{"id":"sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S"}}',
    ));

  it('is the same in whatever order the subjects are named, and names each once', () =>
    expect(erasureReceipt({ ...facts, erasedTogether: [ADA_AT_WORK!, ADA!, ADA_ON_PHONE!, ADA_AT_WORK!] })).toEqual(
      erasureReceipt(facts),
    ));

  it('names the subject alone where none was merged into it, and no reason where none was given', () =>
    expect(erasureReceipt({ ...facts, erasedTogether: [], reason: null })).toMatchObject({
      erased: { subjects: [ADA] },
      event: { reason: null },
    }));

  it.each<[string, Partial<ErasureFacts>]>([
    ['a subject by an address', { subjectId: 'email:ada@example.org' }],
    ['a merged subject by an address', { erasedTogether: ['email:ada@example.org'] }],
    ['a reason in words', { reason: 'Ada Lovelace asked us to' }],
    ['an id of another kind', { receiptId: 'rec_01KAK3V0ZC8W9J2M4N6P8Q0R2W' }],
  ])('is not made with %s', (_, wrong) => expect(() => erasureReceipt({ ...facts, ...wrong })).toThrow(TypeError));

  it('hands out nothing that a caller could change for the next one', () => {
    const first = erasureReceipt(facts);
    first.erased.destroyed.length = first.kept[0]!.under.length = 0;
    expect(erasureReceipt(facts)).not.toEqual(first);
    expect(erasureReceipt(facts).erased.destroyed).toHaveLength(7);
  });
});
