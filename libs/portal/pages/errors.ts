import { html } from '../../pages/html.js';
import { DEFAULT_SETTINGS } from '../../access/index.js';
import type { ErrorPage } from '../../http/errors/errors.js';
import { prefersPage } from '../../http/accept.js';
import { isForm } from '../../http/contract/body.js';
import { acceptedLocales } from '../../pages/locale.js';
import { languageOf } from '../../pages/languages.js';
import { PORTAL_WORDS } from '../texts/words.js';
import { framed, filled, type NoticeWord } from './frame.js';
import type { PortalPlace } from './place.js';
import { pageHeaders } from '../../pages/send.js';

/** The page that belongs to no site, and all of a site's; `/v1/data-requests/portal` is none. */
const PAGES = /^(?![^?]*\/v1\/)[^?]*\/portal(\/?(\?|$)|\/[^/?]+\/[^/?]+(\/|\?|$))/;

const WORDS: Readonly<Record<string, NoticeWord>> = {
  rate_limited: 'tooMany',
  scope_missing: 'notAllowed',
  route_not_found: 'noPage',
};

/** The error as a page of the portal, where a person in a browser is waiting for one; null: it is answered as JSON. For the ErrorFilter. */
export const errorPage: ErrorPage = (request, code) => {
  const byPerson =
    request.method === 'GET' || request.method === 'HEAD' || (request.method === 'POST' && isForm(request));
  if (
    !byPerson ||
    (code === 'route_not_found' && !prefersPage(request.headers.accept)) ||
    !PAGES.test(request.originalUrl ?? request.url ?? '')
  )
    return null;
  const place = unbranded(acceptedLocales(request.headers['accept-language']));
  const page = framed(place, {
    title: place.words.title,
    main: html`<p>${filled(place, place.words[WORDS[code] ?? 'failed'])}</p>`,
  });
  return { html: page.html, headers: pageHeaders(page) };
};

/** Of a site that is not known here. */
export function unbranded(wishes: readonly string[]): PortalPlace {
  const language = languageOf(wishes);
  const words = PORTAL_WORDS[language];
  return {
    scope: { site: '', env: 'live' },
    settings: DEFAULT_SETTINGS,
    path: '',
    session: null,
    language,
    wishes,
    words,
    brand: { name: words.title, logo: null, accent: null, imprintUrl: null, privacyUrl: null },
    at: '',
    takesToken: false,
  };
}
