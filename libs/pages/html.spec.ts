import { fillHtml } from './fill.js';
import { html, joined, NOTHING, trusted } from './html.js';

const EVIL = `"><script>alert('1')</script>&amp;`;
const ESCAPED = '&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;amp;';

describe('html', () => {
  it('escapes every text between tags and in attributes', () => {
    expect(String(html`<a href="${EVIL}">${EVIL}</a>`)).toBe(`<a href="${ESCAPED}">${ESCAPED}</a>`);
    expect(String(html`${['<', 1, 2n]}`)).toBe('&#60;12');
  });

  it('leaves markup as it is, however deep it stands, and escapes it no second time', () => {
    const item = html`<li>${'<'}</li>`;
    expect(String(html`<ul>${[item, [item]]}</ul>`)).toBe('<ul><li>&#60;</li><li>&#60;</li></ul>');
    expect(String(html`<style>${trusted('a>b{}')}</style>`)).toBe('<style>a>b{}</style>');
  });

  it('shows nothing of what is not there, and shows zero', () => {
    expect(String(html`${null}${undefined}${false}${''}${NOTHING}${[]}${0}`)).toBe('0');
  });

  it('is not fooled by what only looks like markup', () => {
    const forged = { toString: () => '<b>', markup: '<b>' } as unknown as string;
    expect(String(html`${forged}`)).toBe('&#60;b&#62;');
  });

  it('joins parts', () => {
    expect(String(joined([html`<b>a</b>`, '<'], ', '))).toBe('<b>a</b>, &#60;');
  });

  it('fills markup and texts into a text, which is escaped itself', () => {
    expect(String(fillHtml('a < {time}, {site} {other}', { time: html`<time>1</time>`, site: '<' }))).toBe(
      'a &#60; <time>1</time>, &#60; {other}',
    );
  });
});
