import type { PurposeCategory } from '../../kernel/index.js';
import { html, joined, type Html } from '../../pages/html.js';
import { docsPage, filter, inline } from '../../http/docs/page.js';
import type { GpcStanding, PolicyModel, RequestType } from '../rule.js';
import { policyTables, TABLE_INTRODUCTION, type PolicyTable, type TableRow } from './table.js';

/** What silence means, for the line of a place and as a sentence. */
const MODELS: Record<PolicyModel, [short: string, sentence: string]> = {
  OPT_IN: ['ask first', 'Nothing happens without asking: a person must agree first.'],
  OPT_OUT: ['let people object', 'Everything may happen until the person objects.'],
  NOTICE_ONLY: ['tell people', 'Everything may happen once notice was given.'],
  NONE: ['no rule', 'No act is known that asks for consent.'],
};
const GPC: Record<GpcStanding, string> = {
  BINDING: 'must be honoured',
  ADVISORY: 'may be honoured',
  IGNORED: 'has no meaning here',
};
const CATEGORIES: Record<PurposeCategory, string> = {
  NECESSARY: 'what is necessary',
  FUNCTIONAL: 'functions',
  ANALYTICS: 'analytics',
  MARKETING: 'marketing',
  PERSONALIZATION: 'personalization',
  SOCIAL: 'social media',
  SALE_SHARE: 'sale and sharing',
  SENSITIVE: 'sensitive data',
  COMMUNICATION: 'messages',
  OTHER: 'other purposes',
};

const REQUESTS: Record<RequestType, string> = {
  ACCESS: 'access',
  PORTABILITY: 'portability',
  ERASURE: 'erasure',
  RECTIFICATION: 'correction',
  RESTRICTION: 'restriction',
  OBJECTION: 'objection',
  WITHDRAW_ALL: 'withdrawal of everything',
  OPT_OUT_SALE_SHARE: 'opt-out of sale and sharing',
  OPT_OUT_TARGETED_ADS: 'opt-out of targeted ads',
};

/** `/docs/policy`: every place as a line that opens; the rules in words, their sources a press away. Works without scripts. */
export function policyPage(prefix: string): string {
  const tables = policyTables();
  return docsPage({
    title: 'Law by place – Assent',
    prefix,
    at: '/docs/policy',
    heading: 'Law by place',
    parts: tables.map(({ title }) => ({ id: anchorOf(title), title })),
    main: html`<p>${inline(TABLE_INTRODUCTION)}</p>
<p><a href="${prefix}/docs/guides/policy">What these data are, and how to review them</a></p>
${filter('Find a place by its name')}
${joined(tables.map(section), '\n')}`,
  });
}

const anchorOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

function section({ title, rows }: PolicyTable): Html {
  const id = anchorOf(title);
  const places = new Map<string, TableRow[]>();
  for (const row of rows) places.set(row.code, [...(places.get(row.code) ?? []), row]);
  return html`<section data-filtered>
<h2 id="${id}"><a href="#${id}">${title}</a></h2>
${joined([...places.values()].map(place), '\n')}
</section>`;
}

/** The line says what holds by the newest rule; the rules stand in it, the newest first. */
function place(rows: readonly TableRow[]): Html {
  const { code, name, rule } = rows.at(-1)!;
  return html`<details class="place" id="${code === '' ? 'elsewhere' : code}" data-filtered="${name} ${code}"><summary><b>${name}</b> <span class="soft">${MODELS[rule.model][0]}</span></summary>
${[...rows].reverse().map(ruleInWords)}${code !== '' && html`<p class="soft">In answers and files: <code>${code}</code></p>\n`}</details>`;
}

/** Names of fields, such as `dataRequests.dueDays`. */
const inWords = (field: string): string =>
  field.replaceAll('.', ', ').replace(/[a-z][A-Z]/g, ([end, begin]) => `${end} ${begin!.toLowerCase()}`);

function ruleInWords({ from, acts, rule, dataRequests, consent }: TableRow): Html {
  const exceptions = Object.entries(rule.defaults) as [PurposeCategory, 'GRANTED' | 'DENIED'][];
  const facts: [name: string, fact: Html | string][] = [
    ['Asking', MODELS[rule.model][1]],
    ...exceptions.map(([category, given]): [string, string] => [
      `But ${CATEGORIES[category]}`,
      given === 'GRANTED' ? 'may happen until the person objects' : 'needs a yes first',
    ]),
    ['Global Privacy Control', GPC[rule.gpc]],
    ['Requests of people', dataRequests.replace(/[A-Z_]{4,}/g, (type) => REQUESTS[type as RequestType] ?? type)],
    ...(consent === '' ? [] : [['Consent', consent] as [string, string]]),
    ['Acts', acts],
    ...rule.doubts.map(({ field, doubt }): [string, Html] => ['To be reviewed', inline(`${inWords(field)}: ${doubt}`)]),
  ];
  const sources = rule.regulations.map(({ name, source }) => html`<li>${inline(`${name}: ${source}`)}</li>\n`);
  return html`<div class="rule">
${from !== '' && html`<p><b>From ${from}</b></p>\n`}<dl>
${facts.map(([name, fact]) => html`<div><dt>${name}</dt><dd>${fact}</dd></div>\n`)}</dl>
${sources.length > 0 && html`<details><summary>Sources</summary><ul>\n${sources}</ul></details>\n`}</div>
`;
}
