import {
  purposeOf,
  purposeView as textOf,
  versionInForce,
  type CatalogueState,
  type CataloguedPurpose,
} from '../../catalogue/index.js';
import type { ConsentStateView, PurposeView } from '../../consent/index.js';
import { escapeHtml } from '../../http/docs/page.js';
import { dayAndTime, span } from '../../pages/dates.js';
import { formOf, framed, said, theirs, told, type ShownPage } from './frame.js';
import type { PortalPlace } from './place.js';
import { offeredOn } from './consent-offers.js';

/** What a site may do with somebody's data: what they said about each purpose, to what, when, and how to take it back. */
export function consentsPage(
  place: PortalPlace,
  catalogue: CatalogueState,
  view: ConsentStateView,
  saved: boolean,
): ShownPage {
  const { words } = place;
  const cards = Object.entries(view.purposes).flatMap(([key, state]) => {
    const purpose = purposeOf(catalogue, key);
    return purpose ? [{ order: orderOf(place, purpose), html: cardOf(place, purpose, state) }] : [];
  });
  const items = cards.sort((a, b) => a.order - b.order).map(({ html }) => `<li class="card">${html}</li>`);
  const main = `${saved ? said(told(place, words.saved), 'status') : ''}<p>${told(place, words.consentsText)}</p>
${items.length === 0 ? `<p>${escapeHtml(words.nothingHere)}</p>` : `<ul class="cards">\n${items.join('\n')}\n</ul>`}`;
  return framed(place, { title: words.consents, current: 'consents', main });
}

/** What can be chosen comes first. */
const orderOf = ({ at }: PortalPlace, purpose: CataloguedPurpose): number =>
  ['OPT_IN', 'OPT_OUT', 'NOTICE_ONLY', 'ALWAYS_ON'].indexOf(
    (versionInForce(purpose, at) ?? purpose.versions.at(-1)!).definition.consentModel,
  );

function cardOf(place: PortalPlace, purpose: CataloguedPurpose, state: PurposeView): string {
  const { words, wishes, at, session } = place;
  const current = versionInForce(purpose, at) ?? purpose.versions.at(-1)!;
  const shown = textOf(purpose, current, wishes, at);
  const decided = purpose.versions.find(({ version }) => version === state.purposeVersion);
  const id = `p-${shown.key}`;
  const receipt =
    state.receiptId !== null && session!.scopes.includes('receipts:read')
      ? `<a href="${place.path}/receipt?id=${state.receiptId}" aria-label="${escapeHtml(`${words.receipt}: ${shown.name}`)}">${escapeHtml(words.receipt)}</a>`
      : '';
  const isOlder = decided !== undefined && decided.version !== current.version;
  const agreed = isOlder
    ? details(
        place,
        `${words.agreedTo} (${dayAndTime(state.givenAt!, place.language)})`,
        textOf(purpose, decided, wishes, at),
      )
    : '';
  const summary = !isOlder && state.state === 'GRANTED' ? words.agreedTo : words.about;
  return `<h2 id="${id}">${theirs(shown.name, shown.locale)}</h2>
<p class="state">${escapeHtml(state.effective === 'ALLOWED' ? words.allowed : words.notAllowedState)}</p>
<p>${theirs(shown.description, shown.locale)}</p>
<p>${whatWasSaid(place, shown, state)}</p>
${details(place, summary, shown)}${agreed}
<div class="actions">${formFor(place, shown, state, id)}${receipt}</div>`;
}

function whatWasSaid(place: PortalPlace, shown: ReturnType<typeof textOf>, state: PurposeView): string {
  const { words, language } = place;
  const sentence = {
    GRANTED: words.agreedOn,
    DENIED: words.refusedOn,
    WITHDRAWN: words.withdrawnOn,
    OBJECTED: words.objectedOn,
    ACKNOWLEDGED: words.acknowledgedOn,
    EXPIRED: words.expiredOn,
    PENDING: words.waiting,
    NOT_COLLECTED: words.silent,
  }[state.state];
  if (state.state === 'NOT_COLLECTED' && state.effective === 'ALLOWED' && offeredOn(shown, state) === null)
    return escapeHtml(words.needed);
  const at = state.state === 'EXPIRED' ? state.expiresAt : state.givenAt;
  const answer = told(place, sentence, at === null ? {} : { time: dayAndTime(at, language) });
  const until =
    state.state === 'GRANTED' && state.expiresAt !== null
      ? ` ${told(place, words.goodUntil, { time: dayAndTime(state.expiresAt, language) })}`
      : '';
  return answer + until;
}

function details(place: PortalPlace, summary: string, shown: ReturnType<typeof textOf>): string {
  const { words, language } = place;
  const rows: [string, string][] = [
    [words.controller, `${theirs(shown.controller.name)}, ${theirs(shown.controller.contact)}`],
    ...(shown.dataCategories.length > 0
      ? [[words.dataUsed, shown.dataCategories.map(({ key }) => theirs(key)).join(', ')] as [string, string]]
      : []),
    ...(shown.recipients.length > 0
      ? [
          [
            words.recipients,
            shown.recipients
              .map(({ name, country }) => theirs(country === undefined ? name : `${name} (${country})`))
              .join(', '),
          ] as [string, string],
        ]
      : []),
    ...(shown.retention === null
      ? []
      : [[words.keptFor, escapeHtml(span(shown.retention, language))] as [string, string]]),
  ];
  return `<details><summary>${escapeHtml(summary)}</summary>
<p>${theirs(shown.legalText, shown.locale)}</p>
<dl>${rows.map(([name, html]) => `<dt>${escapeHtml(name)}</dt><dd>${html}</dd>`).join('\n')}</dl>
</details>`;
}

/** One button, in the same place and of the same look whether it gives or takes back. */
function formFor(place: PortalPlace, shown: ReturnType<typeof textOf>, state: PurposeView, id: string): string {
  if (!place.session!.scopes.includes('consent:write')) return '';
  const offer = offeredOn(shown, state);
  if (offer === null) return '';
  const label = { GRANTED: place.words.agree, WITHDRAWN: place.words.withdraw, OBJECTED: place.words.object }[offer];
  return formOf(
    place,
    'consent',
    `<input type="hidden" name="purpose" value="${escapeHtml(shown.key)}">
<input type="hidden" name="version" value="${shown.version}">
<input type="hidden" name="locale" value="${escapeHtml(shown.locale)}">
<input type="hidden" name="decision" value="${offer}">
<button aria-describedby="${id}">${escapeHtml(label)}</button>`,
  );
}
