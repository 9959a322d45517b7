import { made, pressed, select } from './made.js';
import type { OwnRequest } from './person.js';
import { Section } from './room.js';
import { day } from './words.js';

/** Characters, as the service takes them. */
const DETAILS_LENGTH_MAX = 4000;

/** A new request, and how far those are that were made here: the service lists them to a person in its portal alone. */
export class Requests extends Section<readonly OwnRequest[]> {
  private asked: readonly OwnRequest[] = [];

  read(): Promise<readonly OwnRequest[]> {
    return Promise.resolve(this.asked);
  }

  protected draw(asked: readonly OwnRequest[]): Node[] {
    const { words } = this.room;
    const kinds = Object.entries(words.kinds).map(([value, label]) => ({ value, label }));
    const kind = select(kinds, '', '', { id: 'q-kind', 'aria-describedby': 'q-wrong' });
    const details = made('textarea', { id: 'q-details', rows: '4', maxlength: String(DETAILS_LENGTH_MAX) });
    const wrong = made('strong', { id: 'q-wrong', class: 'wrong' });
    kind.addEventListener('change', () => {
      wrong.textContent = '';
      kind.removeAttribute('aria-invalid');
    });
    const send = (): void => {
      if (kind.value !== '') return this.act(() => this.ask(kind.value, details.value.trim()));
      wrong.textContent = words.checkEntry;
      kind.setAttribute('aria-invalid', 'true');
      kind.focus();
    };
    return [
      ...(asked.length > 0 ? [made('ul', { role: 'list' }, ...asked.map((request) => this.card(request)))] : []),
      ...(this.room.may('requests:write')
        ? [
            made(
              'fieldset',
              { part: 'item' },
              made('legend', {}, words.newRequest),
              made('div', { part: 'field' }, made('label', { for: 'q-kind' }, words.kindOfRequest), kind, wrong),
              made('div', { part: 'field' }, made('label', { for: 'q-details' }, words.details), details),
              pressed(words.sendRequest, send, { id: 'q-send' }),
            ),
          ]
        : []),
    ];
  }

  private card({ id, type, state, receivedAt, dueAt, extendedDueAt }: OwnRequest): HTMLElement {
    const { words, language } = this.room;
    const due = extendedDueAt ?? dueAt;
    const row = (name: string, at: string): Node[] => [
      made('dt', {}, name),
      made('dd', {}, made('time', { datetime: at }, day(at, language))),
    ];
    return made(
      'li',
      { part: 'item' },
      made('h3', {}, words.kinds[type] ?? type),
      made('p', { class: 'state' }, words.states[state] ?? state),
      made('dl', {}, ...row(words.receivedOn, receivedAt), ...(due === null ? [] : row(words.answerBy, due))),
      made('p', { class: 'soft' }, made('code', {}, id)),
    );
  }

  private async ask(type: string, details: string): Promise<string> {
    const { person, words, language } = this.room;
    const request = await person.ask(type, details, language);
    this.asked = [request, ...this.asked.filter(({ id }) => id !== request.id)];
    return request.duplicate ? words.requestOpen : words.requestSent;
  }
}
