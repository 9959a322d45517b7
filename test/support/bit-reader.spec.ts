import { describe, expect, it } from '@jest/globals';
import { BitReader, readTcString } from './bit-reader.js';

/** What IAB Tech Lab's specification and the tests of its libraries publish. */
describe('the reader that strings are held against', () => {
  it('reads the string of the specification as it is published', () => {
    const { core, disclosed, publisher, segments } = readTcString(
      'COvFyGBOvFyGBAbAAAENAPCAAOAAAAAAAAAAAEEUACCKAAA.IFoEUQQgAIQwgIwQABAEAAAAOIAACAIAAAAQAIAgEAACEAAAAAgAQBAAAAAAAGBAAgAAAAAAAFAAECAAAgAAQARAEQAAAAAJAAIAAgAAAYQEAAAQmAgBC3ZAYzUw',
    );
    expect(core).toEqual({
      version: 2,
      created: new Date(1_582_243_059_300),
      lastUpdated: new Date(1_582_243_059_300),
      cmpId: 27,
      cmpVersion: 0,
      consentScreen: 0,
      consentLanguage: 'EN',
      vendorListVersion: 15,
      policyVersion: 2,
      isServiceSpecific: false,
      useNonStandardTexts: false,
      specialFeatures: [],
      purposeConsents: [1, 2, 3],
      purposeLegitimateInterests: [],
      purposeOneTreatment: false,
      publisherCountry: 'AA',
      vendorConsents: [2, 6, 8],
      vendorLegitimateInterests: [2, 6, 8],
      restrictions: [],
    });
    expect([segments, publisher, disclosed!.slice(0, 3)]).toEqual([[1], null, [2, 6, 8]]);
  });

  it('reads vendors in entries and in fields, and what the publisher says', () => {
    const { core, disclosed, allowed, publisher, segments } = readTcString(
      'COtybn4PA_zT4KjACBENAPCIAEBAAECAAIAAAAAAAAAA.IBAgAAAgAIAwgAgAAAAEAAAACA.QAagAQAgAIAwgA.cAAAAAAAITg',
    );
    expect(core).toMatchObject({
      created: new Date('2020-01-26T17:01:00.000Z'),
      lastUpdated: new Date('2021-02-02T17:01:00.000Z'),
      cmpId: 675,
      cmpVersion: 2,
      consentScreen: 1,
      vendorListVersion: 15,
      purposeOneTreatment: true,
      publisherCountry: 'AA',
    });
    expect(segments).toEqual([1, 2, 3]);
    expect(disclosed).toEqual([23, 37, 47, 48, 53, 65, 98, 129]);
    expect(allowed).toEqual([12, 23, 37, 47, 48, 53]);
    expect(publisher).toEqual({
      consents: [1],
      legitimateInterests: [24],
      customPurposes: 2,
      customConsents: [2],
      customLegitimateInterests: [1, 2],
    });
  });

  it('reads restrictions', () => {
    const nothing = '0000000000000000000';
    const bits = [
      ...['0000100011101011100', '1000000000000001010', '0000001110101110010', '0000000000000101000'],
      ...['0000110011111000000', '0000000000000000100', '0011010000000011110', '0001000000000000000'],
      ...[nothing, nothing, nothing, nothing, nothing, '000000000011'],
      ...['000001', '01', '000000000001', '0', '0000000000000001'],
      ...['000010', '00', '000000000001', '0', '0000000000000010'],
      ...['000011', '10', '000000000001', '0', '0000000000000011'],
    ].join('');
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const segment = bits
      .padEnd(Math.ceil(bits.length / 24) * 24, '0')
      .match(/.{6}/g)!
      .map((six) => alphabet[Number.parseInt(six, 2)])
      .join('');
    expect(readTcString(segment).core.restrictions).toEqual([
      { purpose: 1, type: 1, vendors: [1] },
      { purpose: 2, type: 0, vendors: [2] },
      { purpose: 3, type: 2, vendors: [3] },
    ]);
  });

  it('refuses what ends too early, goes on too long, or is no base64url', () => {
    expect(() => readTcString('COvFyGBOvFyGBAbAAAENAPCAAOAAAAAAAAAAAEEUACC')).toThrow('ends within a field');
    expect(() => readTcString('COvFyGBOvFyGBAbAAAENAPCAAOAAAAAAAAAAAEEUACCKAAAB')).toThrow('behind the fields');
    expect(() => new BitReader('C=')).toThrow('no base64url');
  });
});
