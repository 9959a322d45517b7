import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { AssentBannerElement, AssentEvents } from '../public.js';

/** React 19 listens for an event by the attribute `on` with its name. */
type Listening = { [Name in keyof AssentEvents as `on${Name}`]?: (event: AssentEvents[Name]) => void };
type Props<Element> = DetailedHTMLProps<HTMLAttributes<Element>, Element> & { class?: string };

export interface AssentIntrinsicElements {
  'assent-banner': Props<AssentBannerElement> & Listening;
  'assent-choices-link': Props<HTMLElement> & { variant?: string };
  'assent-gate': Props<HTMLElement> & { purpose?: string; vendor?: string; once?: boolean };
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends AssentIntrinsicElements {}
  }
}
