import type { PurposeCategory } from '../../kernel/index.js';
import type { PolicyView, Silence } from '../../policy/index.js';
import { REQUESTS } from './consent-tools.js';
import { fitsGlob } from './glob.js';
import { isOfSite, type FaultKind, type JudgedThing, type ListedEntry, type Thing } from './sighting.js';

/** What the law of the place says. */
export interface ScanLaw {
  country: string | null;
  region: string | null;
  regulation: string | null;
  model: PolicyView['model'];
  /** What silence means, by category. */
  silence: Readonly<Record<PurposeCategory, Silence>>;
}

/**
 * What is wrong with each thing. Necessary things, and those of the consent tool itself, may be there at any time. Of
 * others silence decides before a choice (ePrivacy directive, art. 5(3), where the place asks for an opt-in), and a
 * refusal ends all of them. What the list does not name was disclosed to no visitor (CJEU C-673/17, 75 to 81).
 * `list`: null: none is compared.
 */
export function judged(things: readonly Thing[], list: readonly ListedEntry[] | null, law: ScanLaw): JudgedThing[] {
  return things.map((thing) => {
    const entry = list && thing.tool === null ? entryOf(thing, list) : null;
    const category = entry?.category ?? null;
    const faults = thing.tool !== null ? [] : faultsOf(thing, category, list !== null, law);
    const purposeKeys = entry?.purposeKeys ?? [];
    return { ...thing, category, purposeKeys, faults, toDo: whatToDo(thing, faults, purposeKeys) };
  });
}

/** Entries of the list that no thing belongs to. Their scripts may stand on pages that were not opened. */
export const neverSeen = (things: readonly Thing[], list: readonly ListedEntry[]): ListedEntry[] =>
  list.filter((entry) => !things.some((thing) => isAbout(entry, thing)));

function faultsOf({ seen }: Thing, category: PurposeCategory | null, isCompared: boolean, law: ScanLaw): FaultKind[] {
  const faults: FaultKind[] = [];
  const needsYes = category !== 'NECESSARY';
  if (seen.BEFORE !== undefined && needsYes && law.silence[category ?? 'OTHER'] === 'DENIED')
    faults.push('BEFORE_CHOICE');
  if (seen.REFUSED !== undefined && needsYes) faults.push('AFTER_REFUSAL');
  if (isCompared && category === null) faults.push('NOT_LISTED');
  return faults;
}

/** The entry that is about a thing; of several the one that names its technology. */
function entryOf(thing: Thing, list: readonly ListedEntry[]): ListedEntry | null {
  const about = list.filter((entry) => isAbout(entry, thing));
  return about.find(({ technology = 'COOKIE' }) => technology === thing.technology) ?? about[0] ?? null;
}

function isAbout({ name, match, technology = 'COOKIE', domain }: ListedEntry, thing: Thing): boolean {
  const isNamed = match === 'PREFIX' ? thing.name.startsWith(name) : fitsGlob(name, thing.name);
  const isThere = domain === undefined ? thing.party === 'FIRST' : isOfSite(thing.domain, domain);
  if (!REQUESTS.has(thing.technology)) return technology === thing.technology && isNamed && isThere;
  // A cookie of another domain comes by a request to it.
  return (domain !== undefined && isThere) || (REQUESTS.has(technology) && isNamed);
}

const KEPT_BY_FRAMES: ReadonlySet<string> = new Set([
  'LOCAL_STORAGE',
  'SESSION_STORAGE',
  'INDEXED_DB',
  'CACHE_STORAGE',
]);

function whatToDo(thing: Thing, faults: readonly FaultKind[], purposeKeys: readonly string[]): string | null {
  if (faults.length === 0) return null;
  if (faults.every((fault) => fault === 'NOT_LISTED'))
    return 'Add it to cookies.yaml, which --out drafts, or take it out of the pages.';
  const purpose = purposeKeys.join(' ') || 'PURPOSE';
  const wait = `type="text/plain" data-assent="${purpose}"`;
  // What is kept for another host is kept by a frame of it.
  if (thing.technology === 'IFRAME' || (thing.party === 'THIRD' && KEPT_BY_FRAMES.has(thing.technology)))
    return `Let the frame wait: <iframe data-assent="${purpose}" data-src="…">`;
  if (thing.technology === 'SCRIPT') return `Let the script wait: <script ${wait} src="…">`;
  const [by] = thing.by;
  const pages = Object.values(thing.seen).map((page) => page.split(/[?#]/)[0]);
  if (by?.kind === 'SCRIPT')
    return pages.includes(by.url)
      ? `Let the script in the page wait: <script ${wait}>`
      : `Let the script wait: <script ${wait} src="${by.url}">`;
  if (by?.kind === 'ANSWER')
    return thing.party === 'FIRST'
      ? 'Your server sets it: let it do so only where the visitor has agreed.'
      : `Let what asks ${thing.domain} wait for consent.`;
  if (REQUESTS.has(thing.technology))
    return `Put it into <assent-gate purpose="${purpose}"><template>…</template></assent-gate>`;
  return `Let what sets it wait for consent to ${purpose}.`;
}
