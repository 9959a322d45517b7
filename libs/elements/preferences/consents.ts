import type { ConsentState, Purpose, PurposeState } from '../../client/types.js';
import { made, pressed, theirs, type Inside } from './made.js';
import { offeredNext, type OfferedDecision } from './offered.js';
import { Section } from './room.js';
import { dayAndTime, filled, span } from './words.js';

export interface ConsentsSeen {
  purposes: readonly Purpose[];
  state: ConsentState['purposes'];
}

const MODELS = ['OPT_IN', 'OPT_OUT', 'NOTICE_ONLY', 'ALWAYS_ON'];

/** What a site may do with the data of a person: what was said about each purpose, to what, when, and how to take it back. */
export class Consents extends Section<ConsentsSeen> {
  async read(): Promise<ConsentsSeen> {
    const { person, language } = this.room;
    const [purposes, { purposes: state }] = await Promise.all([person.purposes(language), person.consents()]);
    return { purposes, state };
  }

  protected draw({ purposes, state }: ConsentsSeen): Node[] {
    const { words } = this.room;
    // What can be chosen comes first.
    const shown = purposes
      .filter(({ key }) => state[key])
      .sort((a, b) => MODELS.indexOf(a.consentModel) - MODELS.indexOf(b.consentModel));
    if (shown.length === 0) return [made('p', {}, words.nothingHere)];
    return [
      made('p', {}, filled(words.consentsText, { site: location.hostname })),
      made('ul', { role: 'list' }, ...shown.map((purpose) => this.card(purpose, state[purpose.key]!))),
    ];
  }

  private card(purpose: Purpose, state: PurposeState): HTMLElement {
    const { words, language } = this.room;
    const id = `p-${purpose.key}`;
    const decided = state.purposeVersion;
    const isOlder = decided !== null && decided !== purpose.version;
    const summary = !isOlder && state.state === 'GRANTED' ? words.agreedTo : words.about;
    const offer = this.room.may('consent:write') ? offeredNext(purpose, state) : null;
    return made(
      'li',
      { part: 'item' },
      made('h3', { id }, theirs(purpose.name, purpose.locale)),
      made('p', { class: 'state' }, state.effective === 'ALLOWED' ? words.allowed : words.notAllowedState),
      made('p', {}, theirs(purpose.description, purpose.locale)),
      made('p', { class: 'soft' }, this.said(purpose, state)),
      this.details(summary, () => Promise.resolve(purpose)),
      isOlder &&
        this.details(`${words.agreedTo} (${dayAndTime(state.givenAt!, language)})`, () =>
          this.room.person.purposeVersion(purpose.key, decided, language),
        ),
      offer && this.button(purpose, offer, id),
    );
  }

  /** One button, in the same place and of the same look whether it gives or takes back. */
  private button({ key, version, locale }: Purpose, decision: OfferedDecision, id: string): HTMLElement {
    const { words, person, emit } = this.room;
    const label = { GRANTED: words.agree, WITHDRAWN: words.withdraw, OBJECTED: words.object }[decision];
    const decide = async (): Promise<string> => {
      const record = await person.decide({ purpose: key, purposeVersion: version, decision }, locale);
      emit('assent-choice', {
        decisions: { [key]: decision },
        method: 'TOGGLE',
        records: [record.id],
        receipts: [record.receiptId],
      });
      return words.saved;
    };
    return pressed(label, () => this.act(decide), { id: `b-${key}`, 'aria-describedby': id });
  }

  private said(purpose: Purpose, state: PurposeState): string {
    const { words, language } = this.room;
    const sentences: Readonly<Record<string, string>> = {
      GRANTED: words.agreedOn,
      DENIED: words.refusedOn,
      WITHDRAWN: words.withdrawnOn,
      OBJECTED: words.objectedOn,
      ACKNOWLEDGED: words.acknowledgedOn,
      EXPIRED: words.expiredOn,
      PENDING: words.waiting,
      NOT_COLLECTED: words.silent,
    };
    if (state.state === 'NOT_COLLECTED' && state.effective === 'ALLOWED' && offeredNext(purpose, state) === null)
      return words.needed;
    const at = state.state === 'EXPIRED' ? state.expiresAt : state.givenAt;
    const answer = filled(sentences[state.state] ?? '', { time: at === null ? '' : dayAndTime(at, language) });
    if (state.state !== 'GRANTED' || state.expiresAt === null) return answer;
    return `${answer} ${filled(words.goodUntil, { time: dayAndTime(state.expiresAt, language) })}`;
  }

  /** Who, what for and how long. An older text is asked for when it is opened. */
  private details(summary: string, text: () => Promise<Purpose>): HTMLElement {
    const details = made('details', {}, made('summary', {}, summary));
    const fill = async (): Promise<void> => {
      const shown = await text();
      if (details.childElementCount === 1) details.append(...this.text(shown));
    };
    details.addEventListener('toggle', () => void fill().catch(() => details.removeAttribute('open')));
    return details;
  }

  private text({ controller, dataCategories, recipients, retention, legalText, locale }: Purpose): HTMLElement[] {
    const { words, language } = this.room;
    const who = recipients.map(({ name, country }) => (country ? `${name} (${country})` : name));
    const rows: [string, string][] = [
      [words.controller, `${controller.name}, ${controller.contact}`],
      [words.dataUsed, dataCategories.map(({ key }) => key).join(', ')],
      [words.recipients, who.join(', ')],
      [words.keptFor, retention === null ? '' : span(retention, language)],
    ];
    const inside = rows.filter(([, value]) => value !== '');
    return [
      made('p', {}, theirs(legalText, locale)),
      made(
        'dl',
        {},
        ...inside.flatMap(([name, value]): Inside[] => [made('dt', {}, name), made('dd', {}, made('bdi', {}, value))]),
      ),
    ];
  }
}
