import { US_NATIONAL, US_NATIONAL_V1, US_SECTIONS, type UsSection } from '../gpp/us-sections.js';
import type { UsValue, UsValues } from '../gpp/us-values.js';
import { Bits } from './bits.js';
import { StringFault } from './string-fault.js';
import { readTcString, type TcString } from './tc-string.js';

/** A section of a GPP string, parsed as far as this release can. */
export type GppSection =
  | { id: number; name: string; kind: 'US'; layout: UsSection; values: UsValues }
  | { id: number; name: 'tcfeuv2'; kind: 'TCF'; tc: TcString }
  /** The US Privacy String, four characters, the predecessor of GPP. */
  | { id: number; name: 'uspv1'; kind: 'USP'; text: string }
  /** A section without a layout in this release. */
  | { id: number; name: string; kind: 'UNREAD'; text: string };

const TCF_EU = 2;
const TCF_CANADA = 5;
const US_PRIVACY = 6;
/** Characters in the first part of a national section. */
const NATIONAL_V1_CHARACTERS_MIN = 10;
const NATIONAL_V2_CHARACTERS_MIN = 12;
/** Most sections. Some thirty exist. */
const SECTIONS_MAX = 64;
const SECTION_ID_MAX = 4095;

/** Throws a StringFault if the text is no GPP string of version 1. `path`: of the string. */
export function readGppString(text: string, path: string): GppSection[] {
  if (text.startsWith('C'))
    throw new StringFault(
      `${path}.header.Type`,
      'is that of a TC string',
      'Send it to /v1/consent/tcstring/decode. A GPP string begins with D.',
    );
  const [header, ...parts] = text.split('~', SECTIONS_MAX + 2);
  const ids = readHeader(new Bits(header!, `${path}.header`));
  if (ids.length !== parts.length)
    throw new StringFault(
      `${path}.header.Sections`,
      `lists ${ids.length} sections, and ${parts.length} stand behind it`,
      'Send the string whole: the header and every section, joined by ~.',
    );
  return ids.map((id, i) => readSection(id, parts[i]!, path));
}

function readHeader(bits: Bits): number[] {
  const type = bits.int(6, 'Type');
  if (type !== 3) throw bits.fault('Type', `is ${type}, and not 3`, 'A GPP string begins with D.');
  const version = bits.int(6, 'Version');
  if (version !== 1) throw bits.fault('Version', `is ${version}, and not 1`);
  const entries = bits.int(12, 'Sections');
  const ids: number[] = [];
  for (let i = 0, last = 0; i < entries; i++) {
    const field = `Sections[${i}]`;
    const isRange = bits.flag(field);
    const first = last + bits.fibonacci(field);
    last = isRange ? first + bits.fibonacci(field) : first;
    if (last > SECTION_ID_MAX) throw bits.fault(field, `names section ${last}, which cannot exist`);
    if (ids.length + last - first + 1 > SECTIONS_MAX)
      throw bits.fault(field, `makes more than ${SECTIONS_MAX} sections`);
    for (let id = first; id <= last; id++) ids.push(id);
  }
  bits.end();
  return ids;
}

function readSection(id: number, text: string, path: string): GppSection {
  if (id === TCF_EU) return { id, name: 'tcfeuv2', kind: 'TCF', tc: readTcString(text, `${path}.tcfeuv2`) };
  if (id === US_PRIVACY) return { id, name: 'uspv1', kind: 'USP', text: readUsPrivacy(text, `${path}.uspv1`) };
  const layout = US_SECTIONS.get(id);
  if (!layout) return { id, name: id === TCF_CANADA ? 'tcfcav1' : `section ${id}`, kind: 'UNREAD', text };
  return { id, name: layout.name, kind: 'US', ...readUsSection(layout, text, `${path}.${layout.name}`) };
}

function readUsPrivacy(text: string, path: string): string {
  if (!/^1[YN-]{3}$/i.test(text))
    throw new StringFault(path, 'is no US Privacy String', 'It has four characters: 1YNN.');
  return text.toUpperCase();
}

function readUsSection(known: UsSection, text: string, path: string): { layout: UsSection; values: UsValues } {
  const [core, ...behind] = text.split('.', 4);
  const layout = layoutOf(known, core!, path);
  const values: Record<string, UsValue> = {};
  const bits = new Bits(core!, path);
  for (const { name, bits: width, count } of layout.core)
    values[name] = count === null ? bits.int(width, name) : list(bits, name, count);
  bits.end();
  if (behind.length > 1 || (behind.length > 0 && layout.behind === null))
    throw new StringFault(path, 'has more parts than its layout', 'Parts of a section are joined by a dot.');
  if (behind.length === 1) readBehind(layout, new Bits(behind[0]!, path), values);
  return { layout, values };
}

/**
 * The layout of a section's first part. Official libraries wrote version 1 into national sections of version 2 (cmpapi
 * 3.1.5 and 3.1.7), and others the reverse, so the length decides, as in their newest release: version 1 has 60 bits,
 * in ten characters or, padded to whole bytes, eleven; version 2 has 70, in twelve. A shorter text was cut off, and the
 * layout of the version that it names refuses it.
 */
function layoutOf(known: UsSection, core: string, path: string): UsSection {
  const field = known.core[0]!.name;
  const version = new Bits(core, path).int(6, field);
  const layouts = known === US_NATIONAL ? [US_NATIONAL_V1, US_NATIONAL] : [known];
  const said = layouts.find((each) => each.version === version);
  if (!said)
    throw new StringFault(
      `${path}.${field}`,
      `is ${version}, and not ${layouts.map((each) => each.version).join(' or ')}`,
      'It may be of a newer version of its specification than this release knows.',
    );
  if (known !== US_NATIONAL || core.length < NATIONAL_V1_CHARACTERS_MIN) return said;
  return core.length < NATIONAL_V2_CHARACTERS_MIN ? US_NATIONAL_V1 : US_NATIONAL;
}

function readBehind(layout: UsSection, bits: Bits, values: Record<string, UsValue>): void {
  if (layout.behind === 'SENSITIVE')
    values['SensitiveDataProcessing'] = list(bits, 'SensitiveDataProcessing', layout.sensitive.length);
  else {
    const type = bits.int(2, 'SubsectionType');
    if (type !== 1) throw bits.fault('SubsectionType', `is ${type}, and not 1`);
    values['Gpc'] = bits.flag('Gpc');
  }
  bits.end();
}

const list = (bits: Bits, name: string, count: number): number[] =>
  Array.from({ length: count }, (_, i) => bits.int(2, `${name}[${i + 1}]`));
