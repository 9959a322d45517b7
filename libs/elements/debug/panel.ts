import type { Banner } from '../../client/types.js';
import { tried } from '../../client/page.js';
import type { Allowed } from '../allowed.js';
import type { Blocked } from '../blocking/blocked.js';
import { purposesIn, wantedBy } from '../blocking/wanted.js';
import type { Display } from '../judging/judge.js';
import { styled } from '../page-elements.js';
import type { Settings } from '../settings.js';
import { adviceOn } from './advice.js';
import PANEL_STYLE from './panel.css';

/** What the panel asks of the page. */
export interface PageOfDebug {
  readonly allowed: Allowed;
  readonly blocked: Blocked;
  readonly settings: Settings;
  /** What is asked, or would be; null before the service has answered. */
  readonly banner: Banner | null;
  readonly display: () => Display | undefined;
}

interface Problem {
  code: string;
  message: string;
  hint: string;
}
type Row = readonly [name: string, ...values: string[]];

/** Most problems and records that are listed, the newest first. */
const LISTED_MAX = 20;
const EVENTS = ['assent-ready', 'assent-shown', 'assent-choice', 'assent-closed', 'assent-open', 'assent-shut'];

/**
 * A panel for builders of the page (`data-debug`): what is allowed, by which rule, what is held back, what was recorded and
 * what went wrong. In English. It shows nothing of the person but what this page has anyway, and keeps nothing.
 */
export function showPanel(page: PageOfDebug): void {
  const problems: Problem[] = [];
  const records: string[] = [];
  const host = document.createElement('assent-debug');
  const root = host.attachShadow({ mode: 'open' });
  styled(root, PANEL_STYLE);
  const content = made('div', { class: 'content', tabindex: '0' });
  const panel = made('details', {}, made('summary', {}, 'Assent'), content);
  root.append(made('aside', { lang: 'en', dir: 'ltr', 'aria-label': 'Assent, for builders of this page' }, panel));

  const draw = (): void => {
    if (!panel.open) return;
    content.replaceChildren(
      section('Problems', problemRows(page, problems), 'None.'),
      section('Place and rule', ruleRows(page), 'The service has not answered yet.'),
      section('Purposes', purposeRows(page), 'None is known yet.'),
      section('Held back', heldRows(page), 'Nothing.'),
      section('On the screen', displayRows(page), 'No banner is shown.'),
      section('Presentation token', tokenRows(page), 'None.'),
      section(
        'Records of this page',
        records.map((id): Row => [id]),
        'None yet.',
      ),
    );
  };
  panel.addEventListener('toggle', draw);
  for (const event of EVENTS) document.addEventListener(event, () => setTimeout(draw));
  document.addEventListener('assent-choice', ({ detail }: CustomEventInit<{ records: string[] }>) => {
    records.unshift(...(detail?.records ?? []));
    records.length = Math.min(records.length, LISTED_MAX);
  });
  document.addEventListener('assent-problem', ({ detail }: CustomEventInit<Problem>) => {
    if (detail) problems.unshift(detail);
    problems.length = Math.min(problems.length, LISTED_MAX);
    panel.open = true;
    draw();
  });
  page.allowed.onChange(() => setTimeout(draw));
  document.body.append(host);
}

function made<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>>,
  ...inside: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...inside);
  return element;
}

function section(title: string, rows: readonly Row[], none: string): HTMLElement {
  const list = made('dl', {});
  for (const [name, ...values] of rows)
    list.append(made('dt', {}, name), ...values.map((value) => made('dd', {}, value)));
  return made('section', {}, made('h2', {}, title), rows.length > 0 ? list : made('p', {}, none));
}

const problemRows = ({ settings }: PageOfDebug, problems: readonly Problem[]): Row[] =>
  problems.map(({ code, message, hint }) => [
    code,
    message,
    adviceOn(code, { origin: location.origin, key: settings.key }) ?? hint,
  ]);

function ruleRows({ banner }: PageOfDebug): Row[] {
  if (!banner) return [];
  const { policy, presentation, layout, version, locale, behaviour } = banner;
  const place = policy.region ?? policy.country ?? 'unknown: the strictest rule applies';
  return [
    ['Place', place],
    ['Shown', `${presentation}, as ${layout}, version ${version}, in ${locale}`],
    ['Closing it', behaviour.dismiss === 'REJECT' && presentation === 'OPT_IN' ? 'refuses' : 'says nothing'],
    [
      'Asked again',
      behaviour.resurfaceAfterDays === null ? 'at the next visit' : `after ${behaviour.resurfaceAfterDays} days`,
    ],
  ];
}

const purposeRows = ({ allowed, banner }: PageOfDebug): Row[] =>
  (banner?.purposes ?? []).map(({ key, version, consentModel }) => [
    key,
    `${allowed.allows({ purposes: [key] }) ? 'allowed' : 'not allowed'}; ${consentModel}, version ${version}`,
  ]);

/** Each element that waits, with the purposes that it waits for. */
function heldRows({ allowed, blocked }: PageOfDebug): Row[] {
  const gates = [...document.querySelectorAll<HTMLElement & { allowed?: boolean }>('assent-gate')].filter(
    (gate) => gate.allowed !== true,
  );
  const waits = (purposes: readonly string[], any = false): string =>
    `waits for ${purposes.filter((key) => !allowed.allows({ purposes: [key] })).join(any ? ' or ' : ' and ')}`;
  return [
    ...blocked.held().map((element): Row => {
      const { purposes, any } = wantedBy(element)!;
      return [named(element), waits(purposes, any)];
    }),
    ...gates.map((gate): Row => ['<assent-gate>', waits(purposesIn(gate.getAttribute('purpose') ?? ''))]),
  ];
}

/** `<script src="…">`, without what stands in its address behind the path. */
function named(element: Element): string {
  const address = element.getAttribute('src') ?? element.getAttribute('data-src');
  const shown = address?.replace(/[?#].*/, '');
  return `<${element.localName}${shown ? ` src="${shown}"` : ''}>`;
}

const displayRows = ({ display }: PageOfDebug): Row[] =>
  (display()?.checks ?? []).map(({ check, passed, measured }) => [
    check,
    `${passed ? 'passed' : 'failed: the record of a choice will say so'} (${measured})`,
  ]);

function tokenRows({ banner }: PageOfDebug): Row[] {
  const token = banner?.presentationToken;
  if (!token) return [];
  const claims = tried(
    () => JSON.parse(atob(token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/'))) as Record<string, unknown>,
  );
  return [
    ['Shown at', String(claims?.['shownAt'] ?? 'unknown')],
    ['Counts until', String(claims?.['expiresAt'] ?? 'unknown')],
    ['Length', `${token.length} characters`],
  ];
}
