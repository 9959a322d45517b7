import { acceptedLocales } from '../../pages/locale.js';
import { languageOf, type Language } from '../../pages/languages.js';
import { fill } from '../../pages/fill.js';
import { brandHeader, type ShownBrand } from '../../pages/brand.js';
import { pageOf, policyOf, type ShownPage } from '../../pages/frame.js';
import { pageHeaders } from '../../pages/send.js';
import { inColoursOf, withFrame } from '../../pages/style.js';
import { html, type Html } from '../../pages/html.js';
import { isForm } from '../../http/contract/body.js';
import type { ErrorPage } from '../../http/errors/errors.js';
import type { FetchableArchive } from './archive-links.js';
import { ARCHIVE_WORDS, type ArchiveWords } from './texts/words.js';
import { dayAndSecond } from '../../pages/dates.js';

const PAGES = /^[^?]*\/v1\/archive\/?(\?|$)/;

const STYLE = withFrame();

/** What stands behind a link that is good: what is there, and one button that fetches it. */
export function linkPage(
  token: string,
  { language, expiresAt }: FetchableArchive,
  brand: ShownBrand | null,
): ShownPage {
  const { link }: ArchiveWords = ARCHIVE_WORDS[language];
  const text = fill(link.text, { time: dayAndSecond(expiresAt, language) });
  const form = html`<form method="post"><input type="hidden" name="token" value="${token}"><button type="submit">${link.button}</button></form>`;
  return framed(language, link.title, brand, html`<p>${text}</p>\n${form}`);
}

const WORDS_OF_ERRORS: Readonly<Record<string, keyof ArchiveWords['link']>> = {
  token_used: 'used',
  token_expired: 'expired',
  token_invalid: 'invalid',
  subject_erased: 'expired',
};

/** The error as a page, where a person in a browser is waiting for one; null: it is answered as JSON. For the ErrorFilter. */
export const errorPage: ErrorPage = (request, code) => {
  const byPerson =
    request.method === 'GET' || request.method === 'HEAD' || (request.method === 'POST' && isForm(request));
  if (!byPerson || !PAGES.test(request.originalUrl ?? request.url ?? '')) return null;
  const language = languageOf(acceptedLocales(request.headers['accept-language']));
  const { link }: ArchiveWords = ARCHIVE_WORDS[language];
  const page = framed(language, link[WORDS_OF_ERRORS[code] ?? 'failed'], null);
  return { html: page.html, headers: pageHeaders(page) };
};

function framed(language: Language, title: string, brand: ShownBrand | null, main?: Html): ShownPage {
  const style = inColoursOf(brand, STYLE);
  return {
    html: pageOf(
      { language, title, style },
      html`${brand && brandHeader(brand)}<main>
<h1>${title}</h1>
${main}
</main>
`,
    ),
    csp: policyOf({ style, hasPicture: Boolean(brand?.logo), forms: ["'self'"] }),
    language,
  };
}
