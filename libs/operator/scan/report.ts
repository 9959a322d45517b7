import { REQUESTS } from './consent-tools.js';
import type { ScanLaw } from './judge.js';
import type { FaultKind, JudgedThing, Origin, Phase, Technology } from './sighting.js';
import type { Pressed, SiteSeen } from './walk.js';

/** All that a scan found. With `--json` it is printed as it is. */
export interface Scan {
  object: 'scan';
  /** When it began. */
  at: string;
  chromium: string;
  law: ScanLaw;
  /** The list that was compared; null: none. */
  list: { site: string; env: string; entries: number } | null;
  /** How many things are wrong. */
  faults: number;
  sites: (Omit<SiteSeen, 'things'> & { things: JudgedThing[] })[];
  /** Entries of the list that were not seen. */
  neverSeen: { name: string; technology: Technology; domain: string | null }[];
  /** The file that was written, and how many entries of it are new; null: none. */
  draft: { file: string; added: number } | null;
}

/** No line is wider, so that it can be read in the log of a pipeline. */
const WIDTH = 80;

const FAULTS: Readonly<Record<FaultKind, [of: Phase | null, words: string]>> = {
  BEFORE_CHOICE: ['BEFORE', 'before a choice'],
  AFTER_REFUSAL: ['REFUSED', 'after refusing'],
  NOT_LISTED: [null, 'not in the list'],
};
const ORIGINS: Readonly<Record<Origin['kind'], string>> = {
  SCRIPT: 'by the script',
  ANSWER: 'by the answer of',
  PAGE: 'by the page',
};
const MODELS: Readonly<Record<ScanLaw['model'], string>> = {
  OPT_IN: 'consent is needed first',
  OPT_OUT: 'people may object',
  NOTICE_ONLY: 'a notice is enough',
  NONE: 'nothing is asked for',
};

/** The report in lines of at most 80 columns: what is wrong first. `paint`: colours a whole line. */
export function reportOf(scan: Scan, paint: (tone: 'bad' | 'good' | 'title', line: string) => string): string[] {
  const lines: string[] = [];
  const { country, region, model, regulation } = scan.law;
  const place = region ?? country;
  const of = place === null ? 'The strictest law, since no --country is named' : `Law of ${place}`;
  const law = place === null || regulation === null ? '' : ` (${regulation})`;
  lines.push(...folded(`${of}${law}: ${MODELS[model]}.`, ''));
  for (const site of scan.sites) {
    const wrong = site.things.filter(({ faults }) => faults.length > 0).sort(worstFirst);
    lines.push('', paint('title', cut(`${site.origin}: ${count(site.pages.length, 'page')}`, WIDTH)));
    lines.push(...folded(bannerIn(site), '  '));
    for (const thing of wrong) lines.push('', ...faulty(thing, (line) => paint('bad', line)));
    const others = site.things.filter(({ faults }) => faults.length === 0);
    if (others.length > 0)
      lines.push('', '  seen besides:', ...others.map((thing) => cut(`  - ${inPassing(thing)}`, WIDTH)));
    if (site.skipped.length > 0)
      lines.push('', '  not opened:', ...site.skipped.flatMap(({ url, why }) => folded(`- ${url} ${why}`, '  ')));
    if (site.dropped > 0) lines.push('', ...folded(`${site.dropped} more sightings were left out.`, '  '));
  }
  if (scan.neverSeen.length > 0)
    lines.push('', ...folded(`In the list, and not seen: ${scan.neverSeen.map(({ name }) => name).join(', ')}.`, ''));
  if (scan.draft)
    lines.push(
      '',
      ...folded(`${scan.draft.file} written, with ${count(scan.draft.added, 'new entry', 'new entries')}.`, ''),
    );
  lines.push('');
  const all = scan.sites.reduce((sum, { things }) => sum + things.length, 0);
  if (scan.faults === 0)
    lines.push(paint('good', `nothing wrong with ${count(all, 'thing')} that ${all === 1 ? 'was' : 'were'} seen`));
  else {
    lines.push(paint('bad', `${scan.faults} of ${count(all, 'thing')} should not have been there`));
    lines.push(...folded('What people cannot do without may be there at any time: list it as NECESSARY.', ''));
  }
  return lines;
}

