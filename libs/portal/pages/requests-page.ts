import { topicPath, type FieldValue } from '../../catalogue/index.js';
import { ARCHIVE_WORDS, type Correction } from '../../data-requests/index.js';
import type { Instant } from '../../kernel/index.js';
import { html, joined, NOTHING, type Html } from '../../pages/html.js';
import type { PortalRequest } from '../../data-requests/services.js';
import { day } from '../../pages/dates.js';
import { countryName, languageName } from '../texts/names.js';
import type { ShownPage } from '../../pages/frame.js';
import { formOf, framed, said, theirs, filled, filledAt, type NoticeWord } from './frame.js';
import type { PortalPlace } from './place.js';
import { requestForm, type RequestDraft } from './request-form.js';
import type { SiteNames } from './site-names.js';

/** The requests of a person with their dates, newest first, and a new one. `news`: what became of the one just sent. */
export function requestsPage(
  place: PortalPlace,
  known: SiteNames,
  requests: readonly PortalRequest[],
  draft: RequestDraft,
  news: NoticeWord | null,
): ShownPage {
  const { words, session } = place;
  const items = requests.map((request) => html`<li class="card">${cardOf(place, known, request)}</li>`);
  const list =
    items.length === 0 ? html`<p>${words.noRequests}</p>` : html`<ul class="cards">\n${joined(items, '\n')}\n</ul>`;
  const main = html`${news === null ? '' : said(filled(place, words[news]), 'status')}<p>${filled(place, session!.limitedTo === null ? words.requestsText : words.limited)}</p>
${list}
${session!.scopes.includes('requests:write') ? requestForm(place, draft, known.names) : ''}`;
  return framed(place, { title: words.requests, current: 'requests', main });
}

function cardOf(place: PortalPlace, known: SiteNames, request: PortalRequest): Html {
  const { words, language } = place;
  const { kinds, states } = ARCHIVE_WORDS[language];
  const dates: [string, string | null][] = [
    [words.receivedOn, request.receivedAt],
    [words.answerBy, request.closedAt === null ? (request.extendedDueAt ?? request.dueAt) : null],
    [words.answeredOn, request.closedAt],
  ];
  const rows = dates.flatMap(([name, at]) =>
    at === null ? [] : [html`<dt>${name}</dt><dd><time datetime="${at}">${day(at, language)}</time></dd>`],
  );
  return html`<h2>${kinds[request.type]}</h2>
<p class="state">${states[request.state]}</p>
<dl>${joined([...rows, ...correctionsOf(place, known, request.corrections)], '\n')}</dl>
<p class="soft"><code>${request.id}</code></p>${archiveOf(place, request)}`;
}

/** The archive that answered a request: one button fetches it, once. */
function archiveOf(place: PortalPlace, { id, effect, archive, type }: PortalRequest): Html {
  if (effect?.kind !== 'ARCHIVE') return NOTHING;
  const { link, kinds } = ARCHIVE_WORDS[place.language];
  const say = (text: string, at?: Instant): Html =>
    html`<p>${at === undefined ? filled(place, text) : filledAt(place, text, at)}</p>\n`;
  if (archive === null) return say(link.over);
  if (!archive.isOffered) return say(link.fetched, archive.fetchedAt!);
  const form = formOf(
    place,
    'archive',
    html`<input type="hidden" name="request" value="${id}">
<button aria-label="${link.button}: ${kinds[type]}">${link.button}</button>`,
  );
  return html`${say(link.text, archive.keptUntil)}<div class="actions">${form}</div>\n`;
}

/** What is to be put right: of each thing what is wrong, where that is known, and what is right. */
function correctionsOf(place: PortalPlace, known: SiteNames, corrections: readonly Correction[]): Html[] {
  const { words } = place;
  const side = (name: string, text: string): Html => html`<span class="soft">${name}:</span> ${theirs(text)}`;
  return corrections.map((correction) => {
    const { value, replaces } = correction;
    const sides = [
      ...(replaces === undefined ? [] : [side(words.wrongOne, replaces)]),
      value === null ? words.remove : side(words.rightOne, shownValue(place, known, correction)),
    ];
    return html`<dt>${theirs(nameOf(place, known, correction))}</dt><dd>${sides.map((side, i) => html`${i > 0 && html`<br>`}${side}`)}</dd>`;
  });
}

function nameOf({ words }: PortalPlace, { names }: SiteNames, { kind, field = '' }: Correction): string {
  if (kind === 'country') return words.country;
  if (kind === 'locale') return words.language;
  return kind === 'preference' ? (names.of(field) ?? field) : names.ofKind(kind);
}

function shownValue({ language }: PortalPlace, { template }: SiteNames, { kind, field, value }: Correction): string {
  if (kind === 'country') return countryName(String(value), language);
  if (kind === 'locale') return languageName(String(value), language);
  const { switchedOn, switchedOff } = ARCHIVE_WORDS[language];
  if (typeof value === 'boolean') return value ? switchedOn : switchedOff;
  const found = template.sections
    .flatMap(({ fields }) => fields)
    .find(({ key, channel, topic }) => field === key || (topic !== null && field === topicPath(channel!, topic)));
  const labelOf = (each: FieldValue): string =>
    found?.options.find((option) => option.value === each)?.label ?? String(each as string | number);
  return Array.isArray(value) ? value.map(labelOf).join(', ') : labelOf(value);
}
