import type { Texts } from '../texts/texts.js';

/** What a click does. */
export const BANNER_ACTIONS = ['ACCEPT_ALL', 'REJECT_ALL', 'CUSTOMIZE', 'SAVE', 'ACKNOWLEDGE', 'DO_NOT_SELL'] as const;
export const EMPHASES = ['PRIMARY', 'SECONDARY'] as const;
export const LAYOUTS = ['BAR', 'BOX', 'DIALOG', 'WALL'] as const;
export const POSITIONS = ['TOP', 'BOTTOM', 'CENTER'] as const;
/** What closing the banner without a choice counts as. */
export const DISMISSALS = ['REJECT', 'IGNORE'] as const;
/** How a visitor returns to the choices. */
export const REOPENINGS = ['FLOATING', 'LINK'] as const;

export type BannerAction = (typeof BANNER_ACTIONS)[number];

export interface BannerButton {
  action: BannerAction;
  /** 1: shown at once. 2: the choices behind it. */
  layer: number;
  emphasis: (typeof EMPHASES)[number];
}

/** What is shown where a policy has this model. */
export interface BannerPresentation {
  title: Texts;
  body: Texts;
  buttons: readonly BannerButton[];
}

/** One for each model of policies; that for OPT_IN replaces a missing one. */
export const PRESENTATIONS = ['optIn', 'optOut', 'noticeOnly'] as const;
export type PresentationName = (typeof PRESENTATIONS)[number];

/** Short texts: those of the buttons, and two more. */
export const LABELS = [
  'acceptAll',
  'rejectAll',
  'customize',
  'save',
  'acknowledge',
  'doNotSell',
  'close',
  'privacyChoices',
] as const;
export type LabelName = (typeof LABELS)[number];

export const LABEL_OF: Readonly<Record<BannerAction, LabelName>> = {
  ACCEPT_ALL: 'acceptAll',
  REJECT_ALL: 'rejectAll',
  CUSTOMIZE: 'customize',
  SAVE: 'save',
  ACKNOWLEDGE: 'acknowledge',
  DO_NOT_SELL: 'doNotSell',
};

export const COLOURS = [
  'background',
  'text',
  'primary',
  'onPrimary',
  'secondary',
  'onSecondary',
  'border',
  'link',
] as const;
/** `#rrggbb` by name; the page uses its own colour for a missing one. */
export type Colours = Readonly<Partial<Record<(typeof COLOURS)[number], string>>>;

/** The banner as its operator wrote it. */
export interface BannerDefinition {
  defaultLocale: string;
  layout: (typeof LAYOUTS)[number];
  position: (typeof POSITIONS)[number];
  presentations: {
    optIn: BannerPresentation;
    optOut: BannerPresentation | null;
    noticeOnly: BannerPresentation | null;
  };
  labels: Readonly<Partial<Record<LabelName, Texts>>>;
  /** Purposes that are shown, in this order; null: all that are in force, by key. */
  purposeKeys: readonly string[] | null;
  /** Addresses by language. */
  links: { privacyPolicy: Texts | null; imprint: Texts | null };
  behaviour: {
    dismiss: (typeof DISMISSALS)[number];
    scrollLock: boolean;
    /**
     * After how many days a visitor who chose nothing is asked again; null: at the next visit. Never sooner than the
     * policy allows.
     */
    resurfaceAfterDays: number | null;
    reopen: (typeof REOPENINGS)[number];
  };
  theme: { light: Colours; dark: Colours; radiusPx: number | null; fontFamily: string | null };
  google: { waitForUpdateMs: number };
  tcf: {
    /** ISO 3166-1; null: the site does not use TCF. */
    publisherCountry: string | null;
    /** Keys of the vendors that the banner discloses. Absent: all of vendors.yaml. */
    vendors?: readonly string[];
  };
}
