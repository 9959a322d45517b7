import { AssentError } from '../../client/errors.js';
import { notifyConsentChanged, watch } from '../../client/watching.js';
import { styled } from '../page-elements.js';
import type { Settings } from '../settings.js';
import { Consents } from './consents.js';
import { made } from './made.js';
import { Person, vouchedBy, type TokenGiven, type Vouched } from './person.js';
import { PreferencesForm } from './preferences-form.js';
import PREFERENCES_STYLE from './preferences.css';
import { Receipts } from './receipts.js';
import { Requests } from './requests.js';
import type { Room, Section } from './room.js';
import { languageFor, wordsOf, type Words } from './words.js';

/** In the order in which they are shown, with what the token has to allow. */
const SECTIONS = {
  preferences: [PreferencesForm, 'preferences:read'],
  consents: [Consents, 'consent:read'],
  receipts: [Receipts, 'receipts:read'],
  requests: [Requests, 'requests:write'],
} as const;
type SectionName = keyof typeof SECTIONS;

/** Refusals of a token, which another token may mend. */
const OF_TOKEN = ['identity_token_expired', 'identity_token_invalid', 'identity_token_required'];

/** What the element asks of the page. */
export interface PageOfPreferences {
  readonly settings: Settings;
  problem(error: unknown): void;
}

/**
 * `<assent-preferences>`: what a person who is vouched for by an identity token sees and changes. `identityToken`: the
 * token, or a function that answers it; without one nothing of a person is shown. `subject`: default is whom the token
 * names. `sections`: some of `preferences consents receipts requests`.
 */
