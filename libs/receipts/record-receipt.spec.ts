import { MasterKey } from '../vault/master-key.js';
import { kantaraReceipt } from './kantara.js';
import { DerivedReceiptTokens } from './receipt-tokens.js';
import { recordReceipt, type RecordFacts } from './record-receipt.js';

const facts: RecordFacts = {
  recordId: 'rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  subjectId: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T',
  site: 'shop',
  env: 'live',
  controllers: [{ name: 'Shop Example GmbH', contact: 'privacy@shop.example' }],
  jurisdiction: { country: 'DE', region: null, source: 'DETECTED' },
  event: {
    type: 'consent',
    at: '2026-11-21T12:00:00.900Z',
    recordedAt: '2026-11-21T12:00:01.000Z',
    validUntil: null,
    method: 'SAVE_CHOICES',
    surface: 'BANNER',
    source: 'API',
    actor: 'SUBJECT',
  },
  purposes: [
    {
      key: 'analytics',
      version: 2,
      legalBasis: 'CONSENT',
      dataCategories: [
        { key: 'usage', sensitive: false },
        { key: 'health', sensitive: true },
      ],
      recipients: [
        { name: 'Example Analytics Ltd', role: 'PROCESSOR', country: 'IE' },
        { name: 'Example Ads Inc', role: 'THIRD_PARTY', country: 'US' },
      ],
      retention: 'P14M',
      decision: 'GRANTED',
      previousState: 'NOT_COLLECTED',
      state: 'GRANTED',
      applied: true,
      previousReceipt: null,
    },
  ],
  preferences: [],
  vendors: [],
  gpc: null,
  notice: { hash: `sha256:${'0'.repeat(64)}`, language: 'de', url: '/v1/purposes/analytics/versions/2?locale=de' },
  evidence: [],
  withdrawal: { method: 'POST', url: '/v1/consent' },
};

describe('a receipt of a record', () => {
  it.each([
    ['a subject by an address', { subjectId: 'email:ada@example.org' }],
    ['an id of another kind', { recordId: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S' }],
  ])('is not made with %s', (_, wrong) => expect(() => recordReceipt({ ...facts, ...wrong })).toThrow(TypeError));

  it('names itself, the record, the subject by a pseudonym, and who issues it by no address that could change', () =>
    expect(recordReceipt(facts)).toMatchObject({
      schema: 'urn:consent-receipt:1',
      id: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
      record: facts.recordId,
      issuer: 'urn:assent:site:shop',
      environment: 'live',
      subject: { id: facts.subjectId },
    }));
});

describe('the receipt in the form of Kantara 1.1', () => {
  const receipt = recordReceipt(facts);
  const address = { streetAddress: 'Beispielweg 1', addressCountry: 'DE' };
  const controller = { name: 'Shop Example GmbH', contact: 'privacy@shop.example', phone: '+49 30 901820', address };
  const besides = { publicUrl: 'https://consent.shop.example/c', category: 'ANALYTICS', controller };

  it('has every field that the specification asks for', () =>
    expect(kantaraReceipt(receipt, besides)).toEqual({
      version: 'KI-CR-v1.1.0',
      jurisdiction: 'DE',
      consentTimestamp: Date.parse('2026-11-21T12:00:00Z') / 1000,
      collectionMethod: 'SAVE_CHOICES',
      consentReceiptID: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
      language: 'de',
      piiPrincipalId: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T',
      piiControllers: [
        {
          piiController: 'Shop Example GmbH',
          contact: 'privacy@shop.example',
          email: 'privacy@shop.example',
          phone: '+49 30 901820',
          address,
          onBehalf: false,
        },
      ],
      policyUrl: 'https://consent.shop.example/c/v1/purposes/analytics/versions/2?locale=de',
      services: [
        {
          service: 'shop',
          purposes: [
            {
              purpose: 'analytics: GRANTED',
              purposeCategory: ['ANALYTICS'],
              consentType: 'EXPLICIT',
              piiCategory: ['usage', 'health'],
              primaryPurpose: false,
              termination: 'P14M',
              thirdPartyDisclosure: true,
              thirdPartyName: 'Example Ads Inc',
            },
          ],
        },
      ],
      sensitive: true,
      spiCat: ['health'],
    }));

  it('says where nobody chose a purpose in particular, and leaves out what is not known', () => {
    const told = kantaraReceipt(
      {
        ...receipt,
        jurisdiction: null,
        controllers: [{ name: 'Shop Example GmbH', contact: 'the shop around the corner' }],
        event: { ...receipt.event, method: 'SCRIPT' },
        purposes: [{ ...receipt.purposes[0]!, retention: null, recipients: [], legalBasis: 'CONTRACT' }],
      },
      { ...besides, controller: {} },
    );
    expect(told.jurisdiction).toBe('UNKNOWN');
    expect(told.piiControllers).toEqual([
      { piiController: 'Shop Example GmbH', contact: 'the shop around the corner', onBehalf: false },
    ]);
    const { thirdPartyName, ...purpose } = told.services[0]!.purposes[0]!;
    expect(thirdPartyName).toBeUndefined();
    expect(purpose).toMatchObject({
      consentType: 'IMPLICIT',
      primaryPurpose: true,
      termination: 'UNKNOWN',
      thirdPartyDisclosure: false,
    });
  });
});

describe('the capability to read a receipt', () => {
  const master = new MasterKey(Buffer.alloc(32, 5));
  const tokens = new DerivedReceiptTokens(master);
  const [ours, other] = ['rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S', 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2T'];

  it('opens its own receipt, and no other one', () => {
    const token = tokens.of(ours);
    expect(token).toMatch(/^rpt_[\w-]{43}$/);
    expect([tokens.opens(token, ours), tokens.opens(token, other)]).toEqual([true, false]);
  });

  it('is refused with any character changed, left out or added', () => {
    const token = tokens.of(ours);
    for (let i = 0; i < token.length; i++) {
      const changed = `${token.slice(0, i)}${token[i] === 'A' ? 'B' : 'A'}${token.slice(i + 1)}`;
      expect([i, tokens.opens(changed, ours)]).toEqual([i, false]);
      expect([i, tokens.opens(token.slice(0, i) + token.slice(i + 1), ours)]).toEqual([i, false]);
    }
    for (const text of ['', `${token}A`, ` ${token}`, `${token}\n`]) expect(tokens.opens(text, ours)).toBe(false);
  });

  it('is the same of every process, also after the master key was rotated, and another with another one', () => {
    const next = new MasterKey(Buffer.alloc(32, 6));
    const rotated = new MasterKey(Buffer.alloc(32, 6), next.carried(master.carryTo(next)));
    expect(new DerivedReceiptTokens(rotated).of(ours)).toBe(tokens.of(ours));
    expect(new DerivedReceiptTokens(next).of(ours)).not.toBe(tokens.of(ours));
  });
});
