import type { TemplateView } from '../../catalogue/index.js';
import { html, joined, type Html, type HtmlValue } from '../../pages/html.js';
import type { PreferencesView } from '../../preferences/index.js';
import type { ShownPage } from '../../pages/frame.js';
import { formOf, framed, said, theirs, filled } from './frame.js';
import type { PortalPlace } from './place.js';
import { shownAnswers, type Answer } from './preferences-form.js';

type Field = TemplateView['sections'][number]['fields'][number];

/** What happened just before. */
export interface AfterSaving {
  saved: boolean;
  /** Key of the field that was refused. */
  wrong: string | null;
}

/** The preference centre: every field of the template, a pause and a frequency where there are some, and no messages at all. */
export function preferencesPage(
  place: PortalPlace,
  template: TemplateView,
  view: PreferencesView,
  after: AfterSaving,
): ShownPage {
  const { words, session } = place;
  const answers = shownAnswers(template, view);
  const mayWrite = session!.scopes.includes('preferences:write');
  const optedOut = view.globalOptOut.state === 'ACTIVE';
  const waits = ({ channel, topic }: Field): boolean => view.channels[channel!]?.topics[topic!]?.state === 'PENDING';
  const sections = sectionsOf(place, template, { answers, waits, wrong: after.wrong, withTiming: true });
  const before = JSON.stringify({ answers, optedOut });
  const inside = html`<input type="hidden" name="before" value="${before}">
<fieldset${mayWrite ? '' : html` disabled`} class="all">
${joined(sections, '\n')}
<fieldset>
${choice('none', 'opt-out', optedOut, words.noMessages, words.noMessagesHelp)}
</fieldset>
${mayWrite ? html`<button>${words.save}</button>` : ''}
</fieldset>`;
  const main = html`${after.saved && said(filled(place, words.saved), 'status')}${after.wrong !== null && said(filled(place, words.checkEntry), 'alert')}${sections.length === 0 && html`<p>${words.nothingHere}</p>\n`}${formOf(place, 'preferences', inside)}`;
  return framed(place, { title: words.preferences, current: 'preferences', main });
}

export interface FieldsShown {
  answers: Readonly<Record<string, Answer>>;
  /** Whether a topic waits to be confirmed. */
  waits: (topic: Field) => boolean;
  /** Key of the field that was refused. */
  wrong: string | null;
  /** Whether topics have a frequency and a pause. */
  withTiming: boolean;
}

/** Every section of the template with its fields. */
export function sectionsOf(place: PortalPlace, { sections, locale }: TemplateView, shown: FieldsShown): Html[] {
  const own = (text: string): Html => theirs(text, locale);
  return sections.map(
    ({ title, fields }) => html`<fieldset>
<legend>${own(title)}</legend>
${joined(
  fields.map((field) => fieldOf(place, own, field, shown)),
  '\n',
)}
</fieldset>`,
  );
}

function fieldOf(place: PortalPlace, own: Shown['own'], field: Field, shown: FieldsShown): Html {
  const { words } = place;
  const isWrong = shown.wrong === field.key;
  const id = `f-${field.key}`;
  const notes = [
    ...(field.help === null ? [] : [html`<span id="${id}-help">${own(field.help)}</span>`]),
    ...(field.topic !== null && shown.waits(field) ? [html`<strong>${words.waiting}</strong>`] : []),
    ...(isWrong ? [html`<strong class="wrong">${words.checkEntry}</strong>`] : []),
  ];
  const help = notes.length > 0 && html`<p class="help" id="${id}-notes">${joined(notes, ' ')}</p>`;
  const refers = html`${help && html` aria-describedby="${id}-notes"`}${isWrong && html` aria-invalid="true"`}`;
  const about = { field, id, refers, answer: shown.answers[field.key]!, words, own };
  const inside = field.kind === 'TOGGLE' ? toggle(about, help, place, shown.withTiming) : typed(about, help);
  return html`<div class="field">\n${inside}\n</div>`;
}

