import { escapeHtml } from '../../platform/http/docs/page.js';
import type { ConfirmationText } from '../events.js';
import { directionOf, ITEM, languageOf, WORDS, type Notice, type Words } from '../texts/index.js';
import { framed, type Page } from './frame.js';
import type { ConfirmPageModel, UnsubscribePageModel } from './model.js';

/** The notices, by the name under which the texts have them. */
export type NoticeName = { [Name in keyof Words]: Words[Name] extends Notice ? Name : never }[keyof Words];

/** The page behind a link that confirms: it shows, and never does anything by itself. `wishes`: languages, for links that name none. */
export function confirmPage({ state, text, token, redirectUrl }: ConfirmPageModel, wishes: readonly string[]): Page {
  if (state === 'open' && text) return asking(text, 'confirm', token, redirectUrl);
  return noticePage(
    state === 'confirmed' ? 'already' : state === 'expired' ? 'expired' : 'invalid',
    text ? [text.language] : wishes,
    state === 'confirmed' ? redirectUrl : null,
  );
}

/** The page behind a link that unsubscribes. */
export function unsubscribePage({ state, text, token }: UnsubscribePageModel, wishes: readonly string[]): Page {
  if (state === 'open' && text) return asking(text, 'unsubscribe', token, null);
  return noticePage(state === 'done' ? 'unsubscribed' : 'invalid', text ? [text.language] : wishes);
}

/** A page that only tells; with a link onward where there is somewhere to go. */
export function noticePage(name: NoticeName, wishes: readonly string[], redirectUrl: string | null = null): Page {
  const language = languageOf(wishes);
  const { title, text } = WORDS[language][name];
  const onward =
    redirectUrl === null
      ? ''
      : `\n<p><a class="onward" href="${escapeHtml(redirectUrl)}" rel="noreferrer">${escapeHtml(WORDS[language].onward)}</a></p>`;
  return framed({ language, dir: directionOf(language), title, main: `<p>${escapeHtml(text)}</p>${onward}` });
}

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
): Page {
  const main = `${prose(paragraphs)}
<form method="post" action="${action}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<p><button>${escapeHtml(button)}</button></p>
</form>`;
  return framed({
    language,
    dir,
    title,
    main,
    footer,
    formTarget: redirectUrl === null ? null : new URL(redirectUrl).protocol,
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
