import type { PurposeCategory } from '../../kernel/index.js';
import type { CatalogueFilesDto } from '../../catalogue/dto.js';

/** The list of cookies, `cookies.yaml`. */
export type CookiesFile = NonNullable<CatalogueFilesDto['cookies']>;
/** An entry of it. */
export type ListedEntry = CookiesFile['cookies'][number];
export type Technology = NonNullable<ListedEntry['technology']>;

/** What the visitor has done: nothing yet, refused all, or accepted all. Each is a browser of its own. */
export const PHASES = ['BEFORE', 'REFUSED', 'ACCEPTED'] as const;
export type Phase = (typeof PHASES)[number];

/**
 * Where it comes from. SCRIPT: the file whose code set it or asked for it; the address of a page means a script inside it.
 * ANSWER: the answer whose Set-Cookie set it. PAGE: the page or frame whose HTML names it.
 */
export interface Origin {
  kind: 'SCRIPT' | 'ANSWER' | 'PAGE';
  /** Without what follows the path: a query can hold personal data. */
  url: string;
}

/** What a page keeps on the device, or asks for from another site. Names only; values are never read. */
export interface Sighting {
  technology: Technology;
  /** Name of the entry; of a request, the host that it goes to. */
  name: string;
  /** Host whose it is. A cookie of `.shop.example` has `shop.example`. */
  domain: string;
  /** Of a cookie. */
  path: string | null;
  party: 'FIRST' | 'THIRD';
  /** Of a cookie: seconds that it is kept from the moment it was seen; null: until the browser is closed. */
  maxAgeSeconds: number | null;
  /** Of a cookie: whether scripts cannot read it. */
  httpOnly: boolean | null;
  by: Origin[];
}

/** A sighting over all phases. */
export interface Thing extends Sighting {
  /** By phase, the first page where it was seen; absent: not seen in that phase. */
  seen: Partial<Record<Phase, string>>;
  /** The consent tool whose own it is, such as the cookie that keeps the choice; null: of none. */
  tool: string | null;
}

export type FaultKind = 'BEFORE_CHOICE' | 'AFTER_REFUSAL' | 'NOT_LISTED';

export interface JudgedThing extends Thing {
  /** By the list; null: not listed, or no list was compared. */
  category: PurposeCategory | null;
  purposeKeys: readonly string[];
  /** The worst first; empty: nothing is wrong. */
  faults: FaultKind[];
  /** What to do about it; null: nothing. */
  toDo: string | null;
}

const keyOf = ({ technology, name, domain, path }: Sighting): string =>
  [technology, name, domain, path ?? ''].join('\n');

/** How many things of one site are kept; what comes later is counted only. */
const THINGS_MAX = 2_000;
const ORIGINS_MAX = 5;

/** All that was seen on the pages of a site. */
export class Sightings {
  private readonly things = new Map<string, Omit<Thing, 'tool'>>();
  /** Seen, and not kept because there were too many. */
  dropped = 0;

  add(phase: Phase, page: string, sightings: readonly Sighting[]): void {
    for (const sighting of sightings) {
      const key = keyOf(sighting);
      const known = this.things.get(key);
      if (known) {
        known.seen[phase] ??= page;
        known.by = together(known.by, sighting.by);
      } else if (this.things.size < THINGS_MAX) {
        this.things.set(key, { ...sighting, seen: { [phase]: page } });
      } else this.dropped++;
    }
  }

  all(toolOf: (sighting: Sighting) => string | null): Thing[] {
    return [...this.things.values()].map((thing) => ({ ...thing, tool: toolOf(thing) }));
  }
}

/** Both, each once. */
export function together(some: readonly Origin[], others: readonly Origin[]): Origin[] {
  const all = new Map([...some, ...others].map((each) => [`${each.kind} ${each.url}`, each]));
  return [...all.values()].slice(0, ORIGINS_MAX);
}

/** Whether a host belongs to a site, which is a registrable domain, or a host that has none. */
export const isOfSite = (host: string, site: string): boolean => host === site || host.endsWith(`.${site}`);

/** An address without query and fragment. */
export function bareUrl(url: string): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}
