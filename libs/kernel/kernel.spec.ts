import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  canonicalJson,
  CanonicalText,
  catalogueStream,
  derivedId,
  epochMs,
  hashOf,
  isAnonymous,
  isId,
  isRefusal,
  madeAtMs,
  newId,
  parseInstant,
  parseReference,
  parseUrl,
  plusMs,
  referenceText,
  sameUlid,
  siteStream,
  subjectOfStream,
  subjectStream,
  systemClock,
  ulid,
  uuidV5,
} from './index.js';

describe('a subject reference', () => {
  it.each([
    ['email: Ada.Lovelace+News@EXAMPLE.com ', 'email:ada.lovelace+news@example.com'],
    ['email:ada@bücher.example', 'email:ada@xn--bcher-kva.example'],
    ['email:ａｄａ@example.com', 'email:ada@example.com'],
    ['phone:+49 (30) 901820-12', 'phone:+493090182012'],
    ['idfa:6D92078A-8246-4BA4-AE5B-76104861E7DC', 'idfa:6d92078a-8246-4ba4-ae5b-76104861e7dc'],
    ['user_id: A:b:C ', 'user_id:A:b:C'],
    ['custom.loyalty_card:0042', 'custom.loyalty_card:0042'],
    ['sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S', 'subject:sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S'],
    ['subject:sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S', 'subject:sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S'],
    ['idfv:6D92078A-8246-4BA4-AE5B-76104861E7DC', 'idfv:6d92078a-8246-4ba4-ae5b-76104861e7dc'],
    ['email:\u3000ada@example.com\u3000', 'email:ada@example.com'],
    ['email:ada@mail.shop.example', 'email:ada@mail.shop.example'],
    [`email:${'x'.repeat(64)}@b.com`, `email:${'x'.repeat(64)}@b.com`],
    [`email:a@${'x'.repeat(63)}.${'x'.repeat(63)}.${'x'.repeat(63)}.${'x'.repeat(61)}`, null],
    ['email:a@b.com', 'email:a@b.com'],
    ['user_id:x', 'user_id:x'],
    [`external_id:${'x'.repeat(700)}`, `external_id:${'x'.repeat(700)}`],
    [`external_id:${'x'.repeat(700)}${' '.repeat(88)}`, `external_id:${'x'.repeat(700)}`],
    ['email:\u200bada@example.com\ufeff', 'email:ada@example.com'],
    ['email:ada@نامه\u200cای.com', 'email:ada@xn--mgba3gch31f060k.com'],
    ['user_id:jose\u0301', 'user_id:jos\u00e9'],
    ['user_id:\u200fשלום', 'user_id:שלום'],
    ['user_id:علی\u200cرضا', 'user_id:علی\u200cرضا'],
    ['user_id:👩\u200d💻', 'user_id:👩\u200d💻'],
    ['external_id:No.\u00a017\u202f4', 'external_id:No. 17 4'],
    ['device_id:6D92078A-8246-4BA4-AE5B-76104861E7DC', 'device_id:6d92078a-8246-4ba4-ae5b-76104861e7dc'],
    ['custom.crm:6D92078A', 'custom.crm:6D92078A'],
  ])('%s reads as %s', (text, normal) => {
    const read = parseReference(text);
    expect(isRefusal(read) ? read : referenceText(read)).toBe(normal ?? text);
  });

  it.each([
    ['nothing', 'subject_ref_invalid'],
    ['x:y', 'identifier_kind_unknown'],
    [`user_id:x${' '.repeat(792)}`, 'subject_ref_invalid'],
    ['idfv:not-a-uuid', 'subject_ref_invalid'],
    [':value', 'subject_ref_invalid'],
    ['email:', 'subject_ref_invalid'],
    ['email:no-at.example', 'subject_ref_invalid'],
    ['email:a@localhost', 'subject_ref_invalid'],
    ['email:a@b@c', 'subject_ref_invalid'],
    ['email:a@b.com!', 'subject_ref_invalid'],
    ['email:a@!b.com', 'subject_ref_invalid'],
    ['email:a@b_c.com', 'subject_ref_invalid'],
    ['email:a@b..com', 'subject_ref_invalid'],
    ['email:a@.com', 'subject_ref_invalid'],
    ['email:@b.com', 'subject_ref_invalid'],
    ['email:a b@c.com', 'subject_ref_invalid'],
    ['email:<a@b.com>', 'subject_ref_invalid'],
    [`email:${'x'.repeat(65)}@b.com`, 'subject_ref_invalid'],
    [`email:a@${'x.'.repeat(127)}com`, 'subject_ref_invalid'],
    ['phone:+4930901820x', 'subject_ref_invalid'],
    ['phone:x+493090182012', 'subject_ref_invalid'],
    ['phone:+0493090182012', 'subject_ref_invalid'],
    ['phone:+4930901', 'subject_ref_invalid'],
    ['phone:+4930901820123456', 'subject_ref_invalid'],
    ['gaid:6d92078a-8246-4ba4-ae5b-76104861e7dc0', 'subject_ref_invalid'],
    ['gaid:06d92078a-8246-4ba4-ae5b-76104861e7dc', 'subject_ref_invalid'],
    [`user_id:${' '.repeat(800)}`, 'subject_ref_invalid'],
    ['phone:030 901820', 'subject_ref_invalid'],
    ['gaid:not-a-uuid', 'subject_ref_invalid'],
    [`user_id:${'x'.repeat(701)}`, 'subject_ref_invalid'],
    ['user_id:a\u0000b', 'subject_ref_invalid'],
    ['user_id:\ud800', 'subject_ref_invalid'],
    ['subject:sub_1', 'subject_ref_invalid'],
    ['twitter:ada', 'identifier_kind_unknown'],
    ['custom.:x', 'identifier_kind_unknown'],
    ['custom.9:x', 'identifier_kind_unknown'],
    ['custom.crm!:x', 'identifier_kind_unknown'],
    [`custom.c${'x'.repeat(40)}:x`, 'identifier_kind_unknown'],
    ['xcustom.crm:x', 'identifier_kind_unknown'],
    ['__proto__:x', 'identifier_kind_unknown'],
    ['email:mailto:ada@example.com', 'subject_ref_invalid'],
    ['email:Ada <ada@example.com>', 'subject_ref_invalid'],
    ['email:"ada"@example.com', 'subject_ref_invalid'],
    ['email:ada@example.com.', 'subject_ref_invalid'],
    ['email:ada@example.com?subject=hi', 'subject_ref_invalid'],
    ['email:ada@example.com/', 'subject_ref_invalid'],
    ['email:ada@ex%61mple.com', 'subject_ref_invalid'],
    ['email:ada@127.0.0.1', 'subject_ref_invalid'],
    ['email:ada@0x7f.1', 'subject_ref_invalid'],
    ['email:a\u200bda@example.com', 'subject_ref_invalid'],
    ['user_id:a\u200db', 'subject_ref_invalid'],
    ['user_id:a\u00adb', 'subject_ref_invalid'],
    ['user_id:M\ufffdller', 'subject_ref_invalid'],
    ['user_id:undefined', 'subject_ref_invalid'],
    ['external_id:[object Object]', 'subject_ref_invalid'],
    ['device_id:00000000-0000-0000-0000-000000000000', 'subject_ref_invalid'],
    ['idfa:00000000-0000-0000-0000-000000000000', 'subject_ref_invalid'],
    ['gaid:FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF', 'subject_ref_invalid'],
    ['gaid:{6d92078a-8246-4ba4-ae5b-76104861e7dc}', 'subject_ref_invalid'],
    ['gaid:6d92078a82464ba4ae5b76104861e7dc', 'subject_ref_invalid'],
  ])('%s is refused with %s', (text, code) => expect(parseReference(text)).toMatchObject({ refused: true, code }));

  it.each([
    [`user_id:${'x'.repeat(800)}`, 'The subject reference is too long.', 'Send at most 700 characters of value.'],
    [
      'nothing',
      'The subject reference is not of the form <kind>:<value>.',
      'Send for example "visitor_id:<random id>" or "email:<address>", percent-encoded in a path.',
    ],
    [
      'twitter:ada',
      'That identifier kind does not exist.',
      'Use one of email, phone, user_id, external_id, visitor_id, device_id, idfa, idfv, gaid, custom.<slug> or subject.',
    ],
    [
      'user_id:a\u0000b',
      'The subject reference holds characters that no identifier has.',
      'Remove control characters and broken Unicode from the value.',
    ],
    [
      'email:ada',
      'The value is not a valid email.',
      'Send one bare address with a local part, an @ and a domain, such as ada@example.com: no name, no angle brackets or quotation marks, no "mailto:", no dot at the end.',
    ],
    [
      'phone:0049 30 901820',
      'The value is not a valid phone.',
      'Send one number that can be dialled from abroad, in E.164 form: a plus sign (%2B in a query), the country code and the number, without an extension.',
    ],
    [
      'user_id:a\u200bb',
      'The subject reference holds characters that cannot be seen or could not be read.',
      'Remove invisible characters, such as U+200B, from inside the value, and send it as UTF-8.',
    ],
    [
      'user_id:null',
      'That value names no person: many persons would be one subject.',
      'Leave the identifier out where there is none, and use one of another kind.',
    ],
    ['user_id: ', 'The value is not a valid user_id.', 'Send a value of 1 to 700 characters.'],
  ])('%s: what is wrong, and what to send instead', (text, message, hint) =>
    expect(parseReference(text)).toMatchObject({ message, hint }),
  );

  it('normalises to something that normalises to itself', () =>
    fc.assert(
      fc.property(
        fc.constantFrom('email', 'phone', 'user_id', 'visitor_id', 'gaid'),
        fc.oneof(
          fc.string({ unit: 'grapheme', maxLength: 60 }),
          fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).map((local) => `${local}@example.org`),
          fc.stringMatching(/^\+[1-9][0-9 ()-]{6,16}$/),
        ),
        (kind, value) => {
          const once = parseReference(`${kind}:${value}`);
          if (!isRefusal(once)) expect(parseReference(referenceText(once))).toEqual(once);
        },
      ),
    ));

  it.each([
    // Germany, Great Britain, the Netherlands, Japan, Israel: a trunk zero that is not dialled from abroad.
    ['+4930901820', '+49 (0)30 901820', '+49 030 901820', '+49 (030) 90 18 20', '+49(0)30/901820', '+49‑30‑901820'],
    ['+442079460018', '+44 20 7946 0018', '+44 (0)20 7946 0018', '+44 (0) 20 7946 0018', '+44 020 7946 0018'],
    ['+31201234567', '+31 (0)20 123 4567', '+31 20 123 4567'],
    ['+81312345678', '+81 (0)3-1234-5678', '+81 3 1234 5678'],
    ['+972501234567', '+972 (0)50-123-4567', '＋９７２ ５０ １２３ ４５６７'],
    // Other trunk prefixes: 8 in Russia, 06 in Hungary, 1 in North America; Argentina writes mobile numbers in two ways.
    ['+74951234567', '+7 (8) 495 123-45-67', '+7 495 123-45-67'],
    ['+3612345678', '+36 (06) 1 234 5678', '+36 1 234 5678'],
    ['+12125550123', '+1 (1) 212 555-0123', '+1 (212) 555-0123', '+1.212.555.0123'],
    ['+5491123456789', '+54 11 15 2345 6789', '+54 9 11 2345 6789'],
    // Italy, San Marino, Gabon, Ivory Coast: the zero is part of the number.
    ['+390669821234', '+39 06 6982 1234', '+39 (0)6 6982 1234', '+39 (06) 69821234'],
    ['+3780549886377', '+378 0549 886377', '+378 886377'],
    ['+24106031234', '+241 06 03 12 34'],
    ['+2250701234567', '+225 07 01 23 45 67'],
    ['+80012345678', '+800 1234 5678'],
  ])('%s is one person, however the number is written', (number, ...spellings) => {
    for (const each of [number, ...spellings])
      expect([each, parseReference(`phone:${each}`)]).toEqual([each, { kind: 'phone', value: number }]);
  });

  it.each([
    '+39 6 6982 1234',
    '+1 (0) 212 555 0123',
    '+34 0 912345678',
    '+49 00 30 901820',
    '+52 1 55 1234 5678',
    '+49 30 901820 ext. 5',
    '+49 30 901820;ext=5',
    '+49 30 901820, +49 30 901821',
    'tel:+49-30-901820',
    '030 901820',
    '+49 30 901820 +',
    '+999 1234 5678',
  ])('%s is no number that can be dialled from everywhere, and is refused', (number) =>
    expect(parseReference(`phone:${number}`)).toMatchObject({ refused: true, code: 'subject_ref_invalid' }),
  );

  it.each([
    ['visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90', true],
    ['visitor_id:6d92078a-8246-4ba4-ae5b-76104861e7dc', true],
    ['device_id:Zk3-9fQ_1xVb7Lm2Rt8YwA', true],
    ['visitor_id:1234', false],
    ['visitor_id:00000000000000000000000000000000', false],
    ['email:ada@example.com', false],
    ['user_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90', false],
  ])('%s is a handle that cannot be guessed: %s', (text, anonymous) => {
    const read = parseReference(text);
    expect(!isRefusal(read) && isAnonymous(read)).toBe(anonymous);
  });
});

