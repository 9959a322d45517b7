import { html, joined, type Html } from '../../pages/html.js';
import type { ConfirmationText } from '../events.js';
import type { ShownBrand } from '../../pages/brand.js';
import { languageOf, type Language } from '../../pages/languages.js';
import { fill, named } from '../../pages/fill.js';
import { CONFIRMATION_WORDS, type NoticeWords, type ConfirmationWords } from '../texts/words.js';
import { ITEM, undoUntil } from '../texts/confirmation.js';
import type { ShownPage } from '../../pages/frame.js';
import { framed } from './frame.js';
import type { ConfirmPageModel, StandingTopics, UndoOffer, UnsubscribePageModel } from './model.js';

/** The notices, by the name under which the texts have them. */
export type NoticeName = {
  [Name in keyof ConfirmationWords]: ConfirmationWords[Name] extends NoticeWords ? Name : never;
}[keyof ConfirmationWords];

/** What a page that only tells can have besides its text. */
export interface NoticeExtras {
  /** Whose page it is; null where the link names no site. */
  brand?: ShownBrand | null;
  /** Where the person goes on to. */
  redirectUrl?: string | null;
  undo?: UndoOffer | null;
  /** What is sent now of what the link was about. */
  standing?: StandingTopics | null;
}

/** The page behind a link that confirms: it shows, and never does anything by itself. `wishes`: languages, for links that name none. */
export function confirmPage(
  { state, text, token, redirectUrl, brand, undo, standing }: ConfirmPageModel,
  wishes: readonly string[],
): ShownPage {
  if (state === 'open' && text) return asking(text, 'confirm', token, redirectUrl, brand);
  const languages = text ? [text.language] : wishes;
  switch (state) {
    case 'confirmed':
      return noticePage('already', languages, { brand, redirectUrl, undo });
    case 'changed':
      return noticePage('noLonger', languages, { brand, undo, standing });
    case 'expired':
      return noticePage(state, languages, { brand, standing });
    case 'undone':
    case 'ended':
      return noticePage(state, languages, { brand });
    default:
      return noticePage('invalid', languages, { brand });
  }
}

/** The page behind a link that unsubscribes. */
export function unsubscribePage(
  { state, text, token, brand, undo }: UnsubscribePageModel,
  wishes: readonly string[],
): ShownPage {
  if (state === 'open' && text) return asking(text, 'unsubscribe', token, null, brand);
  const languages = text ? [text.language] : wishes;
  return state === 'done'
    ? noticePage('unsubscribed', languages, { brand, undo })
    : noticePage('invalid', languages, { brand });
}

/** A page that only tells; with a link onward where there is somewhere to go, and a button to undo what can be undone. */
export function noticePage(
  name: NoticeName,
  wishes: readonly string[],
  { brand = null, redirectUrl = null, undo = null, standing = null }: NoticeExtras = {},
): ShownPage {
  const language = languageOf(wishes);
  const words = CONFIRMATION_WORDS[language];
  const parts = [
    html`<p>${words[name].text}</p>`,
    ...(standing ? standingTexts(standing, name, language).map((text) => html`<p>${text}</p>`) : []),
    ...(redirectUrl === null
      ? []
      : [html`<p><a class="onward" href="${redirectUrl}" rel="noreferrer">${words.onward}</a></p>`]),
    ...(undo ? [undoForm(undo, language)] : []),
  ];
  return framed({ language, title: words[name].title, main: joined(parts, '\n'), brand });
}

/** What is sent and what is not; and how to get that, unless the notice says so itself. */
function standingTexts({ gets, getsNot }: StandingTopics, name: NoticeName, language: Language): string[] {
  const words = CONFIRMATION_WORDS[language];
  const said = (text: string, labels: readonly string[]): string[] =>
    labels.length === 0
      ? []
      : [fill(text, { topics: new Intl.ListFormat(language).format(labels.map((label) => named(label, language))) })];
  const again = name === 'noLonger' && getsNot.length > 0 ? [words.again] : [];
  return [...said(words.gets, gets), ...said(words.getsNot, getsNot), ...again];
}

/** Below everything else: only a person who clicked by mistake needs it. */
const undoForm = ({ token, expiresAt }: UndoOffer, language: Language): Html =>
  html`<form class="undo" method="post" action="undo">
<input type="hidden" name="token" value="${token}">
<p>${undoUntil(expiresAt, language)}</p>
<p><button>${CONFIRMATION_WORDS[language].undo}</button></p>
</form>`;

/**
 * The token stands in the form and in no address, so that neither history nor a log of ours gets a second copy of it.
 * Chromium 156 holds the redirect that answers a form against form-action, and every redirect behind it: were it the one
 * host, a shop that sends people on to its www would leave them on a button that seems dead although it worked.
 */
function asking(
  { language, title, paragraphs, button, footer }: ConfirmationText,
  action: string,
  token: string,
  redirectUrl: string | null,
  brand: ShownBrand | null,
): ShownPage {
  const main = html`${prose(paragraphs)}
<form method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
<p><button>${button}</button></p>
</form>`;
  return framed({
    language: languageOf([language]),
    title,
    main,
    footer,
    formTarget: redirectUrl === null ? null : new URL(redirectUrl).protocol,
    brand,
  });
}

/** Paragraphs, and what stands as items among them as a list. */
function prose(paragraphs: readonly string[]): Html {
  const isItem = (paragraph: string | undefined): boolean => paragraph?.startsWith(ITEM) ?? false;
  return joined(
    paragraphs.map((paragraph, i) => {
      if (!isItem(paragraph)) return html`<p>${paragraph}</p>`;
      const begins = !isItem(paragraphs[i - 1]) && html`<ul>\n`;
      const ends = !isItem(paragraphs[i + 1]) && html`\n</ul>`;
      return html`${begins}<li>${paragraph.slice(ITEM.length)}</li>${ends}`;
    }),
    '\n',
  );
}
