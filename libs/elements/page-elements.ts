import CHOICES_LINK_STYLE from './choices-link.css';

/** What the elements ask of the page. */
export interface PageOfElements {
  open(): Promise<void>;
  openChoices(): Promise<void>;
  close(): void;
  reset(): Promise<void>;
  /** The page has this banner from now on. */
  adopt(element: AssentBanner): void;
  /** Words of the way back to the choices, and their language; null where they are not known yet. */
  label(): readonly [string, string] | null;
}

export interface AssentBanner extends HTMLElement {
  open(): Promise<void>;
  openChoices(): Promise<void>;
  close(): void;
  reset(): Promise<void>;
}

/** A style sheet that a strict policy of the page allows: it stands in no text of the document. */
export function styled(root: ShadowRoot, ...texts: string[]): void {
  root.adoptedStyleSheets = texts.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
}

/** `<assent-banner>` and `<assent-choices-link>`. What they show is loaded when it is shown. */
export function defineElements(page: PageOfElements): void {
  class Banner extends HTMLElement implements AssentBanner {
    constructor() {
      super();
      // The first HTML may have brought one: attaching would empty it.
      if (!this.shadowRoot) this.attachShadow({ mode: 'open' });
    }
    connectedCallback(): void {
      page.adopt(this);
    }
    open(): Promise<void> {
      return page.open();
    }
    openChoices(): Promise<void> {
      return page.openChoices();
    }
    close(): void {
      page.close();
    }
    reset(): Promise<void> {
      return page.reset();
    }
  }

  class ChoicesLink extends HTMLElement {
    private readonly button = document.createElement('button');

    constructor() {
      super();
      const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
      styled(root, CHOICES_LINK_STYLE);
      this.button.type = 'button';
      this.button.setAttribute('part', 'button');
      this.button.setAttribute('aria-haspopup', 'dialog');
      this.button.addEventListener('click', () => void page.openChoices());
      root.append(this.button);
    }
    connectedCallback(): void {
      this.relabel();
    }
    relabel(): void {
      const [words, locale] = page.label() ?? [];
      this.button.hidden = words === undefined;
      this.button.textContent = words ?? '';
      this.button.lang = locale ?? '';
    }
  }

  if (customElements.get('assent-banner')) return;
  customElements.define('assent-banner', Banner);
  customElements.define('assent-choices-link', ChoicesLink);
}
