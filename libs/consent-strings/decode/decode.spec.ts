import { describe, expect, it } from '@jest/globals';
import { GppModel } from '@iabgpp/cmpapi';
import fc from 'fast-check';
import { TC_STRING } from '../../../test/support/framework-strings.js';
import { encodeUsSection, gppString } from '../gpp/encode.js';
import { US_SECTIONS } from '../gpp/us-sections.js';
import { usValues } from '../gpp/us-values.js';
import { differencesOf } from './differences.js';
import { gppLines } from './gpp-lines.js';
import { readGppString } from './gpp-string.js';
import { countOf, idRanges, rangesOfIds, without, type IdRanges } from './id-ranges.js';
import { NO_NAMES, type StringLine } from './lines.js';
import { StringFault } from './string-fault.js';
import { tcLines } from './tc-lines.js';
import { readTcString } from './tc-string.js';

const TC = TC_STRING;
const USCA = 'DBABBg~BVWqqoCA.YA';
const TWO = 'DBABrw~CVQVAAAAAACA.YA~BVWqqoCA.YA';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Bits as a part of a string. */
const part = (bits: string): string =>
  (bits.match(/.{1,6}/g) ?? []).map((six) => ALPHABET[parseInt(six.padEnd(6, '0'), 2)]).join('');
const int = (value: number, width: number): string => value.toString(2).padStart(width, '0');

const read = (text: string): unknown =>
  text.startsWith('D') ? readGppString(text, 'string') : readTcString(text, 'string');
/** Where a text cannot be read; anything but a named fault is a failure. */
function faultOf(text: string): StringFault | null {
  try {
    read(text);
    return null;
  } catch (error) {
    if (error instanceof StringFault) return error;
    throw error;
  }
}

describe('a TC string', () => {
  it('that was published is read as it was explained', () => {
    const tc = readTcString(TC, 'string');
    expect(tc).toMatchObject({
      cmpId: 27,
      consentLanguage: 'EN',
      vendorListVersion: 15,
      policyVersion: 2,
      isServiceSpecific: false,
      purposeConsents: [1, 2, 3],
      purposeLegitimateInterests: [],
      publisherCountry: 'AA',
      vendorConsents: rangesOfIds([2, 6, 8]),
      vendorLegitimateInterests: rangesOfIds([2, 6, 8]),
      restrictions: [],
      publisher: null,
    });
    expect(countOf(tc.disclosedVendors!)).toBeGreaterThan(30);
    const { lines, warnings } = tcLines(tc, { ...NO_NAMES, vendor: (id) => (id === 6 ? 'Six' : null) });
    expect(lines).toContainEqual(
      expect.objectContaining({
        field: 'VendorConsents',
        value: '2, 6, 8',
        text: 'Consent for 3 vendors: 2, Six (6), 8.',
      }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ part: 'core', field: 'PurposesConsent[1]', value: '1', text: 'Consent to purpose 1.' }),
    );
    expect(warnings.join(' ')).toMatch(/IsServiceSpecific is 0.*whole days/);
  });

  /** A core that ends right before the vendors. */
  const core = (vendors: string): string =>
    part(
      int(2, 6) +
        '0'.repeat(72) +
        int(0, 12 + 12 + 6) +
        '0'.repeat(12) +
        int(1, 12) +
        int(5, 6) +
        '10' +
        '0'.repeat(60) +
        '0' +
        '0'.repeat(12) +
        vendors,
    );
  const noVendor = int(0, 17);

  it.each<[string, string, string]>([
    ['no text', '', 'string.core'],
    ['a character that base64url has not', 'CO%3D', 'string.core'],
    ['padding', 'COvFyGBOvFyGBAbAAAENAPCAAOAAAAAAAAAAAEEUACCKAAA=', 'string.core'],
    ['a string of TCF 1', 'BOEFEAyOEFEAyAHABDENAI4AAAB9vABAASA', 'string.core.Version'],
    ['a GPP string', 'DBABBg~BVWqqoCA.YA', 'string.core.Version'],
    ['nothing behind the version', 'CO', 'string.core.Created'],
    ['no vendors', core(''), 'string.core.VendorConsents.MaxVendorId'],
    ['more vendors than bits', core(int(65_535, 16) + '0'), 'string.core.VendorConsents.BitField'],
    [
      'an endless list of ranges',
      core(`${int(65_535, 16)}1${int(4095, 12)}`),
      'string.core.VendorConsents[0].StartOrOnlyVendorId',
    ],
    ['a vendor above the highest', core(`${int(5, 16)}1${int(1, 12)}0${int(6, 16)}`), 'string.core.VendorConsents[0]'],
    [
      'a range that runs backwards',
      core(`${int(9, 16)}1${int(1, 12)}1${int(8, 16)}${int(2, 16)}`),
      'string.core.VendorConsents[0]',
    ],
    ['vendor 0', core(`${int(9, 16)}1${int(1, 12)}0${int(0, 16)}`), 'string.core.VendorConsents[0]'],
    [
      'more restrictions than there are',
      core(noVendor + noVendor + int(4095, 12)),
      'string.core.PubRestrictions[0].PurposeId',
    ],
    [
      'a restriction of no kind',
      core(noVendor + noVendor + int(1, 12) + int(2, 6) + '11'),
      'string.core.PubRestrictions[0].RestrictionType',
    ],
    ['more behind the last field', `${core(noVendor + noVendor + int(0, 12))}AAAB`, 'string.core'],
    ['a segment of no kind', `${core(noVendor + noVendor + int(0, 12))}.4AAA`, 'string.segments[1].SegmentType'],
    ['a segment twice', `${core(noVendor + noVendor + int(0, 12))}.IAAA.IAAA`, 'string.segments[2].SegmentType'],
    ['more segments than there are kinds', `${core(noVendor + noVendor + int(0, 12))}.I.Y.Q.I`, 'string'],
  ])('with %s is refused at its field', (_, text, path) => {
    expect(() => readTcString(text, 'string')).toThrow(expect.objectContaining({ name: 'StringFault', path }));
  });

  it('with a sign that takes two places is refused with the whole sign', () =>
    expect(() => readTcString('CO🦄', 'string')).toThrow(
      expect.objectContaining({ message: expect.stringContaining('has "🦄" at its character 3') }),
    ));

  it('with every vendor that has a number, many times over, takes no more room than its ranges', () => {
    const whole = `1${int(1, 16)}${int(65_535, 16)}`;
    const tc = readTcString(
      core(`${int(65_535, 16)}1${int(1000, 12)}${whole.repeat(1000)}${noVendor}${int(0, 12)}`),
      'string',
    );
    expect(tc.vendorConsents).toEqual([[1, 65_535]]);
    const text = tcLines(tc, NO_NAMES).lines.find(({ field }) => field === 'VendorConsents')!.text;
    expect(text).toMatch(/^Consent for 65535 vendors: 1, 2, .*, 20 and 65515 more\.$/);
  });
});