const ORDER: readonly FaultKind[] = ['AFTER_REFUSAL', 'BEFORE_CHOICE', 'NOT_LISTED'];
const worstFirst = (a: JudgedThing, b: JudgedThing): number => rankOf(a) - rankOf(b);
const rankOf = ({ faults }: JudgedThing): number => ORDER.findIndex((kind) => faults.includes(kind));

function faulty(thing: JudgedThing, paint: (line: string) => string): string[] {
  const rows: [string, string][] = [
    ...thing.faults.map((kind): [string, string] => {
      const [phase, words] = FAULTS[kind];
      return [words, phase === null ? '' : (thing.seen[phase] ?? '')];
    }),
    ...thing.by.map(({ kind, url }): [string, string] => [ORIGINS[kind], url]),
    ...(thing.toDo === null ? [] : [['to do', thing.toDo] as [string, string]]),
  ];
  return [paint(cut(`  ${inPassing(thing)}`, WIDTH)), ...rows.flatMap(([label, text]) => labelled(label, text))];
}

const LABEL = 18;

function labelled(label: string, text: string): string[] {
  const [first = '', ...others] = folded(text, ' '.repeat(4 + LABEL));
  return [`    ${label.padEnd(LABEL)}${first.trimStart()}`.trimEnd(), ...others];
}

/** `cookie _ga of shop.example, 400 days`. */
function inPassing({ technology, name, domain, httpOnly, maxAgeSeconds, tool, category, party }: JudgedThing): string {
  const what = technology.toLowerCase().replaceAll('_', ' ');
  const isRequest = REQUESTS.has(technology);
  return [
    isRequest ? `${REQUEST_WORDS[technology as 'PIXEL'] ?? what} from ${domain}` : `${what} ${name} of ${domain}`,
    ...(technology === 'COOKIE' ? [lifeIn(maxAgeSeconds)] : []),
    ...(httpOnly ? ['HttpOnly'] : []),
    ...(!isRequest && party === 'THIRD' ? ['third party'] : []),
    ...(category === null ? [] : [category]),
    ...(tool === null ? [] : [`of ${tool}`]),
  ].join(', ');
}

const REQUEST_WORDS = { SCRIPT: 'script', IFRAME: 'frame', PIXEL: 'image or other request' } as const;

function lifeIn(seconds: number | null): string {
  if (seconds === null) return 'until the browser is closed';
  const [unit, name] = seconds < 7_200 ? [60, 'minute'] : seconds < 172_800 ? [3600, 'hour'] : [86_400, 'day'];
  return count(Math.max(1, Math.round(seconds / (unit as number))), name as string);
}

const PRESSED: Readonly<Record<Pressed, string>> = {
  PRESSED: 'pressed',
  STAYED: 'pressed, and the button stayed',
  NO_BUTTON: 'no such button at first sight, so that this was not tried',
};

const bannerIn = ({ banner }: Pick<SiteSeen, 'banner'>): string =>
  banner === null
    ? 'No banner was found, so that nothing is said of what comes after a choice. Name its buttons with --accept and --refuse.'
    : `Banner: ${banner.tool}. Refuse: ${PRESSED[banner.refused]}. Accept: ${PRESSED[banner.accepted]}.`;

const count = (number: number, one: string, many = `${one}s`): string => `${number} ${number === 1 ? one : many}`;

const cut = (line: string, width: number): string => {
  const plain = line.replace(UNPRINTABLE, '?');
  return plain.length <= width ? plain : `${plain.slice(0, width - 1)}…`;
};

/** What a page named must not steer a terminal. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}]/gu;

/** Words over lines; a word that is too long for one is cut. */
function folded(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.replace(UNPRINTABLE, '?').split(' ')) {
    const fits = cut(word, WIDTH - indent.length);
    if (line !== '' && indent.length + line.length + 1 + fits.length > WIDTH) {
      lines.push(indent + line);
      line = fits;
    } else line = line === '' ? fits : `${line} ${fits}`;
  }
  return line === '' && lines.length > 0 ? lines : [...lines, indent + line];
}