describe('a timestamp', () => {
  it.each([
    ['2026-11-21T12:00:00Z', '2026-11-21T12:00:00.000Z'],
    ['2026-11-21T13:00:00.5+01:00', '2026-11-21T12:00:00.500Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2026-11-21t12:00:00z', '2026-11-21T12:00:00.000Z'],
    ['2026-12-31T23:59:59Z', '2026-12-31T23:59:59.000Z'],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['9998-12-31T23:59:59.999Z', '9998-12-31T23:59:59.999Z'],
  ])('%s is %s', (text, instant) => expect(parseInstant(text)).toBe(instant));
  it.each([
    '2026-11-21',
    '2026-11-21T12:00:00',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T12:00:60Z',
    'now',
    '+012026-11-21T12:00:00Z',
    '1969-12-31T23:59:59.999Z',
    '1970-01-01T00:59:59+01:00',
    '0001-01-01T00:00:00Z',
    '9999-01-01T00:00:00Z',
    '2026-00-21T12:00:00Z',
    '2026-11-00T12:00:00Z',
    '2026-04-31T12:00:00Z',
    '2100-02-29T12:00:00Z',
    '2026-11-21T12:60:00Z',
    '2026-11-21T12:00:00Z ',
    ' 2026-11-21T12:00:00Z',
  ])('%s is none', (text) => expect(parseInstant(text)).toBeNull());

  it('moves on by milliseconds', () => {
    expect(plusMs('2026-11-21T12:00:00.000Z', 1500)).toBe('2026-11-21T12:00:01.500Z');
    expect(plusMs('2026-11-21T12:00:00.000Z', -1)).toBe('2026-11-21T11:59:59.999Z');
  });

  it('is read off the clock in the one form, and goes on with it', async () => {
    const before = Date.now();
    const first = systemClock();
    expect(epochMs(first)).toBeGreaterThanOrEqual(before);
    expect(parseInstant(first)).toBe(first);
    while (Date.now() < before + 5) await new Promise(setImmediate);
    const later = Date.now();
    expect(epochMs(systemClock())).toBeGreaterThanOrEqual(later);
    expect(epochMs(systemClock())).toBeLessThanOrEqual(Date.now());
  });
});

