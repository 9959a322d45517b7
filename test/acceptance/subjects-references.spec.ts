import http from 'node:http';
import { refused, subjectPath, subjectsIn } from '../support/subjects.js';
import { startWorld, type World } from '../support/world.js';

/*
 * Whom a reference means: the published rules of normalisation, tried over HTTP, in bodies and in paths. Two spellings
 * of one person must find one subject, and two persons never one.
 */

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await world.request('POST', '/admin/v1/sites', {
    key: 'operator',
    body: {
      site: world.demo.site,
      name: 'Demo Shop',
      identifierKinds: ['custom.loyalty_card', 'custom.a', 'custom.b'],
    },
  });
});
afterAll(() => world?.stop());

const { create, get, post } = subjectsIn(() => world);
const UUID = '6F1C5F0E-6B0A-4D3C-9A5E-7C1B2D4E8F90';
const ACUTE = '\u0301';

describe('spellings of one identifier', () => {
  test.each<[kind: string, normalised: string, ...spellings: string[]]>([
    [
      'email',
      'ada@example.org',
      'Ada@Example.ORG',
      ' ada@example.org\u00a0',
      'ＡＤＡ＠ｅｘａｍｐｌｅ．ｏｒｇ',
      'ada@example。org',
    ],
    [
      'email',
      'ada@xn--bcher-kva.example',
      'ada@bücher.example',
      'ada@BÜCHER.example',
      'ada@bu\u0308cher.example',
      'ADA@XN--BCHER-KVA.example',
    ],
    ['email', 'ada@xn--strae-oqa.example', 'ada@straße.example', 'ada@STRAẞE.example'],
    ['email', 'ada@xn--r8jz45g.xn--zckzah', 'ada@例え.テスト'],
    ['email', 'jos\u00e9@example.org', `jose${ACUTE}@example.org`, 'JOSÉ@example.org'],
    ['email', 'fi@ligature.example', '\ufb01@ligature.example'],
    ['email', 'ada.lovelace+shop@plus.example', 'Ada.Lovelace+Shop@plus.example'],
    ['email', 'عادة@example.org', ' عادة@EXAMPLE.org'],
    ['email', '😀@emoji.example', '😀@EMOJI.example'],
    ['phone', '+4312345678', '+43 1 234 5678', '+43-1-234-5678', '+43 (1) 234.56/78', ' +4312345678 '],
    ['idfa', UUID.toLowerCase(), UUID, ` ${UUID} `],
    ['gaid', UUID.toLowerCase(), UUID],
    ['idfv', UUID.toLowerCase(), UUID],
    ['phone', '+4930901821', '+49 (0)30 901821', '+49 030 901821', '＋49 30 901821', '+49‑30‑901821'],
    ['phone', '+390669821234', '+39 06 6982 1234', '+39 (0)6 6982 1234'],
    ['user_id', 'Grüße', ' Grüße\u3000', '\u200bGrüße\ufeff', 'Gru\u0308ße'],
    ['user_id', 'שלום', '\u200fשלום'],
    ['external_id', 'a:b:c', ' a:b:c '],
    ['external_id', 'No. 17', 'No.\u00a017', 'No.\u202f17'],
    ['device_id', UUID.toLowerCase(), UUID],
    ['custom.loyalty_card', 'No. 17/4', ' No. 17/4 '],
  ])('%s %s', async (kind, normalised, ...spellings) => {
    const first = await create([{ kind, value: normalised }]);
    expect([first.status, first.body.identifiers?.[0]?.value]).toEqual([201, normalised]);
    for (const value of spellings) {
      const again = await create([{ kind, value }]);
      expect([value, again.status, again.body.id]).toEqual([value, 200, first.body.id]);
      expect([value, (await get(`${kind}:${value}`)).body.id]).toEqual([value, first.body.id]);
    }
  });
});

