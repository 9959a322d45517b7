import type { Instant } from '../../kernel/index.js';
import type { MailContent } from '../../deliveries/mail/compose.js';
import { linksOf, type ShownBrand } from '../../pages/brand.js';
import { dayAndTime } from '../../pages/dates.js';
import { fill, named } from '../../pages/fill.js';
import { directionOf, languageOf, type Language } from '../../pages/languages.js';
import { CONFIRMATION_WORDS } from './words.js';
import type { ConfirmationText } from '../events.js';

export interface Asked {
  /** Wanted languages, best first: the request's, the subject's, the site's default. */
  locales: readonly string[];
  siteName: string;
  /** As the template names it to people. */
  channel: string;
  topics: readonly { label: string; help?: string | null }[];
}

/** Stands before each topic among the paragraphs. */
export const ITEM = '• ';
/** So that a subject stays within what mail programs show, and below the 200 characters that a mail takes. */
const SUBJECT_NAME_LENGTH_MAX = 80;

/** What the owner of an address reads before a click counts as consent. `sends`: whether the service mails it, or the caller passes the link on. */
export function confirmationText({
  expiresAt,
  sends,
  ...asked
}: Asked & { expiresAt: Instant; sends: 'mail' | 'caller' }): ConfirmationText {
  const language = languageOf(asked.locales);
  const { title, ask, until, button, mailFooter, linkFooter } = CONFIRMATION_WORDS[language];
  const names = { site: named(asked.siteName, language) };
  return {
    ...frame(language, title, button),
    paragraphs: [
      ...list(asked, language, fill(ask, names)),
      fill(until, { time: named(dayAndTime(expiresAt, language), language) }),
    ],
    footer: fill(sends === 'mail' ? mailFooter : linkFooter, names),
  };
}

/** What the page says that a link to unsubscribe leads to. */
export function unsubscribeText(asked: Asked): ConfirmationText {
  const language = languageOf(asked.locales);
  const { unsubscribeTitle, unsubscribeAsk, unsubscribeButton, unsubscribeFooter } = CONFIRMATION_WORDS[language];
  return {
    ...frame(language, unsubscribeTitle, unsubscribeButton),
    paragraphs: list(asked, language, fill(unsubscribeAsk, { site: named(asked.siteName, language) })),
    footer: unsubscribeFooter,
  };
}

/** Subject of the mail, at most 200 characters. */
export function mailSubject({ locales, siteName }: Pick<Asked, 'locales' | 'siteName'>): string {
  const language = languageOf(locales);
  return fill(CONFIRMATION_WORDS[language].subject, { site: named(siteName, language, SUBJECT_NAME_LENGTH_MAX) });
}

/** The mail around a text; for composeMail. Its button says that it leads to a page, since only the one there confirms. */
export const confirmationMail = (
  { language, dir, title, paragraphs, footer }: ConfirmationText,
  confirmUrl: string,
  brand: ShownBrand,
): MailContent => ({
  language,
  dir,
  sender: brand.name,
  accent: brand.accent,
  heading: title,
  paragraphs,
  button: { label: CONFIRMATION_WORDS[languageOf([language])].open, url: confirmUrl },
  footer: [footer],
  links: linksOf(brand, languageOf([language])),
});

const frame = (language: Language, title: string, button: string) => ({
  language,
  dir: directionOf(language),
  title,
  button,
});

const list = ({ topics, channel }: Asked, language: Language, introduction: string): string[] => [
  introduction,
  ...topics.map(({ label, help }) => `${ITEM}${named(label, language)}${help ? ` – ${named(help, language)}` : ''}`),
  fill(CONFIRMATION_WORDS[language].channel, { channel: named(channel, language) }),
];

/** What stands above the button that takes back what a link did. */
export const undoUntil = (expiresAt: Instant, language: Language): string =>
  fill(CONFIRMATION_WORDS[language].undoUntil, { time: named(dayAndTime(expiresAt, language), language) });
