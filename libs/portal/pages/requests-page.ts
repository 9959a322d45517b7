import { DATA_REQUEST_TYPES, type ListedDataRequest } from '../../data-requests/index.js';
import { escapeHtml } from '../../platform/http/docs/page.js';
import { day } from '../texts/dates.js';
import { formOf, framed, said, told, type ShownPage } from './frame.js';
import type { PortalPlace } from './place.js';

const DETAILS_LENGTH_MAX = 4000;

/** The requests of somebody with their dates, newest first, and a new one. */
export function requestsPage(place: PortalPlace, requests: readonly ListedDataRequest[], sent: boolean): ShownPage {
  const { words, session } = place;
  const items = requests.map((request) => `<li class="card">${cardOf(place, request)}</li>`);
  const list =
    items.length === 0 ? `<p>${escapeHtml(words.noRequests)}</p>` : `<ul class="cards">\n${items.join('\n')}\n</ul>`;
  const main = `${sent ? said(told(place, words.requestSent), 'status') : ''}<p>${told(place, words.requestsText)}</p>
${list}
${session!.scopes.includes('requests:write') ? newRequest(place) : ''}`;
  return framed(place, { title: words.requests, current: 'requests', main });
}

function cardOf({ words, language }: PortalPlace, request: ListedDataRequest): string {
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
  return `<h2>${escapeHtml(words.kinds[request.type])}</h2>
<p class="state">${escapeHtml(words.states[request.state])}</p>
<dl>${rows.join('\n')}</dl>
<p class="soft"><code>${escapeHtml(request.id)}</code></p>`;
}

function newRequest(place: PortalPlace): string {
  const { words } = place;
  const kinds = DATA_REQUEST_TYPES.map((type) => `<option value="${type}">${escapeHtml(words.kinds[type])}</option>`);
  return `<section aria-labelledby="new"><h2 id="new">${escapeHtml(words.newRequest)}</h2>
${formOf(
  place,
  'request',
  `<label for="kind">${escapeHtml(words.kindOfRequest)}</label>
<select id="kind" name="type" required><option value=""></option>${kinds.join('')}</select>
<label for="details">${escapeHtml(words.details)}</label>
<textarea id="details" name="details" rows="4" maxlength="${DETAILS_LENGTH_MAX}"></textarea>
<button>${escapeHtml(words.sendRequest)}</button>`,
  ' class="card"',
)}
</section>`;
}