describe('identifiers that only look alike', () => {
  test.each<[kind: string, ...values: string[]]>([
    ['email', 'a.da@alike.example', 'ada@alike.example', 'ada+1@alike.example', 'ada@alike.example.org'],
    ['email', 'eve@strasse.example', 'eve@straße.example'],
    // Cyrillic а, and a dotless i.
    ['email', 'pay@alike.example', 'pаy@alike.example', 'payı@alike.example'],
    ['phone', '+4312345678901', '+431234567890'],
    ['user_id', 'A', 'a', 'ａ', 'A A', 'A  A'],
    ['user_id', '👩‍👩‍👧', '👩👩👧'],
    ['user_id', 'علی\u200cرضا', 'علیرضا'],
    ['external_id', 'a:b', 'a', 'b', ':a:b', 'a:b:'],
    ['external_id', 'a/b', 'a%2Fb', 'a%252Fb', 'a b', 'a+b', 'a%20b'],
    [
      'external_id',
      '../x',
      '..',
      '.',
      '%2e%2e',
      '?',
      '#',
      '&',
      '"',
      "'",
      '\\',
      'nullable',
      'NULL',
      '0',
      '00',
      '__proto__',
      'constructor',
    ],
    ['external_id', "'; drop table vault.identifiers; --", '{{7*7}}', '%00', '\\u0000'],
  ])('of %s are different subjects', async (kind, ...values) => {
    const ids: string[] = [];
    for (const value of values) {
      const { status, body } = await create([{ kind, value }]);
      expect([value, status, body.identifiers?.[0]?.value]).toEqual([
        value,
        201,
        kind === 'email' ? expect.any(String) : value,
      ]);
      ids.push(body.id as string);
    }
    expect(new Set(ids).size).toBe(values.length);
    for (const [i, value] of values.entries())
      expect([value, (await get(`${kind}:${value}`)).body.id]).toEqual([value, ids[i]]);
  });

  test('by the same value of different kinds are different subjects', async () => {
    const kinds = ['user_id', 'external_id', 'visitor_id', 'device_id', 'custom.a', 'custom.b'];
    const ids = new Set<unknown>();
    for (const kind of kinds) ids.add((await create([{ kind, value: 'the same' }])).body.id);
    expect(ids.size).toBe(kinds.length);
  });
});

describe('what is no identifier', () => {
  test.each<[kind: string, ...values: string[]]>([
    [
      'email',
      'ada',
      '@example.org',
      'ada@',
      'ada@localhost',
      'a da@example.org',
      'ada@exa mple.org',
      'ada@@example.org',
      '<ada@example.org>',
      '"ada"@example.org',
      `${'x'.repeat(65)}@example.org`,
      `ada@${'x.'.repeat(126)}example`,
      'ada@example..org',
      'ada@[127.0.0.1]',
      'ada@example.org,eve@example.org',
      'mailto:ada@example.org',
      'Ada <ada@example.org>',
      'ada@example.org.',
      'ada@example.org?subject=hi',
      'ada@example.org/',
      'ada@ex%61mple.org',
      'ada@127.0.0.1',
      'a\u200bda@example.org',
    ],
    [
      'phone',
      '12345678',
      '0043 1 234 5678',
      '+0123456789',
      '+1234567',
      '+1234567890123456',
      '+43 1 234 567 ext 8',
      '+39 6 6982 1234',
      '+1 (0) 212 555 0123',
      'tel:+43-1-234-5678',
      '+43 1 234 5678, +43 1 234 5679',
      '+٤٣١٢٣٤٥٦٧٨',
      '+',
    ],
    ['idfa', 'x', UUID.slice(1), UUID.replaceAll('-', ''), `{${UUID}}`, UUID.replace(/[^-]/g, '0')],
    ['gaid', UUID.replace(/[^-]/g, '0'), UUID.replace(/[^-]/g, 'F')],
    ['device_id', UUID.replace(/[^-]/g, '0')],
    ['user_id', 'undefined', 'null', '[object Object]', 'M\ufffdller', 'a\u200bb', 'a\u200db', 'a\u2060b'],
    ['user_id', ' ', '\u00a0\u3000', 'a\nb', 'a\tb', 'a\u007fb', 'a\u0085b', 'a\u2028b', 'x'.repeat(701)],
  ])('is refused as %s', async (kind, ...values) => {
    for (const value of values)
      expect([value, ...refused(await create([{ kind, value }]))]).toEqual([
        value,
        400,
        'subject_ref_invalid',
        'identifiers[0]',
      ]);
  });

  test.each(['\\ud800', '\\udc00x', '\\u0000'])(
    'text that no database holds is refused in any field: %s',
    async (escaped) => {
      expect(
        refused(
          await world.request('POST', '/v1/subjects', {
            raw: `{"identifiers":[{"kind":"user_id","value":"a${escaped}"}]}`,
          }),
        ),
      ).toEqual([422, 'validation_failed', 'identifiers[0].value']);
      expect((await world.request('GET', '/v1/subjects/user_id%3Aa%00')).body.code).toBe('subject_ref_invalid');
    },
  );

  test.each([
    '',
    'Custom',
    'custom.',
    'custom.9',
    'custom.Ab',
    `custom.${'a'.repeat(41)}`,
    'custom.a-b',
    'EMAIL',
    'mail',
    'subject ',
  ])('an unknown kind is refused: "%s"', async (kind) => {
    const { status, body } = await create([{ kind, value: 'x' }]);
    expect([status, ['identifier_kind_unknown', 'validation_failed']]).toEqual([
      422,
      expect.arrayContaining([body.code]),
    ]);
    if (kind !== '') expect((await get(`${kind}:x`)).body.code).toBe('identifier_kind_unknown');
  });
});

