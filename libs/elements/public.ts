import type { AssentClient } from '../client/client.js';

/** Attributes of the script, by the same names; each says in "In your pages" what it does. */
export interface ElementsOptions {
  /** The public key of the site and environment. */
  key: string;
  /** Where the service is, such as `https://consent.example`. */
  baseUrl: string;
  country?: string;
  region?: string;
  locale?: string;
  mode?: 'auto' | 'manual';
  cookieDomain?: string;
  carryOver?: string;
  reload?: 'auto' | 'never';
  consentMode?: 'on';
  gpp?: 'on';
  tcf?: 'on';
  /** Attributes that newer releases know. */
  [attribute: string]: string | undefined;
}

export interface RunningElements {
  /** The client of this page, with its visitor. */
  client(): Promise<AssentClient>;
  /** Opens the choices with what holds now. */
  openChoices(): Promise<void>;
}

/** `<assent-banner>`: at most one in a page, made by the script unless `mode` is `manual`. */
export interface AssentBannerElement extends HTMLElement {
  open(): Promise<void>;
  openChoices(): Promise<void>;
  close(): void;
  /** Forgets visitor and choice in this browser, and asks anew. */
  reset(): Promise<void>;
}

export interface ShownDetail {
  /** 1: what is seen at once; 2: the choices. */
  layer: 1 | 2;
  presentation: 'OPT_IN' | 'OPT_OUT' | 'NOTICE_ONLY' | 'NONE';
}
export interface ChoiceDetail {
  /** By key of the purpose. */
  decisions: Record<string, 'GRANTED' | 'DENIED' | 'OBJECTED' | 'ACKNOWLEDGED' | 'WITHDRAWN'>;
  method: string;
  /** Ids of the records and of their receipts. */
  records: string[];
  receipts: string[];
}
export interface ProblemDetail {
  code: string;
  message: string;
  hint: string;
}

/** Events of the elements. They bubble from `<assent-banner>` and leave its shadow. */
export interface AssentEvents {
  'assent-ready': CustomEvent<Record<string, never>>;
  'assent-shown': CustomEvent<ShownDetail>;
  'assent-choice': CustomEvent<ChoiceDetail>;
  'assent-closed': CustomEvent<Record<string, never>>;
  'assent-problem': CustomEvent<ProblemDetail>;
}

declare global {
  interface HTMLElementTagNameMap {
    'assent-banner': AssentBannerElement;
    'assent-choices-link': HTMLElement;
    'assent-gate': HTMLElement;
  }
  interface HTMLElementEventMap extends AssentEvents {}
  interface DocumentEventMap extends AssentEvents {}
  interface WindowEventMap extends AssentEvents {}
}
