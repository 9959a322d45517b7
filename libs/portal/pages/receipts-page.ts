import { ARCHIVE_WORDS, type ArchiveNames } from '../../data-requests/index.js';
import { html, joined, type Html } from '../../pages/html.js';
import type { ListedReceipt } from '../../consent/services.js';
import type { ShownPage } from '../../pages/frame.js';
import { framed, theirs, filled, moment } from './frame.js';
import type { PortalPlace } from './place.js';

/** Every receipt of a person, also of decisions that do not stand any more, newest first. */
export function receiptsPage(
  place: PortalPlace,
  names: ArchiveNames,
  { data, next }: { data: readonly ListedReceipt[]; next: string | null },
): ShownPage {
  const { words, path } = place;
  const items = data.map((receipt) => html`<li class="card">${cardOf(place, names, receipt)}</li>`);
  const older =
    next === null
      ? ''
      : html`\n<p><a href="${path}/receipts?before=${encodeURIComponent(next)}">${words.olderReceipts}</a></p>`;
  // A page without any is the last one, or one of many events that have no receipt.
  const list =
    items.length > 0
      ? html`<ul class="cards">\n${joined(items, '\n')}\n</ul>`
      : next === null
        ? html`<p>${words.noReceipts}</p>`
        : '';
  const main = html`<p>${filled(place, words.receiptsText)}</p>\n${list}${older}`;
  return framed(place, { title: words.receipts, current: 'receipts', main });
}

function cardOf(place: PortalPlace, names: ArchiveNames, { receiptId, about, answer, at }: ListedReceipt): Html {
  const { words, language, path } = place;
  const named = about.map((each) => names.of(each) ?? each);
  const said = answerIn(language, about, answer);
  const [heading, when, link] = ['about', 'at', 'show'].map((part) => `${part}-${receiptId}`);
  return html`<h2 id="${heading}">${joined(
    named.map((name) => theirs(name)),
    ', ',
  )}</h2>
<p>${said === null ? '' : `${said}: `}${moment(at, language, html` id="${when}"`)}</p>
<div class="actions"><a id="${link}" href="${path}/receipt?id=${receiptId}" aria-labelledby="${link} ${heading} ${when}">${words.receipt}</a></div>`;
}

/** Null where nothing can be said in one word. To want no messages at all is a wish that is switched on. */
function answerIn(language: PortalPlace['language'], about: readonly string[], answer: string | null): string | null {
  const { answers, switchedOn, switchedOff } = ARCHIVE_WORDS[language];
  if (about.includes('globalOptOut'))
    return about.length > 1 || answer === null ? null : answer === 'DENIED' ? switchedOn : switchedOff;
  return answer !== null && Object.hasOwn(answers, answer) ? answers[answer as keyof typeof answers] : null;
}
