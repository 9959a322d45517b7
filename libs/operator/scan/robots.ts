import { fitsGlob } from './glob.js';

/** What robots.txt says to one program (RFC 9309). */
export interface Robots {
  /** `path`: with its query. */
  allows(path: string): boolean;
  /** Addresses of sitemaps, as they stand there. */
  sitemaps: readonly string[];
  /** Why a page is not opened, as it goes on behind its address. */
  why: string;
}

const WHY = 'is not allowed by robots.txt';
export const EVERYTHING: Robots = { allows: () => true, sitemaps: [], why: WHY };
/** Where robots.txt was not to be had (RFC 9309, 2.3.1.4). */
export const NOTHING: Robots = { allows: () => false, sitemaps: [], why: 'is not opened, as robots.txt did not come' };

interface Rule {
  pattern: string;
  allows: boolean;
}

/** RFC 9309, 2.5: at least this much is read. */
const LENGTH_MAX = 512_000;

/** Reads robots.txt for the program of a name: the groups that name it, else those for all. */
export function readRobots(text: string, agent: string): Robots {
  const groups = new Map<string, Rule[]>();
  const sitemaps: string[] = [];
  let names: string[] = [];
  let isOpen = false;
  for (const line of text.slice(0, LENGTH_MAX).split(/\r\n|\r|\n/)) {
    const [, field = '', value = ''] = /^\s*([\w-]+)\s*:\s*([^#]*)/.exec(line) ?? [];
    const named = field.toLowerCase();
    const content = value.trim();
    if (named === 'sitemap') sitemaps.push(content);
    else if (named === 'user-agent') {
      names = [...(isOpen ? names : []), content.toLowerCase()];
      isOpen = true;
      for (const name of names) if (!groups.has(name)) groups.set(name, []);
    } else if (named === 'allow' || named === 'disallow') {
      isOpen = false;
      // An empty pattern fits nothing: `Disallow:` allows all.
      if (content !== '')
        for (const name of names) groups.get(name)!.push({ pattern: content, allows: named === 'allow' });
    }
  }
  const rules = groups.get(agent.toLowerCase()) ?? groups.get('*') ?? [];
  return { allows: (path) => path === '/robots.txt' || isAllowed(rules, path), sitemaps, why: WHY };
}

/** The longest pattern that fits decides; of two as long, the one that allows (RFC 9309, 2.2.2). */
function isAllowed(rules: readonly Rule[], path: string): boolean {
  let decides: Rule | null = null;
  for (const rule of rules) {
    const { pattern, allows } = rule;
    if (!fitsGlob(pattern.endsWith('$') ? pattern.slice(0, -1) : `${pattern}*`, path)) continue;
    if (!decides || pattern.length > decides.pattern.length || (pattern.length === decides.pattern.length && allows))
      decides = rule;
  }
  return decides?.allows ?? true;
}
