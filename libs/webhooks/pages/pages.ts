import type { OperatorSession } from '../../access/index.js';
import { html, joined, type Html } from '../../pages/html.js';
import type { ListedAttempt, ListedDelivery } from '../deliveries/listing.js';
import type { ShownPage } from '../../pages/frame.js';
import { described, framed, moment, theirs, type Row } from './frame.js';
import { SHOWN_MAX, type EndpointHealth } from './overview.js';

/** What was just done, by the name that the address says. */
export const DONE = {
  retry: 'The delivery is tried again now.',
  replay: 'The events are sent again, beside what happens meanwhile.',
  pause: 'Nothing is sent to this endpoint until it is resumed.',
  resume: 'The endpoint is sent what it missed.',
} as const;
export type Done = keyof typeof DONE;

/** Where the pages stand, behind the path that the service is published under. */
export interface Place {
  /** `/admin/webhooks` */
  path: string;
  session: OperatorSession;
}

const COUNTED = 10_000;

export const signInPage = (path: string, isWrong: boolean): ShownPage =>
  framed({
    title: 'Sign in',
    main: html`${isWrong ? html`<p class="said" role="alert">This is no operator token, or it is not valid any more.</p>` : ''}
<p>With an operator token, as it was printed at the first start or issued by <code>assent operator-tokens issue</code>.</p>
<form class="panel" method="post" action="${path}">
<input type="hidden" name="action" value="sign-in">
<label for="token">Operator token</label>
<input id="token" name="token" type="password" required autocomplete="current-password" spellcheck="false">
<button>Sign in</button>
</form>`,
  });

/** All endpoints, those that need an operator first. */
export function endpointsPage(place: Place, endpoints: readonly EndpointHealth[]): ShownPage {
  const shown = endpoints.slice(0, SHOWN_MAX);
  const card = (endpoint: EndpointHealth): Html =>
    html`<li><h2><a href="${place.path}?endpoint=${endpoint.id}">${theirs(endpoint.url)}</a></h2>
${described(rowsOf(endpoint))}</li>`;
  const list =
    shown.length === 0
      ? html`<p>There are no endpoints. <code>assent webhooks create</code> makes one.</p>`
      : html`<p>Endpoints of the sites that your roles reach; those that fail come first.</p>\n<ul class="cards">\n${joined(shown.map(card), '\n')}\n</ul>`;
  const more =
    endpoints.length > shown.length ? html`<p>There are more: <code>assent webhooks list</code> shows all.</p>` : '';
  return framed({ title: 'Webhooks', aside: wayOut(place), main: html`${list}${more}` });
}

/** One endpoint: how it is doing, what can be done, and its newest deliveries. */
export function endpointPage(
  place: Place,
  endpoint: EndpointHealth,
  deliveries: readonly ListedDelivery[],
  done: Done | null,
): ShownPage {
  const isOn = endpoint.state === 'ENABLED';
  const item = (delivery: ListedDelivery): Html => html`<li>${deliveryOf(place, endpoint, delivery)}</li>`;
  return framed({
    title: 'Webhook endpoint',
    aside: wayOut(place),
    main: html`<nav aria-label="Webhooks"><a href="${place.path}">All endpoints</a></nav>
${done === null ? '' : html`<p class="said" role="status">${DONE[done]}</p>`}
<p>${theirs(endpoint.url)}</p>
${described([['Id', html`<code>${endpoint.id}</code>`], ...rowsOf(endpoint), ['Types', endpoint.types.join(', ')]])}
<div class="actions">${form(place, endpoint, isOn ? 'pause' : 'resume', html`<button class="quiet">${isOn ? 'Pause' : 'Resume'}</button>`)}</div>
${isOn ? replayForm(place, endpoint) : ''}
<section aria-labelledby="deliveries"><h2 id="deliveries">Newest deliveries</h2>
${deliveries.length === 0 ? html`<p>None yet.</p>` : html`<ul class="cards">\n${joined(deliveries.map(item), '\n')}\n</ul>`}
</section>`,
  });
}

