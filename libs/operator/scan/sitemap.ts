/** What a sitemap names (sitemaps.org): pages, or other sitemaps where it is an index of them. */
export interface Sitemap {
  pages: readonly string[];
  sitemaps: readonly string[];
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Reads a sitemap as XML or as one address a line. `max`: of addresses that are read. */
export function readSitemap(text: string, max: number): Sitemap {
  const isXml = /^\s*(<\?xml|<!--|<urlset|<sitemapindex)/.test(text.replace(/^\uFEFF/, ''));
  const found: string[] = [];
  const pattern = isXml ? /<loc>\s*(?:<!\[CDATA\[)?\s*([^<\]\s]+)/g : /^\s*(https?:\/\/\S+)/gm;
  for (const [, address] of text.matchAll(pattern)) {
    found.push(isXml ? address!.replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole) : address!);
    if (found.length >= max) break;
  }
  return isXml && /<sitemapindex[\s>]/.test(text) ? { pages: [], sitemaps: found } : { pages: found, sitemaps: [] };
}
