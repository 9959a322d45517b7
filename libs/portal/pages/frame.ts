import { textBeside } from '../../engines/text-beside.js';
import { brandHeader, linkList, linksOf } from '../../pages/brand.js';
import { dayAndTime, timeOfDay } from '../../pages/dates.js';
import { fill, fillHtml, named } from '../../pages/fill.js';
import { pageOf, policyOf, type ShownPage } from '../../pages/frame.js';
import { html, NOTHING, trusted, type Html } from '../../pages/html.js';
import { inColoursOf, withFrame } from '../../pages/style.js';
import type { PortalWords } from '../texts/words.js';
import { epochMs, type Instant } from '../../kernel/index.js';
import { pagesOf, type PortalPage, type PortalPlace } from './place.js';
import { sessionEnd } from './sessions.js';

/** How long before its end a session says so. */
const WARNED_MS = 5 * 60_000;

export interface PageShown {
  title: string;
  main: Html;
  /** The one of the menu that this is. */
  current?: PortalPage;
  /** What the page does besides, where there is JavaScript; it may ask this service. */
  script?: string;
}

/**
 * A token comes in the fragment, which no server sees: the page takes it out of the address, where history would keep it,
 * into a form, and shows that. The person has to press its button: any other site can lead here with a token of its own,
 * and would sign people in as another person (login CSRF). It is the same text on every page, so that its hash is too.
 */
const TAKE_TOKEN =
  "(function(){function take(){var t=location.hash.slice(1);if(t.split('.').length!==3)return;history.replaceState(null,'',location.pathname+location.search);var f=document.getElementById('enter');f.elements.token.value=t;f.hidden=false;f.querySelector('button').focus()}addEventListener('hashchange',take);take()})()";

/** The form that TAKE_TOKEN fills in and shows. */
const tokenForm = (place: PortalPlace): Html =>
  formOf(
    place,
    'enter-token',
    html`<input type="hidden" name="token">
<p>${filled(place, place.words.linkReady)}</p>
<button>${place.words.enterCode}</button>`,
    html` id="enter" class="card" hidden`,
  );

/**
 * Times stand in the page in UTC, and here become those of the reader. A session that is about to end says so, while there
 * is time to save.
 */
const MOMENTS =
  "(function(){var l=document.documentElement.lang;document.querySelectorAll('time[data-moment]').forEach(function(t){var o={timeStyle:'short',hourCycle:'h23'};if(t.dataset.moment!=='time')o.dateStyle='long';t.textContent=new Intl.DateTimeFormat(l==='en'?'en-GB':l,o).format(new Date(t.dateTime))});var e=document.getElementById('ends');if(e&&e.dataset.text)setTimeout(function(){e.className='said';e.textContent=e.dataset.text},+e.dataset.ms)})()";

const STYLE = withFrame(textBeside(import.meta.url, './portal.css'));

/** A whole page: nothing is loaded from elsewhere, and only the pages of the site itself may frame it. */
export function framed(place: PortalPlace, { title, main, current, script }: PageShown): ShownPage {
  const { brand, language, words, scope, settings, takesToken } = place;
  const style = inColoursOf(brand, STYLE);
  const scripts = [MOMENTS, ...(takesToken ? [TAKE_TOKEN] : []), ...(script ? [script] : [])];
  const body = html`<a class="skip" href="#main">${words.skip}</a>
${brandHeader(brand, signOut(place))}${menu(place, current)}<main id="main" tabindex="-1">
${endsSoon(place)}<h1>${title}</h1>
${takesToken && html`${tokenForm(place)}\n`}${main}
</main>
${footer(place)}${scripts.map((text) => html`<script>${trusted(text)}</script>\n`)}`;
  return {
    html: pageOf({ language, title: `${title} – ${brand.name}`, style }, body),
    csp: policyOf({
      style,
      scripts,
      connects: script !== undefined,
      hasPicture: brand.logo !== null,
      forms: ["'self'"],
      ancestors: ["'self'", ...settings.allowedOrigins[scope.env]],
    }),
    language,
    referrer: 'same-origin',
  };
}

function signOut(place: PortalPlace): Html | undefined {
  const { session, words, language } = place;
  if (!session) return undefined;
  const end = sessionEnd(session);
  const time = html`<time datetime="${end}" data-moment="time">${timeOfDay(end, language)}</time>`;
  return html`\n<p class="until">${fillHtml(words.signedInUntil, { time })}</p>
${formOf(place, 'sign-out', html`<button class="quiet">${words.signOut}</button>`)}`;
}

/** What a person still has time to save before they are signed out. Comes by itself where there is JavaScript. */
function endsSoon({ session, words, at }: PortalPlace): Html | null {
  if (!session) return null;
  const inMs = epochMs(sessionEnd(session)) - WARNED_MS - epochMs(at);
  return inMs > 0
    ? html`<p id="ends" aria-live="polite" data-ms="${inMs}" data-text="${words.endsSoon}"></p>\n`
    : said(words.endsSoon, 'status');
}

function menu(place: PortalPlace, current: PortalPage | undefined): Html {
  const pages = pagesOf(place);
  if (pages.length === 0) return NOTHING;
  const items = pages.map(
    (page) =>
      html`<li><a href="${place.path}/${page}"${page === current ? html` aria-current="page"` : ''}>${place.words[page]}</a></li>`,
  );
  return html`<nav aria-label="${place.words.menu}"><ul>${items}</ul></nav>\n`;
}

function footer({ brand, language, words, session }: PortalPlace): Html | null {
  const back = session?.redirectUrl
    ? [{ label: fill(words.back, { site: named(brand.name, language) }), url: session.redirectUrl }]
    : [];
  const links = [...back, ...linksOf(brand, language)];
  return links.length === 0 ? null : html`<footer>\n${linkList(links)}\n</footer>\n`;
}

/** A form that posts one action. Who is signed in proves by it that the form is their own. */
export function formOf({ path, session }: PortalPlace, action: string, inside: Html, attributes: Html = NOTHING): Html {
  const secret = session && html`\n<input type="hidden" name="form" value="${session.formSecret}">`;
  return html`<form method="post" action="${path}"${attributes}>
<input type="hidden" name="action" value="${action}">${secret}
${inside}
</form>`;
}

/** What was just done, or went wrong; read out by screen readers. */
export const said = (text: string, role: 'status' | 'alert'): Html =>
  html`<p class="said" role="${role}">${text}</p>\n`;

/** A text with the name of the site in it. */
export const filled = ({ brand, language }: PortalPlace, text: string, names: Record<string, string> = {}): string =>
  fill(text, {
    site: named(brand.name, language),
    ...Object.fromEntries(Object.entries(names).map(([name, value]) => [name, named(value, language)])),
  });

/** A moment in UTC, and in the reader's time where there is JavaScript. */
export const moment = (at: Instant, language: PortalPlace['language'], attributes: Html = NOTHING): Html =>
  html`<time datetime="${at}" data-moment="day"${attributes}>${dayAndTime(at, language)}</time>`;

/** As `filled`, with a moment as `{time}`. */
export const filledAt = ({ brand, language }: PortalPlace, text: string, at: Instant): Html =>
  fillHtml(text, { site: named(brand.name, language), time: moment(at, language) });

/** Text of the site's own, in whichever direction it runs. `locale`: the language that it is in, where that is known. */
export const theirs = (text: string, locale?: string): Html =>
  html`<bdi${locale !== undefined && html` lang="${locale}"`}>${text}</bdi>`;

export type NoticeWord = {
  [Name in keyof PortalWords]: PortalWords[Name] extends string ? Name : never;
}[keyof PortalWords];