describe('a GPP string', () => {
  it('that was published is read as it was explained', () => {
    expect(readGppString('DBAA', 'string')).toEqual([]);
    expect(readGppString('DBABTA~1YYN', 'string')).toMatchObject([{ name: 'uspv1', text: '1YYN' }]);
    expect(readGppString(`DBACNYA~${TC}~1YNN`, 'string').map(({ name }) => name)).toEqual(['tcfeuv2', 'uspv1']);
    expect(readGppString(USCA, 'string')).toMatchObject([{ id: 8, values: { Version: 1, SaleOptOut: 1, Gpc: true } }]);
    expect(readGppString(TWO, 'string').map(({ id }) => id)).toEqual([7, 8]);
  });

  it('of the library of the field says the same here', () => {
    for (const layout of US_SECTIONS.values()) {
      const model = new GppModel();
      const names = layout.core.map(({ name }) => name).filter((name) => name !== 'Version' && name !== 'MspaVersion');
      const values = usValues(layout, { purposes: [], gpc: true, mspa: { covered: true, mode: 'SERVICE_PROVIDER' } });
      for (const name of names) model.setFieldValue(layout.name, name, values[name]);
      if (layout.behind === 'GPC') model.setFieldValue(layout.name, 'Gpc', true);
      expect(readGppString(model.encode(), 'string')).toMatchObject([{ name: layout.name, values }]);
    }
  });

  /** As cmpapi 3.1.0 to 3.2.0 and the Java library wrote them. */
  it.each<[string, Record<string, unknown>, string[]]>([
    [
      'DBABLA~BVVqqqqqqpA.YA',
      { Version: 1, SensitiveDataProcessing: Array(12).fill(2), MspaServiceProviderMode: 1 },
      [],
    ],
    [
      'DBABLA~BVQVAAAAAAGA.YA',
      { Version: 1, SensitiveDataProcessing: Array(16).fill(0), PersonalDataConsents: 1, MspaCoveredTransaction: 2 },
      ['Version is 1, and the section has the length of version 2'],
    ],
    [
      'DBABLA~BVAoAAAAAABk.QA',
      { Version: 1, KnownChildSensitiveDataConsents: [0, 0, 0], MspaOptOutOptionMode: 2, MspaServiceProviderMode: 1 },
      ['Version is 1, and the section has the length of version 2'],
    ],
    [
      'DBABLA~BVVKqqqqqoCA',
      { Version: 1, SensitiveDataProcessing: Array(16).fill(2), KnownChildSensitiveDataConsents: [2, 0, 0] },
      ['Version is 1, and the section has the length of version 2'],
    ],
    [
      'DBABrw~BAAAAAAAAABA.QA~BAAAAABA.QA',
      { Version: 1, MspaCoveredTransaction: 1 },
      ['Version is 1, and the section has the length of version 2'],
    ],
    [
      'DBABLA~CAAAAAAAAQA.QA',
      { Version: 2, SensitiveDataProcessing: Array(12).fill(0), MspaCoveredTransaction: 1 },
      ['Version is 2, and the section has the length of version 1'],
    ],
    [
      'DBABL~CAAAAAAAAA.Q',
      { Version: 2, MspaCoveredTransaction: 0 },
      [
        'Version is 2, and the section has the length of version 1',
        'MspaCoveredTransaction is 0, which is no value of it',
      ],
    ],
  ])('%s, as an official library wrote it, is read by its length', (text, values, warnings) => {
    const sections = readGppString(text, 'string');
    expect(sections[0]).toMatchObject({ name: 'usnat', values });
    expect(gppLines(sections, NO_NAMES).warnings).toEqual(
      warnings.map((warning) => expect.stringContaining(`usnat: ${warning}`)),
    );
  });

  it('of an unknown section is explained as far as it can be', () => {
    const { lines, warnings } = gppLines(
      readGppString(gppString([{ id: 40, text: 'Zz.~'.slice(0, 2) }]), 'string'),
      NO_NAMES,
    );
    expect(lines).toMatchObject([{ part: 'section 40', value: 'Zz' }]);
    expect(warnings).toHaveLength(1);
  });

  it.each<[string, string, string]>([
    ['a TC string', TC, 'string.header.Type'],
    ['another version', 'DCAA', 'string.header.Version'],
    ['a section that is not there', 'DBABBg', 'string.header.Sections'],
    ['a section too many', `${USCA}~AAAA`, 'string.header.Sections'],
    [
      'a number of a section that cannot be',
      `${part(int(3, 6) + int(1, 6) + int(1, 12) + '0' + '0'.repeat(40) + '11')}~A`,
      'string.header.Sections[0]',
    ],
    [
      'a range of all sections',
      `${part(int(3, 6) + int(1, 6) + int(1, 12) + `111${'0'.repeat(15)}11`)}~A`,
      'string.header.Sections[0]',
    ],
    ['endless sections', `${part(int(3, 6) + int(1, 6) + int(4095, 12))}~A`, 'string.header.Sections'],
    ['a section that is cut off', 'DBABBg~BVW', 'string.usca.SensitiveDataProcessing[2]'],
    ['a section of another version', 'DBABBg~CVWqqoCA.YA', 'string.usca.Version'],
    ['a national section of a version to come', 'DBABLA~DAAAAAAAAABA.QA', 'string.usnat.Version'],
    ['a national section of a version to come, as short as the first', 'DBABLA~DAAAAAAAAQA.QA', 'string.usnat.Version'],
    ['a national section without a version', 'DBABLA~AAAAAAAAAABA.QA', 'string.usnat.Version'],
    ['a national section that is cut off', 'DBABLA~CVQVAAAAA', 'string.usnat.SensitiveDataProcessing[16]'],
    ['a first national section that is cut off', 'DBABLA~BVQVAAAAA', 'string.usnat.MspaCoveredTransaction'],
    ['a national section that is empty', 'DBABLA~', 'string.usnat'],
    ['a national section that lost its last character', 'DBABLA~CVQVAAAAAAq', 'string.usnat'],
    ['more behind a national section', 'DBABLA~CVQVAAAAAACAB.YA', 'string.usnat'],
    ['a signal of another type', 'DBABBg~BVWqqoCA.AA', 'string.usca.SubsectionType'],
    ['more behind the signal', 'DBABBg~BVWqqoCA.YB', 'string.usca'],
    ['a third part', 'DBABBg~BVWqqoCA.YA.YA', 'string.usca'],
    ['a part that Virginia has not', 'DBABRg~BAAAACA.YA', 'string.usva'],
    ['a US Privacy String that is none', 'DBABTA~1YYX', 'string.uspv1'],
    ['a TC string that is cut off', 'DBABMA~COvFyGBO', 'string.tcfeuv2.core.LastUpdated'],
  ])('with %s is refused at its field', (_, text, path) => {
    expect(() => readGppString(text, 'string')).toThrow(
      expect.objectContaining({ name: 'StringFault', path: expect.stringContaining(path) }),
    );
  });

  it('that breaks the rules gets a warning', () => {
    const values = {
      ...usValues(US_SECTIONS.get(8)!, { purposes: [], gpc: false, mspa: { covered: false, mode: null } }),
    };
    const text = encodeUsSection(US_SECTIONS.get(8)!, {
      ...values,
      SaleOptOut: 1,
      PersonalDataConsents: 3,
      MspaCoveredTransaction: 0,
    });
    const { warnings } = gppLines(readGppString(gppString([{ id: 8, text }]), 'string'), NO_NAMES);
    expect(warnings).toEqual([
      'usca: PersonalDataConsents has the value 3, which is undefined.',
      'usca: SaleOptOut is 1 although no notice of it was given.',
      'usca: MspaCoveredTransaction is 0, which is no value of it.',
    ]);
  });
});

