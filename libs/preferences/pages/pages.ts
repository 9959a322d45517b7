import { escapeHtml } from '../../http/docs/page.js';
import type { ConfirmationText } from '../events.js';
import type { ShownBrand } from '../../pages/brand.js';
import { directionOf, languageOf, type Language } from '../../pages/languages.js';
import { fill, named } from '../../pages/fill.js';
import { CONFIRMATION_WORDS, type NoticeWords, type ConfirmationWords } from '../texts/words.js';
import { ITEM, undoUntil } from '../texts/confirmation.js';
import { framed, type Page } from './frame.js';
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
): Page {
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
): Page {
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
): Page {
  const language = languageOf(wishes);
  const words = CONFIRMATION_WORDS[language];
  const parts = [
    `<p>${escapeHtml(words[name].text)}</p>`,
    ...(standing ? standingTexts(standing, name, language).map((text) => `<p>${escapeHtml(text)}</p>`) : []),
    ...(redirectUrl === null
      ? []
      : [
          `<p><a class="onward" href="${escapeHtml(redirectUrl)}" rel="noreferrer">${escapeHtml(words.onward)}</a></p>`,
        ]),
    ...(undo ? [undoForm(undo, language)] : []),
  ];
  return framed({ language, dir: directionOf(language), title: words[name].title, main: parts.join('\n'), brand });
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

/** Below everything else: whoever meant what was done has no need of it. */
const undoForm = ({ token, expiresAt }: UndoOffer, language: Language): string =>
  `<form class="undo" method="post" action="undo">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<p>${escapeHtml(undoUntil(expiresAt, language))}</p>
<p><button>${escapeHtml(CONFIRMATION_WORDS[language].undo)}</button></p>
</form>`;

/**
 * The token stands in the form and in no address, so that neither history nor a log of ours gets a second copy of it.
 * Chromium 156 holds the redirect that answers a form against form-action, and every redirect behind it: were it the one
 * host, a shop that sends people on to its www would leave them on a button that seems dead although it worked.
 */
function asking(
  { language, dir, title, paragraphs, button, footer }: ConfirmationText,
  action: string,
  token: string,
  redirectUrl: string | null,
  brand: ShownBrand | null,
): Page {
  const main = `${prose(paragraphs)}
<form method="post" action="${action}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<p><button>${escapeHtml(button)}</button></p>
</form>`;
  return framed({
    language: languageOf([language]),
    dir,
    title,
    main,
    footer,
    formTarget: redirectUrl === null ? null : new URL(redirectUrl).protocol,
    brand,
  });
}

/** Paragraphs, and what stands as items among them as a list. */
function prose(paragraphs: readonly string[]): string {
  const items = (from: number): number => paragraphs.slice(from).findIndex((paragraph) => !paragraph.startsWith(ITEM));
  let html = '';
  for (let i = 0; i < paragraphs.length;) {
    const listed = items(i) === -1 ? paragraphs.length - i : items(i);
    if (listed === 0) html += `<p>${escapeHtml(paragraphs[i++]!)}</p>\n`;
    else
      html += `<ul>\n${paragraphs
        .slice(i, (i += listed))
        .map((item) => `<li>${escapeHtml(item.slice(ITEM.length))}</li>`)
        .join('\n')}\n</ul>\n`;
  }
  return html.trimEnd();
}
