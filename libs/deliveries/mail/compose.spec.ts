import { composeMail, type MailContent } from './compose.js';
import { messageIdOf, withoutAddresses } from '../../engines/mail/mail.js';

const GERMAN: MailContent = {
  language: 'de',
  dir: 'ltr',
  heading: 'Fast <geschafft>',
  paragraphs: ['Guten Tag & "hallo",', "<script>alert('x')</script>"],
  button: { label: 'Ja, ich möchte', url: 'https://shop.example/confirm?a=1&token=x"><img src=x>' },
  footer: ['Lädchen GmbH', 'Sie haben das nicht angefordert? Tun Sie nichts.'],
};
const HEBREW: MailContent = { language: 'he', dir: 'rtl', heading: 'כמעט סיימת', paragraphs: ['שלום'], footer: [] };

/** Contrast of two colours by WCAG 2.2, 1.4.3. */
const contrast = (a: string, b: string): number => {
  const luminance = (colour: string): number =>
    [1, 3, 5]
      .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
      .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i]!, 0);
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
};

describe('a composed mail', () => {
  it('says the same as text and as HTML', () => {
    const { text, html } = composeMail(GERMAN);
    expect(text).toBe(`Fast <geschafft>

Guten Tag & "hallo",

<script>alert('x')</script>

Ja, ich möchte
https://shop.example/confirm?a=1&token=x%22%3E%3Cimg%20src=x%3E

--
Lädchen GmbH
Sie haben das nicht angefordert? Tun Sie nichts.
`);
    const seen = html
      .replace(/<head>[\s\S]*<\/head>/, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
    for (const said of [GERMAN.heading, ...GERMAN.paragraphs, GERMAN.button!.label, ...GERMAN.footer])
      expect(seen).toContain(said);
    expect(html.match(/<a /g)).toHaveLength(1);
    expect(html).toContain('href="https://shop.example/confirm?a=1&#38;token=x%22%3E%3Cimg%20src=x%3E"');
  });

  it('names who writes and leads to their imprint and privacy policy, in both parts', () => {
    const { text, html } = composeMail({
      ...GERMAN,
      sender: 'Lädchen & Co',
      accent: { light: { color: '#8a1538', text: '#ffffff' }, dark: { color: '#ff9db5', text: '#000000' } },
      links: [
        { label: 'Impressum', url: 'https://shop.example/impressum' },
        { label: 'Datenschutz', url: 'https://shop.example/?a=1&b="' },
      ],
    });
    expect(text.startsWith('Lädchen & Co\n\nFast <geschafft>\n')).toBe(true);
    expect(text).toMatch(
      /\nSie haben das nicht angefordert\? Tun Sie nichts\.\nImpressum: https:\/\/shop\.example\/impressum\nDatenschutz: https:\/\/shop\.example\/\?a=1&b=%22\n$/,
    );
    expect(html).toContain('<p class="sender">Lädchen &#38; Co</p>\n<h1>');
    expect(html).toContain('<a href="https://shop.example/impressum">Impressum</a>');
    expect(html).toContain('<a href="https://shop.example/?a=1&#38;b=%22">Datenschutz</a>');
    expect(html).toContain('style="background:#8a1538;color:#ffffff;');
    expect(html).toContain('.button a{background:#ff9db5!important;color:#000000!important}');
    expect(html).not.toContain('#0b57b0');
    expect(() => composeMail({ ...GERMAN, links: [{ label: 'x', url: 'javascript:alert(1)' }] })).toThrow(TypeError);
  });

  it('loads nothing, runs nothing and reports to no server that it was read', () => {
    for (const content of [GERMAN, HEBREW])
      expect(composeMail(content).html).not.toMatch(
        /<(script|img|link|iframe|form|object|video|base)|url\(|@import|\son\w+=|\bsrc=/i,
      );
  });

  it.each([GERMAN, HEBREW])('names language $language and direction $dir, and has one heading', (content) => {
    const { html } = composeMail(content);
    expect(html).toContain(`<html lang="${content.language}" dir="${content.dir}">`);
    expect(html).toContain(`<main lang="${content.language}" dir="${content.dir}">`);
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html).toMatch(/<title>[^<]+<\/title>/);
    expect(html).not.toMatch(/text-align:\s*(left|right)|(margin|padding)-(left|right)/);
  });

  it('can be read in light and in the dark', () => {
    const { html } = composeMail(GERMAN);
    const pairs = [
      ['#1b1f24', '#ffffff'],
      ['#565e68', '#ffffff'],
      ['#ffffff', '#0b57b0'],
      ['#e7eaee', '#14171b'],
      ['#a7b0bb', '#14171b'],
    ] as const;
    for (const [text, ground] of pairs) {
      expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
      expect(html).toContain(text);
      expect(html).toContain(ground);
    }
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'mailto:eve@example.net', '/confirm'])(
    'leads nowhere but to web addresses: %s',
    (url) => {
      expect(() => composeMail({ ...GERMAN, button: { label: 'x', url } })).toThrow();
    },
  );
});

describe('a Message-ID', () => {
  it('is always the same for the same thing, another for another, and does not give it away', () => {
    const id = messageIdOf('cft_01KAK3V0ZC8W9J2M4N6P8Q0R2S', 'Shop.example');
    expect(id).toMatch(/^<[0-9a-f]{40}@shop\.example>$/);
    expect(messageIdOf('cft_01KAK3V0ZC8W9J2M4N6P8Q0R2S', 'shop.example')).toBe(id);
    expect(messageIdOf('cft_01KAK3V0ZC8W9J2M4N6P8Q0R2T', 'shop.example')).not.toBe(id);
  });
});

describe("a server's answer", () => {
  it.each([
    ['550 5.1.1 <ada.lovelace@example.org>: no such user', '550 5.1.1 <[address]>: no such user'],
    [
      '550 no mailbox here by the name Ada.Lovelace at example.org.',
      '550 no mailbox here by the name [address] at [address].',
    ],
    ['550 SRS0=x=ada.lovelace=example.org@mx.example', '550 [address]'],
    ['250 two\r\nlines\tand\u2028more', '250 two lines and more'],
    ['250 2.0.0 Ok: queued as 4F2B6A', '250 2.0.0 Ok: queued as 4F2B6A'],
  ])('is kept without addresses: %s', (answer, kept) => {
    expect(withoutAddresses(answer, 'ada.lovelace@example.org')).toBe(kept);
  });

  it('is cut at 200 characters', () => {
    expect(withoutAddresses('x'.repeat(5000), 'a+(b@example.org')).toHaveLength(200);
  });
});
