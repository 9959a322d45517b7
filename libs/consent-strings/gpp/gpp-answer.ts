import { sectionsFor, US_CATEGORIES, type UsCategory } from '../../catalogue/index.js';
import type { Standing } from '../standing/standing.js';
import { encodeUsSection, gppString, type EncodedSection } from './encode.js';
import { US_SECTIONS } from './us-sections.js';
import { usValues, type UsFacts, type UsValues } from './us-values.js';

export const TCF_EU_SECTION = 2;

/** A GPP string with its content. */
export interface GppAnswer {
  gppString: string;
  /** Sections of the string, ascending. */
  sectionIds: number[];
  /** Sections that apply at the place, ascending. */
  applicableSections: number[];
  /** US sections by name; their fields by the names of the specifications. */
  parsed: Record<string, UsValues>;
  /** Whether Global Privacy Control is on. */
  gpc: boolean;
}

/**
 * The GPP string of a subject ("Global Privacy Platform String" of IAB Tech Lab, 1.0). `isDisclosed`: whether the
 * banner shows a purpose. `tcString`: called if the section of IAB TCF applies, and put in unchanged; null if no string
 * can be made, and then the section is missing. Canada's section is never in, because this service has no vendor list
 * for it.
 */
export function gppAnswer(
  standing: Standing,
  isDisclosed: (key: string) => boolean,
  tcString: () => string | null,
): GppAnswer {
  const { dated, settings, gpc } = standing;
  const applicableSections = sectionsFor(dated.rule.gppSections, dated.place?.code ?? null, settings.gpp);
  const facts = usFacts(standing, isDisclosed);
  const parsed: Record<string, UsValues> = {};
  const sections = applicableSections.flatMap((id): EncodedSection[] => {
    const section = US_SECTIONS.get(id);
    if (section) {
      const values = usValues(section, facts);
      parsed[section.name] = values;
      return [{ id, text: encodeUsSection(section, values) }];
    }
    const text = id === TCF_EU_SECTION ? tcString() : null;
    return text === null ? [] : [{ id, text }];
  });
  return {
    gppString: gppString(sections),
    sectionIds: sections.map(({ id }) => id),
    applicableSections,
    parsed,
    gpc: gpc.active,
  };
}

const isUsCategory = (text: string): text is UsCategory => (US_CATEGORIES as readonly string[]).includes(text);

/** A person who decided on a purpose was informed of it; to all others the banner shows it. */
function usFacts({ purposes, gpc, settings }: Standing, isDisclosed: (key: string) => boolean): UsFacts {
  return {
    gpc: gpc.active,
    mspa: settings.gpp.mspa,
    purposes: purposes.map(({ key, frameworks, state, effective }) => ({
      categories: frameworks.us.filter(isUsCategory),
      isNoticed: state !== 'NOT_COLLECTED' || isDisclosed(key),
      isAllowed: effective === 'ALLOWED',
      isConsented: state === 'GRANTED',
    })),
  };
}
