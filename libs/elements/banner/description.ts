import type { Banner } from '../../client/types.js';
import TEXTS from '../texts.json' with { type: 'json' };

/*
 * What a banner consists of, once for all who make one: the page turns it into nodes, a server into HTML. Texts stay
 * texts, so that no catalogue puts a script into a page.
 */

/** A text, or an element with its attributes and what is in it. */
export type Described = string | DescribedElement;
export type DescribedElement = readonly [
  tag: string,
  attributes: Readonly<Record<string, string>>,
  inside: readonly Described[],
];

/** Of a banner all that is seen. */
export type SeenBanner = Pick<
  Banner,
  'layout' | 'position' | 'locale' | 'direction' | 'texts' | 'buttons' | 'purposes' | 'links'
>;
export type OwnText = keyof (typeof TEXTS)['en'];

/** Under which name a button's words stand among the texts of the service. */
const LABEL_OF: Readonly<Record<string, keyof Banner['texts']>> = {
  ACCEPT_ALL: 'acceptAll',
  REJECT_ALL: 'rejectAll',
  CUSTOMIZE: 'customize',
  SAVE: 'save',
  ACKNOWLEDGE: 'acknowledge',
  DO_NOT_SELL: 'doNotSell',
};
const PARTS: Readonly<Record<string, string>> = {
  ACCEPT_ALL: 'button button-accept',
  REJECT_ALL: 'button button-refuse',
};

export const isModal = ({ layout }: Pick<Banner, 'layout'>): boolean => layout === 'DIALOG' || layout === 'WALL';

/** One of our own texts in the language of the banner, else in English. */
export function ownText({ locale }: Pick<Banner, 'locale'>, name: OwnText): DescribedElement {
  const language = locale.split('-')[0] as keyof typeof TEXTS;
  return language in TEXTS ? ['span', {}, [TEXTS[language][name]]] : ['span', { lang: 'en' }, [TEXTS.en[name]]];
}

/**
 * The first layer, and the choices behind it. `ticked`: what is switched on, by key of the purpose; of others their default is.
 */
export function describeBanner(
  banner: SeenBanner,
  ticked: Readonly<Record<string, boolean>>,
): readonly [first: DescribedElement, second: DescribedElement] {
  const text = (name: keyof Banner['texts']): string => banner.texts[name] ?? '';
  const own = (name: OwnText): DescribedElement => ownText(banner, name);

  const item = (purpose: Banner['purposes'][number]): DescribedElement => {
    const [id, about] = [`s-${purpose.key}`, `d-${purpose.key}`];
    const words: DescribedElement = ['p', { id: about }, [purpose.description]];
    // What cannot be chosen says so: a switch that does nothing would lie.
    if (purpose.locked || purpose.consentModel === 'NOTICE_ONLY') {
      const fixed = own(purpose.locked ? 'alwaysOn' : 'information');
      return ['li', { part: 'item' }, [['b', {}, [purpose.name]], ['span', { class: 'fixed' }, [fixed]], words]];
    }
    const isOn = ticked[purpose.key] ?? purpose.default === 'GRANTED';
    const toggle = { type: 'checkbox', role: 'switch', part: 'toggle', id, 'aria-describedby': about };
    return [
      'li',
      { part: 'item' },
      [['label', { for: id }, [purpose.name]], ['input', { ...toggle, ...(isOn && { checked: '' }) }, []], words],
    ];
  };

  const button = ({ action, emphasis }: Banner['buttons'][number]): DescribedElement => {
    const isQuiet = action === 'CUSTOMIZE' && emphasis === 'SECONDARY';
    return [
      'button',
      {
        type: 'button',
        class: isQuiet ? 'quiet' : emphasis === 'PRIMARY' ? 'strong' : 'weak',
        part: PARTS[action] ?? 'button',
        'data-action': action,
        ...(action === 'CUSTOMIZE' && { 'aria-haspopup': 'dialog' }),
      },
      [text(LABEL_OF[action]!)],
    ];
  };
  const acts = (buttons: Banner['buttons']): DescribedElement => [
    'div',
    { class: 'acts' },
    [...buttons.map(button), ['p', { part: 'problem', class: 'problem', role: 'alert' }, []]],
  ];
  const closer: DescribedElement[] = text('close')
    ? [['button', { type: 'button', class: 'close', 'aria-label': text('close') }, ['×']]]
    : [];

  const heading = (id: string, words: string): DescribedElement => {
    const takesFocus = isModal(banner) || id === 'choices';
    return ['h2', { id, part: 'title', tabindex: '-1', ...(takesFocus && { autofocus: '' }) }, [words]];
  };
  const links = (['privacyPolicy', 'imprint'] as const).flatMap((name): DescribedElement[] => {
    const href = banner.links[name];
    return href === null ? [] : [['a', { href }, [own(name)]]];
  });
  const body: DescribedElement = [
    'div',
    { id: 'body', part: 'body' },
    [
      ...text('body')
        .split('\n')
        .map((words): DescribedElement => ['p', {}, [words]]),
      ...(links.length > 0 ? [['p', { class: 'links' }, links] as const] : []),
    ],
  ];

  const about = { lang: banner.locale, dir: banner.direction.toLowerCase(), part: 'dialog' };
  const first: DescribedElement = [
    isModal(banner) ? 'dialog' : 'section',
    {
      ...about,
      class: `first ${banner.layout.toLowerCase()} ${banner.position.toLowerCase()}`,
      'aria-labelledby': 'title',
      ...(isModal(banner) ? { 'aria-describedby': 'body' } : { role: 'region' }),
    },
    [
      ['div', { class: 'words' }, [heading('title', text('title')), body]],
      acts(banner.buttons.filter(({ layer }) => layer === 1)),
      ...closer,
    ],
  ];
  // A person who comes back to say no needs as few clicks as it took to say yes (GDPR art. 7(3)).
  const onSecond = banner.buttons.filter(
    ({ action, layer }) =>
      layer === 2 ||
      (action !== 'CUSTOMIZE' && !banner.buttons.some((other) => other.layer === 2 && other.action === action)),
  );
  const second: DescribedElement = [
    'dialog',
    { ...about, class: 'second', 'aria-labelledby': 'choices' },
    [
      ['header', {}, [heading('choices', text('privacyChoices') || text('title'))]],
      ['ul', { role: 'list', tabindex: '-1' }, banner.purposes.map(item)],
      ['footer', {}, [acts(onSecond.sort((a, b) => a.layer - b.layer))]],
      ...closer,
    ],
  ];
  return [first, second];
}

/** Colours, corners and fonts of the site, by the names of custom properties without their dashes. */
export function themeProperties({
  light,
  dark,
  radiusPx,
  fontFamily,
}: Banner['theme']): [name: string, value: string][] {
  const named = (name: string): string => name.replace(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`);
  return [
    ...Object.entries({ light, dark }).flatMap(([scheme, colours]) =>
      Object.entries(colours).map(([name, colour]): [string, string] => [`${scheme}-${named(name)}`, colour as string]),
    ),
    ...(radiusPx === null ? [] : [['theme-radius', `${radiusPx}px`] as [string, string]]),
    ...(fontFamily === null ? [] : [['theme-font', fontFamily] as [string, string]]),
  ];
}
