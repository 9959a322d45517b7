import { confirmationMail, confirmationText, mailSubject, unsubscribeText } from './confirmation.js';
import { directionOf, languageOf, LANGUAGES } from '../../pages/languages.js';
import { CONFIRMATION_WORDS } from './words.js';

const ASKED = {
  siteName: 'Shop Example',
  channel: 'E-mail',
  topics: [{ label: 'News', help: 'Once a week' }, { label: 'Offers' }],
  expiresAt: '2026-11-23T16:18:00.000Z',
};
const asked = (locale: string, more: object = {}) => ({ ...ASKED, locales: [locale], sends: 'mail' as const, ...more });
const spoken = (text: ReturnType<typeof confirmationText>): string =>
  [text.title, ...text.paragraphs, text.button, text.footer].join('\n');

describe.each(LANGUAGES)('the texts in %s', (language) => {
  it('say who asks, what for, until when, and what to do', () => {
    const text = confirmationText(asked(language));
    expect(text).toMatchObject({
      language,
      dir: directionOf(language),
      title: CONFIRMATION_WORDS[language].title,
      button: CONFIRMATION_WORDS[language].button,
    });
    expect(text.paragraphs[0]).toContain('Shop Example');
    expect(text.paragraphs[1]).toMatch(/^• .?News.? – .?Once a week.?$/);
    expect(text.paragraphs[2]).toMatch(/^• .?Offers.?$/);
    expect(text.paragraphs[3]).toContain('E-mail');
    expect(text.paragraphs[4]).toMatch(/2026.*UTC/);
    expect(text.footer).toContain('Shop Example');
    expect(spoken(text)).not.toMatch(/[{}]|undefined/);
    expect(confirmationText(asked(language, { sends: 'caller' })).footer).not.toBe(text.footer);
    expect(spoken(unsubscribeText({ ...ASKED, locales: [language] }))).toMatch(/Shop Example[\s\S]*News[\s\S]*Offers/);
    expect(mailSubject({ locales: [language], siteName: 'Shop Example' })).toContain('Shop Example');
  });
});

describe('the texts of confirmations', () => {
  it('are of the best language that they exist in, else English', () => {
    expect(
      [['de-AT'], ['zh', 'pt-BR'], ['sr-Latn-RS', 'uk'], ['zh'], [], ['x'.repeat(50)]].map((wishes) =>
        languageOf(wishes),
      ),
    ).toEqual(['de', 'pt', 'uk', 'en', 'en', 'en']);
  });

  it('read from the right in Arabic and Hebrew, and keep names apart there', () => {
    const text = confirmationText(asked('he-IL'));
    expect(text.dir).toBe('rtl');
    expect(text.paragraphs[0]).toContain('\u2068Shop Example\u2069');
    expect(confirmationText(asked('en')).paragraphs.join('')).not.toMatch(/[\u2066-\u2069]/);
    expect(confirmationText(asked('en', { siteName: 'חנות' })).footer).toContain('\u2068חנות\u2069');
  });

  it('take a name as it is, on one line, whatever it holds', () => {
    const name = '\u202e{site}\r\nBcc: x $& $1 {time} \u2069<b>';
    const { footer, paragraphs } = confirmationText(asked('ar', { siteName: name, topics: [{ label: name }] }));
    for (const said of [footer, ...paragraphs.slice(0, 2)])
      expect(said).toContain('\u2068{site} Bcc: x $& $1 {time} <b>\u2069');
    expect(mailSubject({ locales: ['en'], siteName: name })).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  it('keep a subject below 200 characters', () => {
    for (const locale of LANGUAGES)
      expect(mailSubject({ locales: [locale], siteName: '🦊'.repeat(300) }).length).toBeLessThan(200);
  });

  it('become a mail whose button says that it leads to a page', () => {
    const text = confirmationText(asked('de'));
    const brand = {
      name: 'Shop Example',
      logo: null,
      accent: null,
      imprintUrl: 'https://shop.example/impressum',
      privacyUrl: null,
    };
    expect(confirmationMail(text, 'https://consent.example/v1/preferences/confirm?token=cft_1', brand)).toEqual({
      language: 'de',
      dir: 'ltr',
      sender: 'Shop Example',
      accent: null,
      heading: text.title,
      paragraphs: text.paragraphs,
      button: { label: CONFIRMATION_WORDS.de.open, url: 'https://consent.example/v1/preferences/confirm?token=cft_1' },
      footer: [text.footer],
      links: [{ label: 'Impressum', url: 'https://shop.example/impressum' }],
    });
  });
});
