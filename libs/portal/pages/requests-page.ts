import { topicPath, type FieldValue } from '../../catalogue/index.js';
import { ARCHIVE_WORDS, type Correction } from '../../data-requests/index.js';
import { escapeHtml } from '../../http/docs/page.js';
import type { PortalRequest } from '../doors.js';
import { day, dayAndTime } from '../../pages/dates.js';
import { countryName, languageName } from '../texts/names.js';
import { formOf, framed, said, theirs, told, type NoticeWord, type ShownPage } from './frame.js';
import type { PortalPlace } from './place.js';
import { requestForm, type RequestDraft } from './request-form.js';
import type { SiteNames } from './site-names.js';

/** The requests of somebody with their dates, newest first, and a new one. `news`: what became of the one just sent. */
export function requestsPage(
  place: PortalPlace,
  known: SiteNames,
  requests: readonly PortalRequest[],
  draft: RequestDraft,
  news: NoticeWord | null,
): ShownPage {
  const { words, session } = place;
  const items = requests.map((request) => `<li class="card">${cardOf(place, known, request)}</li>`);
  const list =
    items.length === 0 ? `<p>${escapeHtml(words.noRequests)}</p>` : `<ul class="cards">\n${items.join('\n')}\n</ul>`;
  const main = `${news === null ? '' : said(told(place, words[news]), 'status')}<p>${told(place, session!.limitedTo === null ? words.requestsText : words.limited)}</p>
${list}
${session!.scopes.includes('requests:write') ? requestForm(place, draft, known.names) : ''}`;
  return framed(place, { title: words.requests, current: 'requests', main });
}

function cardOf(place: PortalPlace, known: SiteNames, request: PortalRequest): string {
  const { words, language } = place;
  const { kinds, states } = ARCHIVE_WORDS[language];
  const dates: [string, string | null][] = [
    [words.receivedOn, request.receivedAt],
    [words.answerBy, request.closedAt === null ? (request.extendedDueAt ?? request.dueAt) : null],
    [words.answeredOn, request.closedAt],
  ];
  const rows = dates.flatMap(([name, at]) =>
    at === null
      ? []
      : [`<dt>${escapeHtml(name)}</dt><dd><time datetime="${at}">${escapeHtml(day(at, language))}</time></dd>`],
  );
  return `<h2>${escapeHtml(kinds[request.type])}</h2>
<p class="state">${escapeHtml(states[request.state])}</p>
<dl>${[...rows, ...correctionsOf(place, known, request.corrections)].join('\n')}</dl>
<p class="soft"><code>${escapeHtml(request.id)}</code></p>${archiveOf(place, request)}`;
}

/** The archive that answered a request: one button fetches it, once. */
function archiveOf(place: PortalPlace, { id, effect, archive, type }: PortalRequest): string {
  if (effect?.kind !== 'ARCHIVE') return '';
  const { link, kinds } = ARCHIVE_WORDS[place.language];
  const say = (text: string, at?: string): string =>
    `<p>${told(place, text, at === undefined ? {} : { time: dayAndTime(at, place.language) })}</p>\n`;
  if (archive === null) return say(link.over);
  if (!archive.isOffered) return say(link.fetched, archive.fetchedAt!);
  const form = formOf(
    place,
    'archive',
    `<input type="hidden" name="request" value="${escapeHtml(id)}">
<button aria-label="${escapeHtml(`${link.button}: ${kinds[type]}`)}">${escapeHtml(link.button)}</button>`,
  );
  return `${say(link.text, archive.keptUntil)}<div class="actions">${form}</div>\n`;
}

/** What is to be put right: of each thing what is wrong, where that is known, and what is right. */
function correctionsOf(place: PortalPlace, known: SiteNames, corrections: readonly Correction[]): string[] {
  const { words } = place;
  const side = (name: string, text: string): string => `<span class="soft">${escapeHtml(name)}:</span> ${theirs(text)}`;
  return corrections.map((correction) => {
    const { value, replaces } = correction;
    const sides = [
      ...(replaces === undefined ? [] : [side(words.wrongOne, replaces)]),
      value === null ? escapeHtml(words.remove) : side(words.rightOne, shownValue(place, known, correction)),
    ];
    return `<dt>${theirs(nameOf(place, known, correction))}</dt><dd>${sides.join('<br>')}</dd>`;
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
