import type { Instant } from '../../kernel/index.js';
import type { MailContent } from '../../deliveries/mail/compose.js';
import { linksOf, type ShownBrand } from '../../pages/brand.js';
import { directionOf, type Language } from '../../pages/languages.js';
import { fill, named } from '../../pages/fill.js';
import { dayAndTime } from '../../pages/dates.js';
import { PORTAL_WORDS } from './words.js';

/** So that a subject stays within what mail programs show, and below the 200 characters that a mail takes. */
const SUBJECT_NAME_LENGTH_MAX = 80;

export interface SentCode {
  purpose: 'SIGN_IN' | 'DATA_REQUEST';
  code: string;
  expiresAt: Instant;
  language: Language;
  brand: ShownBrand;
}

/** The mail that a code comes in. The code stands in the text alone: subjects are shown on locked screens. */
export function codeMail({ purpose, code, expiresAt, language, brand }: SentCode): {
  subject: string;
  content: MailContent;
} {
  const words = PORTAL_WORDS[language];
  const site = named(brand.name, language);
  const time = named(dayAndTime(expiresAt, language), language);
  return {
    subject: fill(words.mailSubject, { site: named(brand.name, language, SUBJECT_NAME_LENGTH_MAX) }),
    content: {
      language,
      dir: directionOf(language),
      sender: brand.name,
      accent: brand.accent,
      heading: words.title,
      paragraphs: [
        fill(purpose === 'SIGN_IN' ? words.mailSignIn : words.mailRequest, { site }),
        code,
        fill(words.mailUntil, { site, time }),
      ],
      footer: [words.mailFooter],
      links: linksOf(brand, language),
    },
  };
}
