import { getPurpose } from '../../client/catalogue.js';
import { AssentError } from '../../client/errors.js';
import { tried } from '../../client/page.js';
import { mayPass } from '../../client/sending/exchange.js';
import type { Purpose } from '../../client/types.js';
import type { Allowed } from '../allowed.js';
import type { Settings } from '../settings.js';
import type { Visitor } from '../visitor.js';
import { styled } from '../page-elements.js';
import GATE_STYLE from './gate.css';
import TEXTS from './gate-texts.json';
import type { Blocked } from './blocked.js';
import { purposesIn } from './wanted.js';

/** A placeholder whose texts did not come asks for them again, after this long and then twice as long each time, in ms. */
const AGAIN_AFTER_MS = 2_000;
const MOST_QUESTIONS = 7;

/** What a gate asks of the page. */
export interface PageOfGates {
  readonly allowed: Allowed;
  readonly blocked: Blocked;
  readonly visitor: Visitor;
  readonly settings: Settings;
  problem(error: unknown): void;
  /** Records that the person allows these. */
  grant(purposes: readonly Purpose[]): Promise<void>;
}

/** What stands in a template may be a frame of another provider, whose size and title the placeholder takes. */
const frameIn = (template: HTMLTemplateElement | null): HTMLIFrameElement | null =>
  template?.content.querySelector('iframe') ?? null;

/**
 * `<assent-gate purpose="…">`: holds what stands in its `<template>` out of the page until all of its purposes are allowed,
 * and takes it out again when they are not any more. Until then a placeholder says what it waits for. `once` offers to load
 * it without an answer, for this page alone. Without a template the events `assent-open` and `assent-shut` say what to do.
 */
export function defineGate(page: PageOfGates): void {
  class AssentGate extends HTMLElement {
    private readonly placeholder = document.createElement('div');
    private loaded: Node[] = [];
    private isOpen = false;
    private isOnce = false;
    private isDrawn = false;
    private failures = 0;
    private stop: () => void = () => undefined;

    constructor() {
      super();
      const root = this.attachShadow({ mode: 'open' });
      styled(root, GATE_STYLE);
      this.placeholder.className = 'placeholder';
      this.placeholder.setAttribute('part', 'placeholder');
      root.append(this.placeholder, document.createElement('slot'));
    }

    get allowed(): boolean {
      return this.isOnce || page.allowed.allows(this.wanted);
    }

    connectedCallback(): void {
      this.stop = page.allowed.onChange((refused) => {
        // A no holds, also where this was loaded once before.
        if (this.wanted.purposes.some((purpose) => refused.includes(purpose))) this.isOnce = false;
        this.look();
      });
      this.look();
    }

    disconnectedCallback(): void {
      this.stop();
    }

    private get wanted(): { purposes: string[] } {
      return { purposes: purposesIn(this.getAttribute('purpose') ?? '') };
    }

    private look(): void {
      if (this.allowed && this.loaded.length === 0) this.open();
      if (!this.allowed && this.isOpen) this.shut();
      this.placeholder.hidden = this.allowed;
      if (!this.allowed && !this.isDrawn) void this.draw();
    }

    private open(): void {
      const template = this.querySelector('template');
      if (template) this.load(template);
      // Without one a framework puts in by itself what waits, when it hears that.
      if (!this.isOpen) this.emit('assent-open');
      this.isOpen = true;
    }

    private load(template: HTMLTemplateElement): void {
      const content = document.importNode(template.content, true);
      if (content.querySelector('script')) page.blocked.note(this.wanted);
      this.loaded = [...content.childNodes];
      const hadFocus = this.shadowRoot!.activeElement !== null;
      this.append(content);
      if (hadFocus) this.querySelector('iframe')?.focus();
    }

    /** What a frame holds ends when the frame is taken out of the page. */
    private shut(): void {
      this.isOpen = false;
      for (const node of this.loaded) (node as ChildNode).remove();
      this.loaded = [];
      this.emit('assent-shut');
    }

    private emit(name: string): void {
      this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true }));
    }

    private async draw(): Promise<void> {
      this.isDrawn = true;
      const frame = frameIn(this.querySelector('template'));
      this.takeSizeOf(frame);
      const { connection } = page.visitor;
      const { locale } = page.settings;
      let purposes: Purpose[];
      try {
        purposes = await Promise.all(this.wanted.purposes.map((key) => getPurpose(connection, key, { locale })));
      } catch (error) {
        this.isDrawn = false;
        page.problem(error);
        if (error instanceof AssentError && mayPass(error) && ++this.failures < MOST_QUESTIONS)
          setTimeout(() => this.isConnected && this.look(), AGAIN_AFTER_MS * 2 ** (this.failures - 1));
        return;
      }
      const language = (purposes[0]?.locale ?? 'en').split('-')[0] as keyof typeof TEXTS;
      const isOurs = language in TEXTS;
      const texts = isOurs ? TEXTS[language] : TEXTS.en;
      const host = tried(() => new URL(frame!.src || frame!.dataset['src']!, location.href).hostname);
      const who = this.getAttribute('vendor') ?? host ?? '';
      const line = (className: string, text: string, lang: string): HTMLElement => {
        const made = document.createElement('p');
        Object.assign(made, { className, textContent: text, lang });
        return made;
      };
      const own = isOurs ? language : 'en';
      const names = purposes.map(({ name }) => name).join(', ');
      const problem = line('problem', '', own);
      problem.setAttribute('role', 'alert');
      const button = (className: string, text: string, act: () => unknown): HTMLElement => {
        const made = document.createElement('button');
        Object.assign(made, { type: 'button', className, textContent: text, lang: own });
        made.setAttribute('part', 'button');
        made.addEventListener('click', act);
        return made;
      };
      const allow = async (): Promise<void> => {
        problem.textContent = '';
        await page.grant(purposes).catch((error: unknown) => {
          problem.textContent = texts.unsaved;
          page.problem(error);
        });
      };
      const once = (): void => {
        this.isOnce = true;
        this.look();
      };
      this.placeholder.replaceChildren(
        line('title', frame?.title || who, page.settings.locale ?? ''),
        line('', texts.about.replace('{purpose}', names).replace('{who}', who), own),
        ...purposes.map(({ description, locale: shown }) => line('', description, shown)),
        button('', texts.allow, () => void allow()),
        ...(this.hasAttribute('once') ? [button('once', texts.once, once)] : []),
        problem,
      );
    }

    /** So that nothing of the page moves when it is loaded. */
    private takeSizeOf(frame: HTMLIFrameElement | null): void {
      const [width, height] = [Number(frame?.getAttribute('width')), Number(frame?.getAttribute('height'))];
      if (!(width > 0 && height > 0)) return;
      this.placeholder.style.maxInlineSize = `${width}px`;
      this.placeholder.style.minBlockSize = `${height}px`;
    }
  }
  if (!customElements.get('assent-gate')) customElements.define('assent-gate', AssentGate);
}
