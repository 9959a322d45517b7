import { describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { PLACES } from '../places.js';
import { policyPage } from './page.js';
import { policyMarkdown, policyTables } from './table.js';

describe('the table of all jurisdictions', () => {
  it('holds every rule of every place, and what is answered where none is known', () => {
    const rows = policyTables().flatMap((table) => table.rows);
    const rules = [...PLACES.values()].flatMap((place) => place.rules.map((rule) => [place.code, rule.from ?? '']));
    expect(rows.map(({ code, from }) => [code, from])).toEqual([...rules, ['', '']]);
    const acts = [...PLACES.values()].flatMap(({ rules: own }) => own.flatMap(({ regulations }) => regulations));
    const sources = policyTables().flatMap((table) => table.sources);
    for (const { name, source } of acts) expect(sources).toContainEqual({ act: name, source });
    expect(new Set(sources.map(({ act, source }) => act + source)).size).toBe(sources.length);
    expect(rows.findLast(({ code }) => code === 'US-CA')).toMatchObject({
      from: '2023-01-01',
      model: 'OPT_OUT',
      gpc: 'BINDING',
      dataRequests:
        '45 days + 45 days; OPT_OUT_SALE_SHARE, OPT_OUT_TARGETED_ADS: 15 business days; confirmed in 10 business days',
    });
    expect(rows.find(({ code }) => code === 'ID')).toMatchObject({ dataRequests: '3 times 24 hours' });
    expect(rows.find(({ code }) => code === 'DE')).toMatchObject({ dataRequests: '1 month + 2 months' });
  });

  it('is a page of places that open, in words, with their sources, and links to its parts', () => {
    const html = policyPage('/consent');
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html).not.toMatch(/<script(?![^>]*src=)|style="/);
    const ids = [...html.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id!);
    const [, parts] = /<nav class="toc"[^>]*>([^]*?)<\/nav>/.exec(html)!;
    expect([...parts!.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)).toEqual(ids);
    expect(html).toContain('href="/consent/docs/guides/policy"');
    const places = [...html.matchAll(/<details class="place" id="([^"]+)"/g)].map(([, code]) => code!);
    expect(places).toEqual([...PLACES.keys(), 'elsewhere']);
    const [vermont] = html.slice(html.indexOf(' id="US-VT"')).split('<details class="place"');
    expect(vermont).toContain('<summary><b>Vermont</b> <span class="soft">let people object</span></summary>');
    expect(vermont).toContain('<b>From 2028-01-01</b>');
    expect(vermont).toContain('<summary>Sources</summary>');
    const shown = html.replace(/<code>[^<]*<\/code>/g, '').replace(/<[^>]*>/g, ' ');
    expect(shown).not.toMatch(/\b(OPT_IN|OPT_OUT|NOTICE_ONLY|BINDING|ADVISORY|IGNORED|GRANTED|DENIED)\b/);
  });

  // After a change of the data: WRITE_DOCS=1 npm test -- libs/policy/pages
  it('agrees with docs/jurisdictions.md', () => {
    const file = new URL('../../../docs/jurisdictions.md', import.meta.url);
    if (process.env.WRITE_DOCS) writeFileSync(file, policyMarkdown());
    expect(readFileSync(file, 'utf8')).toBe(policyMarkdown());
  });
});
