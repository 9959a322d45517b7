import type { TemplateView } from '../../catalogue/index.js';
import { ARCHIVE_WORDS, DATA_REQUEST_TYPES, type ArchiveNames } from '../../data-requests/index.js';
import { html, joined, type Html, type HtmlValue } from '../../pages/html.js';
import type { PreferencesView } from '../../preferences/index.js';
import { LANGUAGES } from '../../pages/languages.js';
import { countriesIn, languagesNamed, type NamedCode } from '../texts/names.js';
import { kindsAsked, NONE, preferenceId, rightOf, wrongOf } from './corrections-form.js';
import type { ShownPage } from '../../pages/frame.js';
import { formOf, framed, said, filled } from './frame.js';
import type { PortalPlace } from './place.js';
import { answersIn, shownAnswers, type Answer } from './preferences-form.js';
import { sectionsOf } from './preferences-page.js';

export const DETAILS_LENGTH_MAX = 4000;
const VALUE_LENGTH_MAX = 700;

/** A request that is being written. */
export interface RequestDraft {
  /** As the browser posted them. */
  fields: Readonly<Record<string, string>>;
  /** What a correction of preferences begins with; null: they are not asked for. */
  preferences: { template: TemplateView; before: string; answers: Readonly<Record<string, Answer>> } | null;
  /** Id of the field that was not understood. */
  wrong: string | null;
}

/** Nothing is filled in. `view`: what holds of preferences; null: the person may not see that. */
export function emptyDraft(template: TemplateView, view: PreferencesView | null): RequestDraft {
  if (view === null || template.sections.length === 0) return { fields: {}, preferences: null, wrong: null };
  const shown = Object.entries(shownAnswers(template, view));
  // A correction is about what was said, not about how often and from when.
  const answers = Object.fromEntries(shown.map(([key, { value }]) => [key, { value }]));
  const before = JSON.stringify({ answers, optedOut: false });
  return { fields: {}, preferences: { template, before, answers }, wrong: null };
}

/** As it was sent. */
export function draftPosted(
  fields: Readonly<Record<string, string>>,
  template: TemplateView,
  wrong: string | null,
): RequestDraft {
  const before = fields['before'];
  const preferences = before === undefined ? null : { template, before, answers: answersIn(fields, template) };
  return { fields, preferences, wrong };
}

/** A request that was not understood, for who wrote it to go on with. */
export const requestAgainPage = (place: PortalPlace, draft: RequestDraft, names: ArchiveNames): ShownPage =>
  framed(place, {
    title: place.words.requests,
    current: 'requests',
    main: html`${said(filled(place, place.words.checkEntry), 'alert')}${requestForm(place, draft, names)}`,
  });

/** Checked by the service alone, so that nothing is refused that is not shown, and everything in the language of the page. */
export function requestForm(place: PortalPlace, draft: RequestDraft, names: ArchiveNames): Html {
  const { words, language } = place;
  const { kinds } = ARCHIVE_WORDS[language];
  const form = new Form(place, draft);
  const types = DATA_REQUEST_TYPES.map((type) => ({ code: type, name: kinds[type] }));
  return html`<section aria-labelledby="new"><h2 id="new">${words.newRequest}</h2>
${formOf(
  place,
  'request',
  html`${form.choice('kind', 'type', words.kindOfRequest, [{ code: '', name: '' }, ...types], html` required`)}
${correctionsFields(form, names)}
<div class="once-chosen"><label for="details">${words.details}</label>
<textarea id="details" name="details" rows="4" maxlength="${DETAILS_LENGTH_MAX}">${form.text('details')}</textarea></div>
<button>${words.sendRequest}</button>`,
  html` class="card" novalidate`,
)}
</section>`;
}

/** Of a request to put data right; the style hides them where another kind is chosen. */
function correctionsFields(form: Form, names: ArchiveNames): Html {
  const { place, draft } = form;
  const { words, language, settings } = place;
  const pairs = kindsAsked(settings.identifierKinds).map((kind) => form.pair(kind, names.ofKind(kind)));
  const keepOrRemove = [
    { code: '', name: words.asItIs },
    { code: NONE, name: words.remove },
  ];
  const spoken = languagesNamed([...new Set<string>([...settings.languages, ...LANGUAGES])], language);
  return html`<fieldset class="corrections" aria-describedby="corrections-text">
<legend>${words.corrections}</legend>
<p class="help" id="corrections-text">${words.correctionsText}</p>
${joined(pairs, '\n')}
${form.choice('country', 'country', words.country, [...keepOrRemove, ...countriesIn(language)], html` autocomplete="country"`)}
${form.choice('language', 'language', words.language, [...keepOrRemove, ...spoken], html` autocomplete="language"`)}
${draft.preferences === null ? '' : preferencesFields(place, draft)}
</fieldset>`;
}

function preferencesFields(place: PortalPlace, { preferences, wrong }: RequestDraft): Html {
  const { template, before, answers } = preferences!;
  const key = Object.keys(answers).find((each) => preferenceId(each) === wrong) ?? null;
  const sections = sectionsOf(place, template, { answers, waits: () => false, wrong: key, withTiming: false });
  return html`<details${key === null ? '' : html` open`}>
<summary>${place.words.preferences}</summary>
<input type="hidden" name="before" value="${before}">
${joined(sections, '\n')}
</details>`;
}

/** How what is filled in should look, and what a browser may fill in by itself. */
const INPUTS: Readonly<Record<string, { type: string; autocomplete: string }>> = {
  email: { type: 'email', autocomplete: 'email' },
  phone: { type: 'tel', autocomplete: 'tel' },
};
const TEXT = { type: 'text', autocomplete: 'off' };

/** The fields of one form. */
class Form {
  constructor(
    readonly place: PortalPlace,
    readonly draft: RequestDraft,
  ) {}

  text(name: string): string {
    return this.draft.fields[name] ?? '';
  }

  /** What is wrong and what is right of one kind of identifier. */
  pair(kind: string, name: string): Html {
    const { words } = this.place;
    const { type, autocomplete } = INPUTS[kind] ?? TEXT;
    return html`<fieldset class="pair"><legend>${name}</legend>
<div>${this.input(wrongOf(kind), words.wrongOne, type, 'off')}</div>
<div>${this.input(rightOf(kind), words.rightOne, type, autocomplete)}</div>
</fieldset>`;
  }

  choice(id: string, name: string, label: string, options: readonly NamedCode[], attributes: Html): Html {
    const items = options.map(
      ({ code, name: said }) =>
        html`<option value="${code}"${code === this.text(name) ? html` selected` : ''}>${said}</option>`,
    );
    return html`${this.labelled(id, label)}<select id="${id}" name="${name}"${attributes}${this.refers(id)}>${items}</select>`;
  }

  private input(id: string, label: string, type: string, autocomplete: string): Html {
    return html`${this.labelled(id, label)}<input type="${type}" id="${id}" name="${id}" value="${this.text(id)}" maxlength="${VALUE_LENGTH_MAX}" dir="auto" autocomplete="${autocomplete}"${this.refers(id)}>`;
  }

  private labelled(id: string, label: string): Html {
    const note = this.draft.wrong === id && html`<p class="wrong" id="${id}-wrong">${this.place.words.checkEntry}</p>`;
    return html`<label for="${id}">${label}</label>${note}`;
  }

  private refers(id: string): HtmlValue {
    return this.draft.wrong === id && html` aria-invalid="true" aria-describedby="${id}-wrong" autofocus`;
  }
}