export function definePreferences(page: PageOfPreferences): void {
  class AssentPreferences extends HTMLElement {
    static readonly observedAttributes = ['sections', 'locale'];
    private token: TokenGiven = null;
    private named: string | null = null;
    private readonly person = new Person(page.settings, () => this.tokenNow());
    private readonly notice = made('p', { role: 'status', class: 'notice' });
    private readonly inside = made('div', { class: 'all' });
    private sections: Section<unknown>[] = [];
    /** For whom, and of what, the sections were made. */
    private madeFor = '';
    /** Counts what was asked for: an answer to an older question is not shown. */
    private round = 0;
    private acting = 0;
    private words: Words | null = null;
    private readonly stops: (() => void)[] = [];

    constructor() {
      super();
      styled(this.attachShadow({ mode: 'open' }), PREFERENCES_STYLE);
      this.shadowRoot!.append(this.notice, this.inside);
      // What the page said before this was loaded.
      for (const name of ['identityToken', 'subject'] as const)
        if (Object.hasOwn(this, name)) {
          const value = this[name];
          delete (this as Partial<this>)[name];
          (this as Record<typeof name, unknown>)[name] = value;
        }
    }

    get identityToken(): TokenGiven {
      return this.token;
    }
    set identityToken(token: TokenGiven) {
      if (token === this.token) return;
      this.token = token;
      // Before anything else: who signed out is not shown for one moment longer.
      if (!token) this.empty();
      this.later();
    }

    get subject(): string | null {
      return this.named;
    }
    set subject(subject: string | null) {
      if (subject === this.named) return;
      this.named = subject;
      this.later();
    }

    connectedCallback(): void {
      const look = (): void => void (document.visibilityState === 'visible' && this.acting === 0 && this.refresh());
      document.addEventListener('visibilitychange', look);
      addEventListener('pageshow', look);
      this.stops.push(
        () => document.removeEventListener('visibilitychange', look),
        () => removeEventListener('pageshow', look),
        watch(this.person.connection, look),
      );
      this.later();
    }

    disconnectedCallback(): void {
      for (const stop of this.stops.splice(0)) stop();
      this.empty();
    }

    attributeChangedCallback(): void {
      this.later();
    }

    /** Reads again what holds. Resolves when it is shown; never rejects. */
    async refresh(): Promise<void> {
      const round = ++this.round;
      const isLate = (): boolean => round !== this.round || !this.isConnected;
      try {
        const language = languageFor(this.getAttribute('locale') ?? page.settings.locale ?? 'en');
        const words = await wordsOf(language);
        const token = await this.tokenNow();
        if (isLate()) return;
        this.words = words;
        for (const element of [this.notice, this.inside]) {
          element.lang = language;
          element.dir = ['ar', 'he'].includes(language) ? 'rtl' : 'ltr';
        }
        const vouched = token === null ? null : vouchedBy(token);
        if (!vouched) {
          this.empty();
          this.notice.textContent = token === null ? words.signIn : words.sessionOver;
          return;
        }
        this.furnish(vouched, words, language);
        const { sections } = this;
        this.inside.setAttribute('aria-busy', 'true');
        const seen = await Promise.all(sections.map((section) => section.read()));
        if (isLate()) return;
        this.notice.textContent = '';
        this.inside.hidden = false;
        const changed = sections.filter((section, i) => section.show(seen[i]));
        if (this.acting === 0) for (const section of changed) section.say(words.changed);
      } catch (error) {
        if (!isLate()) this.failed(error);
      } finally {
        if (!isLate()) this.inside.removeAttribute('aria-busy');
      }
    }

    private async tokenNow(): Promise<string | null> {
      const { token } = this;
      return (typeof token === 'function' ? await token() : token) || null;
    }

    /** Once for all that a page sets in one go. */
    private later(): void {
      const round = ++this.round;
      queueMicrotask(() => void (round === this.round && this.isConnected && this.refresh()));
    }

    private empty(): void {
      this.sections = [];
      this.madeFor = '';
      this.inside.replaceChildren();
      this.notice.textContent = '';
    }

    private furnish({ subject: vouchedFor, scopes }: Vouched, words: Words, language: string): void {
      const subject = this.named ?? vouchedFor;
      const may = (scope: string): boolean => scopes?.includes(scope) ?? true;
      const wanted = (this.getAttribute('sections') ?? '').split(/[\s,]+/).filter(Boolean);
      const names = (Object.keys(SECTIONS) as SectionName[]).filter(
        (name) => (wanted.length === 0 || wanted.includes(name)) && may(SECTIONS[name][1]),
      );
      const madeFor = JSON.stringify([subject, scopes, names, language]);
      if (madeFor === this.madeFor) return;
      this.empty();
      this.madeFor = madeFor;
      this.person.subject = subject;
      const emit = (name: string, detail: object): void =>
        void this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
      const room: Room = { person: this.person, words, language, may, emit };
      this.sections = names.map((name) => new SECTIONS[name][0](room, name, (...act) => this.perform(...act)));
      this.inside.hidden = true;
      this.inside.replaceChildren(...this.sections.map(({ root }) => root));
    }

    private async perform(section: Section<unknown>, act: () => Promise<string>): Promise<void> {
      if (this.acting > 0) return;
      const { madeFor } = this;
      this.acting++;
      section.say('');
      section.root.setAttribute('aria-busy', 'true');
      try {
        const done = await act();
        notifyConsentChanged(this.person.connection);
        await this.refresh();
        if (this.madeFor === madeFor) section.say(done);
      } catch (error) {
        if (this.madeFor !== madeFor) return;
        section.say('', this.words!.failed);
        this.failed(error);
      } finally {
        section.root.removeAttribute('aria-busy');
        this.acting--;
      }
    }

    /** What was entered stays for when the page has another token of the same person; it is out of sight until then. */
    private failed(error: unknown): void {
      const isOfToken = error instanceof AssentError && OF_TOKEN.includes(error.code);
      if (!isOfToken) {
        if (this.inside.hidden) this.notice.textContent = this.words?.failed ?? '';
        return page.problem(error);
      }
      this.inside.hidden = true;
      this.notice.textContent = this.words!.sessionOver;
      this.dispatchEvent(
        new CustomEvent('assent-identity', { detail: { code: error.code }, bubbles: true, composed: true }),
      );
    }
  }
  if (!customElements.get('assent-preferences')) customElements.define('assent-preferences', AssentPreferences);
}