interface Shown {
  field: Field;
  id: string;
  /** Attributes that lead to help and mistakes. */
  refers: Html;
  answer: Answer;
  words: PortalPlace['words'];
  /** A text of the template. */
  own: (text: string) => Html;
}

function toggle(
  { field, id, refers, answer, words, own }: Shown,
  help: HtmlValue,
  { at }: PortalPlace,
  withTiming: boolean,
): Html {
  const box = html`<label class="choice" for="${id}"><input type="checkbox" id="${id}" name="value.${field.key}"${answer.value === true ? html` checked` : ''}${refers}><span>${own(field.label)}</span></label>${help}`;
  if (field.topic === null || !withTiming) return box;
  const often =
    field.options.length === 0
      ? ''
      : html`<div><label for="${id}-often">${words.howOften}<span class="soft"> – ${own(field.label)}</span></label>${select(`${id}-often`, `often.${field.key}`, field.options, answer.frequency ?? '', words.noAnswer, null)}</div>`;
  const pause = html`<div><label for="${id}-pause">${words.pauseUntil}<span class="soft"> – ${own(field.label)}</span></label><input type="date" id="${id}-pause" name="pause.${field.key}" value="${answer.pausedUntil ?? ''}" min="${at.slice(0, 10)}"></div>`;
  return html`${box}\n<div class="more">${often}${pause}</div>`;
}

function typed(about: Shown, help: HtmlValue): Html {
  const { field, id, refers, answer, words, own } = about;
  const name = `value.${field.key}`;
  const label = html`<label for="${id}">${own(field.label)}</label>${help}`;
  const text = answer.value === null ? '' : String(answer.value as string | number);
  const { min, max, whole, maxLength } = field.validation;
  const required = field.required && answer.value !== null ? html` required` : '';
  switch (field.kind) {
    case 'SELECT':
    case 'FREQUENCY':
      return html`${label}${select(id, name, field.options, text, required ? null : words.noAnswer, refers)}`;
    case 'MULTI_SELECT': {
      const chosen = answer.value as readonly string[];
      const boxes = field.options.map(
        ({ value, label: said }, i) =>
          html`<label class="choice" for="${id}-${i}"><input type="checkbox" id="${id}-${i}" name="choice.${field.key}.${i}"${chosen.includes(value) ? html` checked` : ''}><span>${own(said)}</span></label>`,
      );
      return html`<div role="group" aria-labelledby="${id}-label"${refers}><span class="label" id="${id}-label">${own(field.label)}</span>${help}${joined(boxes, '\n')}</div>`;
    }
    case 'NUMBER':
      return html`${label}<input type="number" id="${id}" name="${name}" value="${text}"${min === undefined ? '' : html` min="${min}"`}${max === undefined ? '' : html` max="${max}"`} step="${whole ? '1' : 'any'}"${required}${refers}>`;
    case 'DATE':
      return html`${label}<input type="date" id="${id}" name="${name}" value="${text}"${required}${refers}>`;
    default:
      return html`${label}<input type="text" id="${id}" name="${name}" value="${text}" maxlength="${maxLength ?? 1000}"${required}${refers}>`;
  }
}

/** `none`: what stands for no answer; null: one has to be given. */
function select(
  id: string,
  name: string,
  options: Field['options'],
  chosen: string,
  none: string | null,
  refers: HtmlValue,
): Html {
  const all = [...(none === null ? [] : [{ value: '', label: none }]), ...options];
  const items = all.map(
    ({ value, label }) => html`<option value="${value}"${value === chosen ? html` selected` : ''}>${label}</option>`,
  );
  return html`<select id="${id}" name="${name}"${none === null ? html` required` : ''}${refers}>${items}</select>`;
}

const choice = (id: string, name: string, checked: boolean, label: string, help: string): Html =>
  html`<label class="choice" for="${id}"><input type="checkbox" id="${id}" name="${name}"${checked ? html` checked` : ''} aria-describedby="${id}-help"><span>${label}</span></label>
<p class="help" id="${id}-help">${help}</p>`;