describe('whatever is sent', () => {
  const hostile = fc.oneof(
    fc.string({ unit: fc.constantFrom(...ALPHABET, '.', '~'), maxLength: 400 }),
    fc.string({ maxLength: 60 }),
    // One character of a good string is another, or gone, or the string ends there.
    fc
      .tuple(
        fc.constantFrom(TC, USCA, TWO, `DBACNYA~${TC}~1YNN`),
        fc.nat(),
        fc.constantFrom('', ...ALPHABET, '.', '~', '%', 'é'),
        fc.boolean(),
      )
      .map(([text, place, other, ends]) => {
        const at = place % text.length;
        return text.slice(0, at) + other + (ends ? '' : text.slice(at + 1));
      }),
    fc
      .tuple(fc.constantFrom('C', 'DB'), fc.constantFrom('A', '_', '~', '.', 'w'), fc.integer({ min: 1, max: 8000 }))
      .map(([begin, filling, length]) => begin + filling.repeat(length)),
  );

  it('is read, or refused at a named field with a hint', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const fault = faultOf(text);
        if (fault === null) return;
        expect(fault.path).toMatch(/^string[.\w[\]]*$/);
        expect(fault.message.length).toBeGreaterThan(5);
        expect(fault.message.length + fault.hint.length).toBeLessThan(300);
      }),
      { numRuns: 2000 },
    );
  });

  it('is explained in lines whose number and length do not depend on what it claims', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        if (faultOf(text) !== null) return;
        const { lines } = text.startsWith('D')
          ? gppLines(readGppString(text, 'string'), NO_NAMES)
          : tcLines(readTcString(text, 'string'), NO_NAMES);
        expect(JSON.stringify(lines).length).toBeLessThan(10_000 + 30 * text.length);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the differences between two strings', () => {
  const line = (field: string, value: string, more: Partial<StringLine> = {}): StringLine => ({
    ...{ part: 'core', field, value, text: `${field} is ${value}.`, kind: 'CHOICE' },
    ...more,
  });

  it('are those of what was chosen, by field, and not those of who made them when', () => {
    const said = [line('A', '1'), line('B', '1'), line('Created', '2026', { kind: 'CONTEXT' })];
    const holds = [line('A', '1'), line('B', '0'), line('C', '1'), line('Created', '2027', { kind: 'CONTEXT' })];
    expect(differencesOf(said, holds, NO_NAMES)).toEqual([
      { part: 'core', field: 'B', said: '1', holds: '0', text: 'B is 1. Today: B is 0.' },
      { part: 'core', field: 'C', said: null, holds: '1', text: 'The string says nothing of it. Today: C is 1.' },
    ]);
    expect(differencesOf(said, said, NO_NAMES)).toEqual([]);
  });

  it('of a whole part are one', () => {
    const both = differencesOf([line('A', '1')], [line('A', '1', { part: 'usca' })], NO_NAMES);
    expect(both).toMatchObject([
      { part: 'core', field: null, said: 'present', holds: null },
      { part: 'usca', field: null, said: null, holds: 'present' },
    ]);
  });

  it('of vendors name those that only one of the two has', () => {
    const vendors = (ids: number[]) => ({ ...line('VendorConsents', ids.join(', ')), vendors: rangesOfIds(ids) });
    const [difference] = differencesOf([vendors([1, 2, 3])], [vendors([2, 3, 4])], {
      ...NO_NAMES,
      vendor: (id) => `V${id}`,
    });
    expect(difference).toMatchObject({ said: '1, 2, 3', holds: '2, 3, 4' });
    expect(difference!.text).toBe('Only in the string: 1 vendor: V1 (1). Only today: 1 vendor: V4 (4).');
  });

  it('of ranges are those of their ids', () => {
    const ranges = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 40 }), fc.nat(8)).map(([first, more]) => [first, first + more] as const),
      { maxLength: 8 },
    );
    const idsOf = (of: IdRanges) =>
      of.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
    fc.assert(
      fc.property(ranges, ranges, (some, others) => {
        const [a, b] = [idRanges(some), idRanges(others)];
        expect(idsOf(a)).toEqual([...new Set(idsOf(some))].sort((x, y) => x - y));
        expect(idsOf(without(a, b))).toEqual(idsOf(a).filter((id) => !idsOf(b).includes(id)));
        expect(countOf(a)).toBe(idsOf(a).length);
      }),
      { numRuns: 200 },
    );
  });
});