const replayForm = (place: Place, endpoint: EndpointHealth): Html =>
  html`<section aria-labelledby="again"><h2 id="again">Send again</h2>
${form(
  place,
  endpoint,
  'replay',
  html`<label for="since">Since (UTC)</label>
<input id="since" name="since" type="datetime-local" aria-describedby="since-hint">
<p class="soft" id="since-hint">Left empty: from the beginning. Receivers tell by the id what they had before.</p>
<button class="quiet">Send again</button>`,
  'panel',
)}</section>`;

function deliveryOf(place: Place, endpoint: EndpointHealth, delivery: ListedDelivery): Html {
  const { attempts, state, nextAttemptAt } = delivery;
  const rows: Row[] = [
    ['State', html`<span class="state">${STATES[state]}</span>`],
    ['Made', moment(delivery.createdAt)],
    ...(nextAttemptAt ? ([['Next attempt', moment(nextAttemptAt)]] as Row[]) : []),
    ['Event', html`<code>${delivery.eventId}</code>`],
  ];
  const tried =
    attempts.length === 0
      ? ''
      : html`<details><summary>${attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`}</summary>\n${joined(attempts.map(attemptOf), '\n')}</details>`;
  const again =
    state === 'DELIVERED' || endpoint.state !== 'ENABLED'
      ? ''
      : html`<div class="actions">${form(
          place,
          endpoint,
          'retry',
          html`<input type="hidden" name="delivery" value="${delivery.id}"><button class="quiet" aria-label="Try again now: ${delivery.type}, ${delivery.eventId}">Try again now</button>`,
        )}</div>`;
  return html`<h3>${delivery.type}</h3>\n${described(rows)}\n${tried}${again}`;
}

const STATES = { WAITING: 'Waiting', DELIVERED: 'Delivered', FAILED: 'Given up' } as const;

const attemptOf = ({ number, at, durationMs, status, reason, answer }: ListedAttempt): Html =>
  html`<p>${number}. ${moment(at)}, ${durationMs} ms: ${reason ?? String(status)}</p>
${answer && answer.length > 0 ? html`<pre>${answer.toString()}</pre>` : ''}`;

function rowsOf(endpoint: EndpointHealth): Row[] {
  const { consecutiveFailures: failures, waiting, isBehind } = endpoint;
  const queue = waiting >= COUNTED ? `${COUNTED.toLocaleString('en')} or more` : waiting.toLocaleString('en');
  return [
    ['State', html`<span class="state">${stateOf(endpoint)}</span>`],
    ...(endpoint.description ? ([['For', theirs(endpoint.description)]] as Row[]) : []),
    ['Site', `${endpoint.site}, ${endpoint.env}`],
    ['Last received', moment(endpoint.lastSuccessAt)],
    ...(failures > 0
      ? ([['Failing', html`${failures} in a row, since ${moment(endpoint.failingSince)}`]] as Row[])
      : []),
    ['Waiting', `${queue}${isBehind && endpoint.state === 'ENABLED' ? ', and more to come' : ''}`],
  ];
}

const REASONS: Record<string, string> = {
  GONE: 'the receiver answered that it is gone',
  FAILING: 'it failed for five days',
};
const stateOf = ({ state, disabledReason, consecutiveFailures }: EndpointHealth): string =>
  state === 'DISABLED'
    ? `Disabled: ${REASONS[disabledReason ?? ''] ?? 'no reason is known'}`
    : state === 'PAUSED'
      ? 'Paused'
      : consecutiveFailures > 0
        ? 'Failing'
        : 'In order';

const wayOut = (place: Place): Html =>
  html`<form method="post" action="${place.path}">${hidden(place, 'sign-out')}<button class="quiet">Sign out</button></form>`;

const form = (place: Place, { id }: EndpointHealth, action: string, fields: Html, kind?: string): Html =>
  html`<form method="post" action="${place.path}"${kind && html` class="${kind}"`}>${hidden(place, action)}<input type="hidden" name="endpoint" value="${id}">${fields}</form>`;

const hidden = ({ session }: Place, action: string): Html =>
  html`<input type="hidden" name="form" value="${session.formSecret}"><input type="hidden" name="action" value="${action}">`;
