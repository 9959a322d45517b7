import { AssentError } from '../../client/errors.js';
import type { Preferences, PreferenceTemplate, RecordPreferences } from '../../client/types.js';
import { changesOf, fieldRefused, kept, shownAnswers, type Answer, type Answers, type Field } from './answers.js';
import { made, pressed, select, theirs, type Inside } from './made.js';
import { Section } from './room.js';

export interface PreferencesSeen {
  template: PreferenceTemplate;
  view: Pick<Preferences, 'channels' | 'fields' | 'globalOptOut'>;
}

/** A field of the form. `control` gets the focus where the service refuses what stands in it. */
interface FieldDrawn {
  root: HTMLElement;
  control: HTMLElement;
  answer: () => Answer;
}

/** Every field of the template, a pause and a frequency where there are some, and no messages at all. Saved in one go. */
export class PreferencesForm extends Section<PreferencesSeen> {
  /** What was shown, and is said already. */
  private base: { answers: Answers; optedOut: boolean } | null = null;
  private fields: Readonly<Record<string, FieldDrawn>> = {};
  private optOut: HTMLInputElement | null = null;

  async read(): Promise<PreferencesSeen> {
    const { person, language } = this.room;
    const [template, { channels, fields, globalOptOut }] = await Promise.all([
      person.template(language),
      person.preferences(),
    ]);
    return { template, view: { channels, fields, globalOptOut } };
  }

  /** What stands in the form now. */
  private get answers(): Answers {
    return Object.fromEntries(Object.entries(this.fields).map(([key, { answer }]) => [key, answer()]));
  }

  protected draw(seen: PreferencesSeen): Node[] {
    const { template, view } = seen;
    const { words } = this.room;
    const since = { answers: shownAnswers(template, view), optedOut: view.globalOptOut.state === 'ACTIVE' };
    // What was changed here and is not saved yet stays, over what was changed elsewhere.
    const answers = this.base ? kept(this.base.answers, this.answers, since.answers) : since.answers;
    const touched = this.base && this.optOut && this.optOut.checked !== this.base.optedOut ? this.optOut.checked : null;
    this.base = since;
    const fields: Record<string, FieldDrawn> = {};
    const sections = template.sections.map((section) =>
      made(
        'fieldset',
        { part: 'item' },
        made('legend', {}, theirs(section.title, template.locale)),
        ...section.fields.map((field) => {
          const isWaiting = view.channels[field.channel!]?.topics[field.topic!]?.state === 'PENDING';
          fields[field.key] = this.field(field, answers[field.key]!, isWaiting, template.locale);
          return fields[field.key]!.root;
        }),
      ),
    );
    this.fields = fields;
    this.optOut = box('f-none', touched ?? since.optedOut, { 'aria-describedby': 'f-none-help' });
    const mayWrite = this.room.may('preferences:write');
    return [
      made(
        'fieldset',
        { class: 'all', disabled: !mayWrite },
        ...sections,
        made(
          'fieldset',
          { part: 'item' },
          made('div', { class: 'choice' }, made('label', { for: 'f-none' }, words.noMessages), this.optOut),
          made('p', { id: 'f-none-help', class: 'soft' }, words.noMessagesHelp),
        ),
        mayWrite && pressed(words.save, () => this.act(() => this.save(template)), { id: 'f-save' }),
      ),
    ];
  }

  private async save(template: PreferenceTemplate): Promise<string> {
    const { person, words, emit } = this.room;
    for (const { control, root } of Object.values(this.fields)) {
      control.removeAttribute('aria-invalid');
      root.querySelector('.wrong')!.textContent = '';
    }
    const now = this.answers;
    const optedOut = this.optOut!.checked;
    const values = changesOf(template, this.base!.answers, now);
    const said: Pick<RecordPreferences, 'values' | 'globalOptOut'> = {
      ...(values.length > 0 && { values }),
      ...(optedOut !== this.base!.optedOut && { globalOptOut: optedOut }),
    };
    if (Object.keys(said).length === 0) return words.saved;
    try {
      const { id, receiptId, changes, globalOptOut } = await person.save(said, template.locale);
      // What is saved is no change any more.
      this.base = { answers: now, optedOut };
      const pending = changes.filter(({ state }) => state === 'PENDING').map(({ field }) => field);
      emit('assent-preference', {
        changes,
        globalOptOut: globalOptOut && optedOut,
        pending,
        record: id,
        receipt: receiptId,
      });
      return words.saved;
    } catch (error) {
      const path = error instanceof AssentError ? error.issues[0]?.path : undefined;
      const wrong = fieldRefused(path, values, template);
      if (wrong === null) throw error;
      const { root, control } = this.fields[wrong]!;
      root.querySelector('.wrong')!.textContent = words.checkEntry;
      control.setAttribute('aria-invalid', 'true');
      control.focus();
      return '';
    }
  }

