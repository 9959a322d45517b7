import { describe, expect, it } from '@jest/globals';
import {
  SENSITIVE_WORDS,
  US_SECTION_TEXTS,
  type SensitiveWord,
  type UsSectionText,
} from '../../../test/support/us-section-texts.js';
import { SENSITIVE_KINDS, type SensitiveKind } from '../../catalogue/index.js';
import { readGppString } from '../decode/gpp-string.js';
import { usLines } from '../decode/us-lines.js';
import { encodeUsSection, gppString } from './encode.js';
import { US_NATIONAL_V1, US_SECTIONS, type UsSection } from './us-sections.js';
import { usValues, type UsFacts, type UsPurpose } from './us-values.js';

const layoutOf = ({ id, version }: UsSectionText): UsSection =>
  [US_NATIONAL_V1, ...US_SECTIONS.values()].find((each) => each.id === id && each.version === version)!;
const placesOf = ({ sensitive }: UsSectionText): SensitiveWord[][] =>
  sensitive === '' ? [] : sensitive.split(' ').map((place) => place.split('+') as SensitiveWord[]);
const named = US_SECTION_TEXTS.map((text) => [`${text.name} ${text.version}`, text] as const);

/** Every kind of sensitive data is used and disclosed; the person permits some and refuses all others. */
const permitting = (permitted: readonly SensitiveKind[]): UsFacts => ({
  gpc: false,
  mspa: { covered: false, mode: null },
  purposes: SENSITIVE_KINDS.map((kind): UsPurpose => {
    const isPermitted = permitted.includes(kind);
    return { categories: [`SENSITIVE_${kind}`], isNoticed: true, isAllowed: isPermitted, isConsented: isPermitted };
  }),
});

describe('the texts of the sections', () => {
  it('are written off for every section that there is here', () => {
    const known = [US_NATIONAL_V1, ...US_SECTIONS.values()].map(({ id, name, version }) => ({ id, name, version }));
    expect(US_SECTION_TEXTS.map(({ id, name, version }) => ({ id, name, version }))).toEqual(known);
  });

  it('name every kind that the catalogue knows', () =>
    expect(Object.values(SENSITIVE_WORDS).map(([kind]) => kind)).toEqual([...SENSITIVE_KINDS]));

  it.each(named)('%s: what is permitted of sensitive data stands in its place, and in no other', (_, text) => {
    const layout = layoutOf(text);
    const places = placesOf(text).map((words) => words.map((word) => SENSITIVE_WORDS[word][0]));
    for (const permitted of [...SENSITIVE_KINDS.map((kind) => [kind]), ...places, []]) {
      const values = usValues(layout, permitting(permitted));
      const expected = places.map((kinds) => (kinds.every((kind) => permitted.includes(kind)) ? 2 : 1));
      if (places.length > 0)
        expect({ permitted, said: values['SensitiveDataProcessing'] }).toEqual({ permitted, said: expected });
      const read = readGppString(gppString([{ id: text.id, text: encodeUsSection(layout, values) }]), 'string');
      expect(read).toMatchObject([{ layout, values }]);
    }
  });

  it.each(named)('%s: the value of a place is explained in the words of that place', (_, text) => {
    const layout = layoutOf(text);
    const { lines } = usLines(layout, usValues(layout, permitting(SENSITIVE_KINDS)));
    const textsOf = (field: string): string[] =>
      lines.filter((line) => line.field === field || line.field.startsWith(`${field}[`)).map((line) => line.text);
    const verb = text.by === 'OPT_OUT' ? 'Did not opt out of' : 'Consent to';
    expect(textsOf('SensitiveDataProcessing')).toEqual(
      placesOf(text).map(
        (words) => `${verb} the use of sensitive data: ${words.map((word) => SENSITIVE_WORDS[word][1]).join('; ')}.`,
      ),
    );
    expect(textsOf('KnownChildSensitiveDataConsents')).toEqual(
      text.children.map((child) => `Consent to ${child}: does not apply.`),
    );
  });

  it.each(named)('%s: SharingNotice is a notice of what the text says', (_, text) => {
    const layout = layoutOf(text);
    // Sensitive data are used, and nothing is sold or shared.
    const values = usValues(layout, permitting([]));
    const line = usLines(layout, values).lines.find(({ field }) => field === 'SharingNotice');
    expect(line?.text).toBe(
      {
        none: undefined,
        sharing: 'Notice of the sharing of personal data with others: does not apply.',
        processing: 'Notice of the processing of personal data was given.',
      }[text.sharingNotice ?? 'none'],
    );
  });

  it('of Delaware has transgender or nonbinary in its last place', () =>
    expect(usValues(US_SECTIONS.get(17)!, permitting(['TRANSGENDER']))['SensitiveDataProcessing']).toEqual([
      1, 1, 1, 1, 1, 1, 1, 1, 2,
    ]));
});
