import type { TemplateView } from '../../catalogue/index.js';
import { escapeHtml } from '../../http/docs/page.js';
import type { PreferencesView } from '../../preferences/index.js';
import { formOf, framed, said, theirs, told, type ShownPage } from './frame.js';
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
  const inside = `<input type="hidden" name="before" value="${escapeHtml(before)}">
<fieldset${mayWrite ? '' : ' disabled'} class="all">
${sections.join('\n')}
<fieldset>
${choice('none', 'opt-out', optedOut, escapeHtml(words.noMessages), escapeHtml(words.noMessagesHelp))}
</fieldset>
${mayWrite ? `<button>${escapeHtml(words.save)}</button>` : ''}
</fieldset>`;
  const messages = [
    ...(after.saved ? [said(told(place, words.saved), 'status')] : []),
    ...(after.wrong === null ? [] : [said(told(place, words.checkEntry), 'alert')]),
  ];
  const main = messages.join('') + (sections.length === 0 ? `<p>${escapeHtml(words.nothingHere)}</p>\n` : '');
  return framed(place, {
    title: words.preferences,
    current: 'preferences',
    main: main + formOf(place, 'preferences', inside),
  });
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
export function sectionsOf(place: PortalPlace, { sections, locale }: TemplateView, shown: FieldsShown): string[] {
  const own = (text: string): string => theirs(text, locale);
  return sections.map(
    ({ title, fields }) => `<fieldset>
<legend>${own(title)}</legend>
${fields.map((field) => fieldOf(place, own, field, shown)).join('\n')}
</fieldset>`,
  );
}

function fieldOf(place: PortalPlace, own: Shown['own'], field: Field, shown: FieldsShown): string {
  const { words } = place;
  const isWrong = shown.wrong === field.key;
  const id = `f-${field.key}`;
  const notes = [
    ...(field.help === null ? [] : [`<span id="${id}-help">${own(field.help)}</span>`]),
    ...(field.topic !== null && shown.waits(field) ? [`<strong>${escapeHtml(words.waiting)}</strong>`] : []),
    ...(isWrong ? [`<strong class="wrong">${escapeHtml(words.checkEntry)}</strong>`] : []),
  ];
  const help = notes.length === 0 ? '' : `<p class="help" id="${id}-notes">${notes.join(' ')}</p>`;
  const refers = `${help === '' ? '' : ` aria-describedby="${id}-notes"`}${isWrong ? ' aria-invalid="true"' : ''}`;
  const about = { field, id, refers, answer: shown.answers[field.key]!, words, own };
  const inside = field.kind === 'TOGGLE' ? toggle(about, help, place, shown.withTiming) : typed(about, help);
  return `<div class="field">\n${inside}\n</div>`;
}

interface Shown {
  field: Field;
  id: string;
  /** Attributes that lead to help and mistakes. */
  refers: string;
  answer: Answer;
  words: PortalPlace['words'];
  /** A text of the template. */
  own: (text: string) => string;
}

function toggle(
  { field, id, refers, answer, words, own }: Shown,
  help: string,
  { at }: PortalPlace,
  withTiming: boolean,
): string {
  const box = `<label class="choice" for="${id}"><input type="checkbox" id="${id}" name="value.${field.key}"${answer.value === true ? ' checked' : ''}${refers}><span>${own(field.label)}</span></label>${help}`;
  if (field.topic === null || !withTiming) return box;
  const often =
    field.options.length === 0
      ? ''
      : `<div><label for="${id}-often">${escapeHtml(words.howOften)}<span class="soft"> – ${own(field.label)}</span></label>${select(`${id}-often`, `often.${field.key}`, field.options, answer.frequency ?? '', words.noAnswer, '')}</div>`;
  const pause = `<div><label for="${id}-pause">${escapeHtml(words.pauseUntil)}<span class="soft"> – ${own(field.label)}</span></label><input type="date" id="${id}-pause" name="pause.${field.key}" value="${answer.pausedUntil ?? ''}" min="${at.slice(0, 10)}"></div>`;
  return `${box}\n<div class="more">${often}${pause}</div>`;
}

function typed(about: Shown, help: string): string {
  const { field, id, refers, answer, words, own } = about;
  const name = `value.${field.key}`;
  const label = `<label for="${id}">${own(field.label)}</label>${help}`;
  const text = answer.value === null ? '' : String(answer.value as string | number);
  const { min, max, whole, maxLength } = field.validation;
  const required = field.required && answer.value !== null ? ' required' : '';
  switch (field.kind) {
    case 'SELECT':
    case 'FREQUENCY':
      return label + select(id, name, field.options, text, required ? null : words.noAnswer, refers);
    case 'MULTI_SELECT': {
      const chosen = answer.value as readonly string[];
      const boxes = field.options.map(
        ({ value, label: said }, i) =>
          `<label class="choice" for="${id}-${i}"><input type="checkbox" id="${id}-${i}" name="choice.${field.key}.${i}"${chosen.includes(value) ? ' checked' : ''}><span>${own(said)}</span></label>`,
      );
      return `<div role="group" aria-labelledby="${id}-label"${refers}><span class="label" id="${id}-label">${own(field.label)}</span>${help}${boxes.join('\n')}</div>`;
    }
    case 'NUMBER':
      return `${label}<input type="number" id="${id}" name="${name}" value="${escapeHtml(text)}"${min === undefined ? '' : ` min="${min}"`}${max === undefined ? '' : ` max="${max}"`} step="${whole ? '1' : 'any'}"${required}${refers}>`;
    case 'DATE':
      return `${label}<input type="date" id="${id}" name="${name}" value="${escapeHtml(text)}"${required}${refers}>`;
    default:
      return `${label}<input type="text" id="${id}" name="${name}" value="${escapeHtml(text)}" maxlength="${maxLength ?? 1000}"${required}${refers}>`;
  }
}

/** `none`: what stands for no answer; null: one has to be given. */
function select(
  id: string,
  name: string,
  options: Field['options'],
  chosen: string,
  none: string | null,
  refers: string,
): string {
  const all = [...(none === null ? [] : [{ value: '', label: none }]), ...options];
  const items = all.map(
    ({ value, label }) =>
      `<option value="${escapeHtml(value)}"${value === chosen ? ' selected' : ''}>${escapeHtml(label)}</option>`,
  );
  return `<select id="${id}" name="${name}"${none === null ? ' required' : ''}${refers}>${items.join('')}</select>`;
}

const choice = (id: string, name: string, checked: boolean, label: string, help: string): string =>
  `<label class="choice" for="${id}"><input type="checkbox" id="${id}" name="${name}"${checked ? ' checked' : ''} aria-describedby="${id}-help"><span>${label}</span></label>
<p class="help" id="${id}-help">${help}</p>`;