describe('a value of 700 characters', () => {
  test.each([
    ['letters', 'x'],
    ['two-byte letters', 'ü'],
    ['three-byte letters', '例'],
  ])('of %s is found in a body and in a path; one more is refused', async (_, letter) => {
    const value = letter.repeat(700);
    const { status, body } = await create([{ kind: 'external_id', value }]);
    expect([status, body.identifiers[0].value]).toEqual([201, value]);
    expect((await get(`external_id:${value}`)).body.id).toBe(body.id);
    expect((await world.recorded({ subject: `external_id:${value}` }, { key: 'sk' })).body.subject.id).toBe(body.id);
    expect(refused(await get(`external_id:${value}${letter}`)).slice(0, 2)).toEqual([400, 'subject_ref_invalid']);
  });

  test('is counted in UTF-16 units, after trimming', async () => {
    expect((await create([{ kind: 'user_id', value: '😀'.repeat(350) }])).status).toBe(201);
    expect((await create([{ kind: 'user_id', value: '😀'.repeat(351) }])).status).toBe(400);
    expect((await create([{ kind: 'user_id', value: ` ${'y'.repeat(700)} ` }])).body.identifiers[0].value).toHaveLength(
      700,
    );
  });
});

describe('a reference in a path', () => {
  /** As it stands, byte for byte. */
  const raw = (segment: string): Promise<{ status: number; body: Record<string, unknown> }> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(world.url);
      const request = http.request(
        {
          hostname,
          port,
          path: `/v1/subjects/${segment}`,
          headers: { Authorization: `Bearer ${world.demo.secretKey}` },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.on('end', () =>
            resolve({ status: response.statusCode!, body: JSON.parse(text) as Record<string, unknown> }),
          );
        },
      );
      request.on('error', reject).end();
    });

  test('is percent-decoded once, and split at the first colon', async () => {
    const idOf = async (value: string): Promise<unknown> => (await create([{ kind: 'external_id', value }])).body.id;
    const [slash, percent, twice, plus, colons] = [
      await idOf('p/q'),
      await idOf('100%'),
      await idOf('p%2Fq'),
      await idOf('p+q'),
      await idOf('p:q:r'),
    ];
    const found: [string, unknown][] = [
      ['external_id%3Ap%2Fq', slash],
      ['external_id:p%2fq', slash],
      ['external_id:100%25', percent],
      ['external_id%3Ap%252Fq', twice],
      ['external_id:p+q', plus],
      ['external_id:p%2Bq', plus],
      ['external_id:p:q:r', colons],
      ['external_id%3Ap%3Aq%3ar', colons],
      ['external%5Fid:p:q:r', colons],
    ];
    for (const [segment, id] of found) expect([segment, (await raw(segment)).body['id']]).toEqual([segment, id]);
  });

  test.each(['external_id:100%', 'external_id:%zz', 'external_id:%ff', 'external_id:%c3', 'external_id:%ed%a0%80'])(
    'that cannot be decoded is refused: %s',
    async (segment) => {
      const { status, body } = await raw(segment);
      expect([status, body['code']]).toEqual([400, 'subject_ref_invalid']);
    },
  );

  test.each(['nobody', ':x', 'email', 'email:', '%20', 'sub_01', `email:${'x'.repeat(800)}@example.org`])(
    'that is none is refused: %s',
    async (ref) => expect(refused(await get(ref)).slice(0, 2)).toEqual([400, 'subject_ref_invalid']),
  );

  test('reaches the same subject in every operation', async () => {
    const value = 'weird: %2F/ü?#&+ 😀';
    const ref = `external_id:${value}`;
    const {
      body: { id },
    } = await create([{ kind: 'external_id', value }]);
    expect((await world.recorded({ subject: ref }, { key: 'sk' })).body.subject.id).toBe(id);
    expect((await world.request('GET', subjectPath(ref, '/consent'))).body.subject.id).toBe(id);
    expect((await world.request('GET', subjectPath(ref, '/consent/history'))).body.data).toHaveLength(1);
    expect((await post(subjectPath(ref, '/identifiers'), { kind: 'user_id', value })).body.id).toBe(id);
    expect((await post(subjectPath(ref, '/restrict'), {})).body.id).toBe(id);
    expect((await post(subjectPath(ref, '/lift-restriction'), {})).body.id).toBe(id);
    expect(
      (
        await post('/v1/subjects/merge', {
          sources: [ref],
          target: (await create([{ kind: 'user_id', value: 'another' }])).body.id,
        })
      ).body.merged,
    ).toEqual([id]);
    expect((await post(subjectPath(ref, '/erase'), {})).body.receipt.erased.subjects).toContain(id);
  });
});
