import {
  purposeOf,
  purposeView as textOf,
  versionInForce,
  type CatalogueState,
  type CataloguedPurpose,
} from '../../catalogue/index.js';
import type { ConsentStateView, PurposeView } from '../../consent/index.js';
import { html, joined, NOTHING, type Html, type HtmlValue } from '../../pages/html.js';
import { span } from '../../pages/dates.js';
import type { ShownPage } from '../../pages/frame.js';
import { formOf, framed, said, theirs, filled, filledAt, moment } from './frame.js';
import type { PortalPlace } from './place.js';
import { offeredOn } from './consent-offers.js';

/** What a site may do with a person's data: what they said about each purpose, to what, when, and how to take it back. */
export function consentsPage(
  place: PortalPlace,
  catalogue: CatalogueState,
  view: ConsentStateView,
  saved: boolean,
): ShownPage {
  const { words } = place;
  const cards = Object.entries(view.purposes).flatMap(([key, state]) => {
    const purpose = purposeOf(catalogue, key);
    return purpose ? [{ order: orderOf(place, purpose), card: cardOf(place, purpose, state) }] : [];
  });
  const items = cards.sort((a, b) => a.order - b.order).map(({ card }) => html`<li class="card">${card}</li>`);
  const main = html`${saved ? said(filled(place, words.saved), 'status') : ''}<p>${filled(place, words.consentsText)}</p>
${items.length === 0 ? html`<p>${words.nothingHere}</p>` : html`<ul class="cards">\n${joined(items, '\n')}\n</ul>`}`;
  return framed(place, { title: words.consents, current: 'consents', main });
}

/** What can be chosen comes first. */
const orderOf = ({ at }: PortalPlace, purpose: CataloguedPurpose): number =>
  ['OPT_IN', 'OPT_OUT', 'NOTICE_ONLY', 'ALWAYS_ON'].indexOf(
    (versionInForce(purpose, at) ?? purpose.versions.at(-1)!).definition.consentModel,
  );

function cardOf(place: PortalPlace, purpose: CataloguedPurpose, state: PurposeView): Html {
  const { words, wishes, at, session } = place;
  const current = versionInForce(purpose, at) ?? purpose.versions.at(-1)!;
  const shown = textOf(purpose, current, wishes, at);
  const decided = purpose.versions.find(({ version }) => version === state.purposeVersion);
  const id = `p-${shown.key}`;
  const receipt =
    state.receiptId !== null && session!.scopes.includes('receipts:read')
      ? html`<a href="${place.path}/receipt?id=${state.receiptId}" aria-label="${words.receipt}: ${shown.name}">${words.receipt}</a>`
      : '';
  const isOlder = decided !== undefined && decided.version !== current.version;
  const agreed = isOlder
    ? details(
        place,
        html`${words.agreedTo} (${moment(state.givenAt!, place.language)})`,
        textOf(purpose, decided, wishes, at),
      )
    : '';
  const summary = !isOlder && state.state === 'GRANTED' ? words.agreedTo : words.about;
  return html`<h2 id="${id}">${theirs(shown.name, shown.locale)}</h2>
<p class="state ${state.effective === 'ALLOWED' ? 'yes' : 'no'}">${state.effective === 'ALLOWED' ? words.allowed : words.notAllowedState}</p>
<p>${theirs(shown.description, shown.locale)}</p>
<p>${whatWasSaid(place, shown, state)}</p>
${details(place, summary, shown)}${agreed}
<div class="actions">${formFor(place, shown, state, id)}${receipt}</div>`;
}

function whatWasSaid(place: PortalPlace, shown: ReturnType<typeof textOf>, state: PurposeView): HtmlValue {
  const { words } = place;
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
    return words.needed;
  const at = state.state === 'EXPIRED' ? state.expiresAt : state.givenAt;
  const answer = at === null ? filled(place, sentence) : filledAt(place, sentence, at);
  return state.state === 'GRANTED' && state.expiresAt !== null
    ? html`${answer} ${filledAt(place, words.goodUntil, state.expiresAt)}`
    : answer;
}

function details(place: PortalPlace, summary: HtmlValue, shown: ReturnType<typeof textOf>): Html {
  const { words, language } = place;
  const rows: [string, HtmlValue][] = [
    [words.controller, html`${theirs(shown.controller.name)}, ${theirs(shown.controller.contact)}`],
    ...(shown.dataCategories.length > 0
      ? [
          [
            words.dataUsed,
            joined(
              shown.dataCategories.map(({ key }) => theirs(key)),
              ', ',
            ),
          ] as [string, Html],
        ]
      : []),
    ...(shown.recipients.length > 0
      ? [
          [
            words.recipients,
            joined(
              shown.recipients.map(({ name, country }) =>
                theirs(country === undefined ? name : `${name} (${country})`),
              ),
              ', ',
            ),
          ] as [string, Html],
        ]
      : []),
    ...(shown.retention === null ? [] : [[words.keptFor, span(shown.retention, language)] as [string, string]]),
  ];
  return html`<details><summary>${summary}</summary>
<p>${theirs(shown.legalText, shown.locale)}</p>
<dl>${joined(
    rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`),
    '\n',
  )}</dl>
</details>`;
}

/** One button, in the same place and of the same look whether it gives or takes back. */
function formFor(place: PortalPlace, shown: ReturnType<typeof textOf>, state: PurposeView, id: string): Html {
  if (!place.session!.scopes.includes('consent:write')) return NOTHING;
  const offer = offeredOn(shown, state);
  if (offer === null) return NOTHING;
  const label = { GRANTED: place.words.agree, WITHDRAWN: place.words.withdraw, OBJECTED: place.words.object }[offer];
  return formOf(
    place,
    'consent',
    html`<input type="hidden" name="purpose" value="${shown.key}">
<input type="hidden" name="version" value="${shown.version}">
<input type="hidden" name="locale" value="${shown.locale}">
<input type="hidden" name="decision" value="${offer}">
<button class="quiet" aria-describedby="${id}">${label}</button>`,
  );
}
