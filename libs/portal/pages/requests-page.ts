import { ARCHIVE_WORDS, DATA_REQUEST_TYPES } from '../../data-requests/index.js';
import { escapeHtml } from '../../platform/http/docs/page.js';
import type { PortalRequest } from '../doors.js';
import { day, dayAndTime } from '../texts/dates.js';
import { formOf, framed, said, told, type ShownPage } from './frame.js';
import type { PortalPlace } from './place.js';

const DETAILS_LENGTH_MAX = 4000;

/** The requests of somebody with their dates, newest first, and a new one. */
export function requestsPage(place: PortalPlace, requests: readonly PortalRequest[], sent: boolean): ShownPage {
  const { words, session } = place;
  const items = requests.map((request) => `<li class="card">${cardOf(place, request)}</li>`);
  const list =
    items.length === 0 ? `<p>${escapeHtml(words.noRequests)}</p>` : `<ul class="cards">\n${items.join('\n')}\n</ul>`;
  const main = `${sent ? said(told(place, words.requestSent), 'status') : ''}<p>${told(place, words.requestsText)}</p>
${list}
${session!.scopes.includes('requests:write') ? newRequest(place) : ''}`;
  return framed(place, { title: words.requests, current: 'requests', main });
}

function cardOf(place: PortalPlace, request: PortalRequest): string {
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
<dl>${rows.join('\n')}</dl>
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

function newRequest(place: PortalPlace): string {
  const { words, language } = place;
  const { kinds } = ARCHIVE_WORDS[language];
  const options = DATA_REQUEST_TYPES.map((type) => `<option value="${type}">${escapeHtml(kinds[type])}</option>`);
  return `<section aria-labelledby="new"><h2 id="new">${escapeHtml(words.newRequest)}</h2>
${formOf(
  place,
  'request',
  `<label for="kind">${escapeHtml(words.kindOfRequest)}</label>
<select id="kind" name="type" required><option value=""></option>${options.join('')}</select>
<label for="details">${escapeHtml(words.details)}</label>
<textarea id="details" name="details" rows="4" maxlength="${DETAILS_LENGTH_MAX}"></textarea>
<button>${escapeHtml(words.sendRequest)}</button>`,
  ' class="card"',
)}
</section>`;
}