describe('ids', () => {
  const random = (count: number): Uint8Array => Uint8Array.from({ length: count }, (_, i) => i * 7);
  it('sort by the time they were made', () => expect(ulid(1, random(10)) < ulid(2, random(10))).toBe(true));
  it('are recognised by prefix and form', () => {
    const id = newId('rec', Date.UTC(2026, 10, 21), random);
    expect(isId('rec', id)).toBe(true);
    expect(isId('sub', id)).toBe(false);
    expect(sameUlid('rct', id).slice(4)).toBe(id.slice(4));
  });
  it('are made of their time and of what chance gave, by the alphabet of ULIDs', () => {
    expect(ulid(0, new Uint8Array(10))).toBe('0'.repeat(26));
    expect(ulid(2 ** 48 - 1, new Uint8Array(10).fill(255))).toBe(`7${'Z'.repeat(25)}`);
    expect(ulid(Date.UTC(2026, 10, 21), random(10))).toBe('01M7XPE600003GW58W4CN32E1Z');
  });
  it('tell when they were made', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (ms) =>
        expect(madeAtMs(newId('rec', ms, random))).toBe(ms),
      ),
    ));
  it('that follow from a name are always the same', () => {
    expect(derivedId('rec', 5, 'a')).toBe(derivedId('rec', 5, 'a'));
    expect(derivedId('rec', 5, 'a')).not.toBe(derivedId('rec', 5, 'b'));
    expect(uuidV5('a')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(uuidV5('a')).toBe(uuidV5('a'));
    // Every id of an event that was ever derived stays what it was: RFC 9562 over our name space.
    expect(uuidV5('a')).toBe('951c145e-f757-59d8-b9cf-0cf411d28e20');
  });
});

