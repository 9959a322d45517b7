import type { HTMLAttributes } from 'vue';
import type { AssentEvents } from '../public.js';

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${Capitalize<First>}${Camel<Rest>}`
  : Capitalize<Name>;
/** `@assent-choice` in a template is this property. */
type Listening = { [Name in keyof AssentEvents as `on${Camel<Name>}`]?: (event: AssentEvents[Name]) => void };
type Element<Props> = new () => { $props: HTMLAttributes & Props };

/** For templates, where the compiler is given `isCustomElement: (tag) => tag.startsWith('assent-')`. */
export interface AssentComponents {
  'assent-banner': Element<Listening>;
  'assent-choices-link': Element<{ variant?: string }>;
  'assent-gate': Element<{ purpose?: string; vendor?: string; once?: boolean }>;
}

declare module 'vue' {
  interface GlobalComponents extends AssentComponents {}
}