  private field(field: Field, answer: Answer, isWaiting: boolean, locale: string): FieldDrawn {
    const { words } = this.room;
    const id = `f-${field.key}`;
    const refers = { id, 'aria-describedby': `${id}-notes` };
    const name = (): HTMLElement => theirs(field.label, locale);
    const notes = made(
      'p',
      { id: `${id}-notes`, class: 'soft' },
      field.help !== null && theirs(field.help, locale),
      isWaiting && made('strong', {}, ` ${words.waiting}`),
      made('strong', { class: 'wrong' }),
    );
    const drawn = (control: HTMLElement, said: () => Answer, ...inside: Inside[]): FieldDrawn => ({
      root: made('div', { part: 'field', class: 'field' }, ...inside),
      control,
      answer: said,
    });
    const labelled = (control: HTMLInputElement | HTMLSelectElement, said: () => Answer): FieldDrawn =>
      drawn(control, said, made('label', { for: id }, name()), notes, control);
    const text = answer.value === null ? '' : String(answer.value as string | number);
    const options = field.options.map((option) => ({ value: option.value, label: option.label }));
    const typed = (attributes: Readonly<Record<string, string | undefined>>): HTMLInputElement => {
      const input = made('input', { ...refers, required: field.required && text !== '', ...attributes });
      input.value = text;
      return input;
    };
    switch (field.kind) {
      case 'TOGGLE':
        return this.toggle(field, answer, { refers, name, notes, drawn, options });
      case 'SELECT':
      case 'FREQUENCY': {
        const chosen = select(options, text, field.required && text !== '' ? null : words.noAnswer, refers);
        return labelled(chosen, () => ({ value: chosen.value || null }));
      }
      case 'MULTI_SELECT': {
        const ticked = answer.value as readonly string[];
        const boxes = field.options.map((option, i) => ({
          option,
          box: box(`${id}-${i}`, ticked.includes(option.value), {}, 'checkbox'),
        }));
        const group = made(
          'div',
          { ...refers, role: 'group', tabindex: '-1', 'aria-labelledby': `${id}-label` },
          made('span', { id: `${id}-label`, class: 'label' }, name()),
          notes,
          ...boxes.map(({ option, box: tick }) =>
            made('div', { class: 'option' }, tick, made('label', { for: tick.id }, theirs(option.label, locale))),
          ),
        );
        const said = (): string[] => boxes.filter((each) => each.box.checked).map(({ option }) => option.value);
        return drawn(group, () => ({ value: said() }), group);
      }
      case 'NUMBER': {
        const { min, max, whole } = field.validation;
        const input = typed({ type: 'number', min: min?.toString(), max: max?.toString(), step: whole ? '1' : 'any' });
        return labelled(input, () => ({ value: input.value.trim() === '' ? null : Number(input.value) }));
      }
      default: {
        const isDate = field.kind === 'DATE';
        const input = typed({
          type: isDate ? 'date' : 'text',
          maxlength: isDate ? undefined : String(field.validation.maxLength ?? 1000),
        });
        return labelled(input, () => ({ value: input.value || null }));
      }
    }
  }

  private toggle(field: Field, answer: Answer, { refers, name, notes, drawn, options }: ToggleParts): FieldDrawn {
    const { words } = this.room;
    const { id } = refers;
    const isWanted = box(id, answer.value === true, refers);
    const choice = made('div', { class: 'choice' }, made('label', { for: id }, name()), isWanted);
    if (field.topic === null) return drawn(isWanted, () => ({ value: isWanted.checked }), choice, notes);
    const often =
      options.length > 0 ? select(options, answer.frequency ?? '', words.noAnswer, { id: `${id}-often` }) : null;
    const pause = made('input', { id: `${id}-pause`, type: 'date', min: new Date().toISOString().slice(0, 10) });
    pause.value = answer.pausedUntil ?? '';
    const named = (control: HTMLElement, label: string): HTMLElement =>
      made(
        'div',
        {},
        made('label', { for: control.id }, label, made('span', { class: 'hidden' }, ' – ', name())),
        control,
      );
    return drawn(
      isWanted,
      () => ({
        value: isWanted.checked,
        frequency: often ? often.value || null : (answer.frequency ?? null),
        pausedUntil: pause.value || null,
      }),
      choice,
      notes,
      made('div', { class: 'more' }, often && named(often, words.howOften), named(pause, words.pauseUntil)),
    );
  }
}

interface ToggleParts {
  refers: { id: string; 'aria-describedby': string };
  name: () => HTMLElement;
  notes: HTMLElement;
  drawn: (control: HTMLElement, said: () => Answer, ...inside: Inside[]) => FieldDrawn;
  options: readonly { value: string; label: string }[];
}

function box(
  id: string,
  isChecked: boolean,
  attributes: Readonly<Record<string, string>>,
  role = 'switch',
): HTMLInputElement {
  const ticked = made('input', {
    ...attributes,
    type: 'checkbox',
    id,
    part: 'toggle',
    role: role === 'switch' && role,
  });
  ticked.checked = isChecked;
  return ticked;
}