describe('canonical JSON', () => {
  it('orders members and leaves out what is undefined', () =>
    expect(canonicalJson({ b: [1, { d: null, c: undefined }], a: 'é' })).toBe('{"a":"é","b":[1,{"d":null}]}'));
  it('says the same for the same value, however it was built', () =>
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const shuffled = JSON.parse(JSON.stringify(value), (_, member: unknown) =>
          member && typeof member === 'object' && !Array.isArray(member)
            ? Object.fromEntries(Object.entries(member).reverse())
            : member,
        ) as unknown;
        expect(canonicalJson(shuffled)).toBe(canonicalJson(JSON.parse(JSON.stringify(value))));
      }),
    ));
  it.each([
    [NaN, 'a number that JSON cannot hold'],
    [Infinity, 'a number that JSON cannot hold'],
    ['\ud800', 'a string with a lone surrogate'],
    [10n, 'JSON cannot hold a bigint'],
  ])('refuses what JSON cannot say: %p', (value, why) =>
    expect(() => canonicalJson(value)).toThrow(new TypeError(why)),
  );
  it('is what a hash is made over', () =>
    // sha256 of the two bytes `{}`.
    expect(hashOf({ a: undefined })).toBe('sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'));
});

describe('a URL', () => {
  it('is read alike however often it was read before, and is null where there is none', () => {
    const last = Array.from({ length: 50_000 }, () => parseUrl('https://bücher.example/käse')?.href).at(-1);
    expect(last).toBe('https://xn--bcher-kva.example/k%C3%A4se');
    expect(['', '/path', 'https://', 'https://a b.example'].map(parseUrl)).toEqual([null, null, null, null]);
    const part = { b: [1, { d: null, c: undefined }], a: 'é' };
    expect(canonicalJson([{ y: new CanonicalText(part), x: 1 }])).toBe(canonicalJson([{ y: part, x: 1 }]));
  });
});

describe('stream names', () => {
  it('hold site, environment and a random id, and come apart again', () => {
    const scope = { site: 'my-shop', env: 'live' as const };
    const id = `sub_${ulid(0, new Uint8Array(10))}`;
    expect(subjectOfStream(subjectStream(scope, id))).toEqual({ ...scope, subjectId: id });
    expect(subjectOfStream('catalogue-demo.test')).toBeNull();
    expect(subjectOfStream(`x${subjectStream(scope, id)}`)).toBeNull();
    expect(subjectOfStream(`${subjectStream(scope, id)}x`)).toBeNull();
    expect([catalogueStream(scope), siteStream('my-shop')]).toEqual(['catalogue-my-shop.live', 'site-my-shop']);
  });
});
