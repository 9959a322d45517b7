import type { Language } from '../../pages/languages.js';
import type { Holdings } from './holdings.js';

/** Names the layout of `your-data.json`; another layout gets another name. */
export const ARCHIVE_SCHEMA = 'urn:assent:subject-archive:1';

/** What an archive is of. */
export interface ArchiveOf {
  requestId: string;
  language: Language;
}

/** How many events there were, known once they were all read. */
export interface Counted {
  events: number;
}

/** `your-data.json`, part by part: one JSON object, whose lists have one entry a line. `counted` is filled in. */
export async function* archiveJson(
  holdings: Holdings,
  { requestId, language }: ArchiveOf,
  counted: Counted,
): AsyncGenerator<string> {
  const { scope, family, at } = holdings;
  const head = {
    schema: ARCHIVE_SCHEMA,
    request: requestId,
    site: scope.site,
    environment: scope.env,
    language,
    madeAt: at,
    subject: { id: family[0], merged: family.slice(1) },
    identifiers: await holdings.identifiers(),
    standing: await holdings.stood(),
    requests: await holdings.requests(),
  };
  yield JSON.stringify(head).slice(0, -1);
  yield* list('history', historyOf(holdings, counted));
  yield* list('texts', paged(holdings.shownTexts()));
  yield* list('deliveries', paged(holdings.deliveries()));
  yield* list('reads', paged(holdings.reads()));
  yield '\n}\n';
}

async function* historyOf(holdings: Holdings, counted: Counted): AsyncGenerator<object[]> {
  for await (const page of holdings.eventsWithReceipts()) {
    counted.events += page.length;
    yield page.map(({ recordedAt, type, subjectId, event, receipt }) => ({
      type,
      recordedAt,
      subject: subjectId,
      data: event && holdings.timeline.ownOf(event, holdings.family),
      receipt,
    }));
  }
}

const PAGE = 200;

async function* paged(items: Iterable<object> | AsyncIterable<object>): AsyncGenerator<object[]> {
  let page: object[] = [];
  for await (const item of items) {
    page.push(item);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

async function* list(name: string, pages: AsyncIterable<object[]>): AsyncGenerator<string> {
  yield `,\n"${name}": [`;
  let separator = '\n';
  for await (const page of pages) {
    yield separator + page.map((item) => JSON.stringify(item)).join(',\n');
    separator = ',\n';
  }
  yield ']';
}
