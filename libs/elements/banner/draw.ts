import type { Banner } from '../../client/types.js';
import { styled } from '../page-elements.js';
import { reserve } from './room.js';
import BANNER_STYLE from './banner.css';
import TEXTS from '../texts.json';

type OwnText = keyof (typeof TEXTS)['en'];
type Layer = 1 | 2;

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

export interface Drawn {
  /** Layer 1: what is seen at once; layer 2: the choices. */
  show(layer: Layer): void;
  hide(): void;
  /** Shows one of our own texts beside the buttons. */
  say(text: OwnText): void;
  /** By key, what is switched on. */
  ticked(): Record<string, boolean>;
  remove(): void;
}

export interface Acts {
  /** By key, what is switched on at first; of others their default is. */
  ticked: Readonly<Record<string, boolean>>;
  choose: (action: string, layer: Layer) => void;
  /** Closed without a choice. */
  dismiss: () => void;
}

/** An element with its attributes and what stands in it. */
export function part<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>>,
  ...inside: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  // As texts, so that no catalogue puts a script into a page.
  made.append(...inside);
  return made;
}

/** A banner of what the service answered, closed. */
export function draw(root: ShadowRoot, banner: Banner, { ticked, choose, dismiss }: Acts): Drawn {
  const isModal = banner.layout === 'DIALOG' || banner.layout === 'WALL';
  const text = (name: keyof Banner['texts']): string => banner.texts[name] ?? '';
  const language = banner.locale.split('-')[0] as keyof typeof TEXTS;
  const isOurs = language in TEXTS;
  const own = (name: OwnText): HTMLElement =>
    part('span', isOurs ? {} : { lang: 'en' }, (isOurs ? TEXTS[language] : TEXTS.en)[name]);

  const switches: Record<string, HTMLInputElement> = {};
  const item = (purpose: Banner['purposes'][number]): HTMLElement => {
    const [id, about] = [`s-${purpose.key}`, `d-${purpose.key}`];
    const words = part('p', { id: about }, purpose.description);
    // What cannot be chosen says so: a switch that does nothing would lie.
    if (purpose.locked || purpose.consentModel === 'NOTICE_ONLY')
      return part(
        'li',
        { part: 'item' },
        part('b', {}, purpose.name),
        part('span', { class: 'fixed' }, own(purpose.locked ? 'alwaysOn' : 'information')),
        words,
      );
    const toggle = part('input', { type: 'checkbox', role: 'switch', part: 'toggle', id, 'aria-describedby': about });
    toggle.checked = ticked[purpose.key] ?? purpose.default === 'GRANTED';
    switches[purpose.key] = toggle;
    return part('li', { part: 'item' }, part('label', { for: id }, purpose.name), toggle, words);
  };

  const button = ({ action, emphasis }: Banner['buttons'][number], layer: Layer): HTMLButtonElement => {
    const isQuiet = action === 'CUSTOMIZE' && emphasis === 'SECONDARY';
    const made = part(
      'button',
      {
        type: 'button',
        class: isQuiet ? 'quiet' : emphasis === 'PRIMARY' ? 'strong' : 'weak',
        part: PARTS[action] ?? 'button',
        'data-action': action,
        ...(action === 'CUSTOMIZE' && { 'aria-haspopup': 'dialog' }),
      },
      text(LABEL_OF[action]!),
    );
    made.addEventListener('click', () => (action === 'CUSTOMIZE' ? show(2) : choose(action, layer)));
    return made;
  };
  const problems: HTMLElement[] = [];
  const acts = (buttons: HTMLElement[]): HTMLElement => {
    const problem = part('p', { part: 'problem', class: 'problem', role: 'alert' });
    problems.push(problem);
    return part('div', { class: 'acts' }, ...buttons, problem);
  };
  const closer = (): HTMLElement[] => {
    if (text('close') === '') return [];
    const close = part('button', { type: 'button', class: 'close', 'aria-label': text('close') }, '×');
    close.addEventListener('click', () => left());
    return [close];
  };

  const heading = (id: string, words: string): HTMLElement =>
    part('h2', { id, part: 'title', tabindex: '-1', ...(isModal || id === 'choices' ? { autofocus: '' } : {}) }, words);
  const links = part('p', { class: 'links' });
  for (const name of ['privacyPolicy', 'imprint'] as const)
    if (banner.links[name] !== null) links.append(part('a', { href: banner.links[name] }, own(name)));
  const body = part(
    'div',
    { id: 'body', part: 'body' },
    ...text('body')
      .split('\n')
      .map((words) => part('p', {}, words)),
  );
  if (links.firstChild) body.append(links);

  const about = { lang: banner.locale, dir: banner.direction.toLowerCase(), part: 'dialog' };
  const first = part(
    isModal ? 'dialog' : 'section',
    {
      ...about,
      class: `first ${banner.layout.toLowerCase()} ${banner.position.toLowerCase()}`,
      'aria-labelledby': 'title',
      ...(isModal ? { 'aria-describedby': 'body' } : { role: 'region' }),
    },
    part('div', { class: 'words' }, heading('title', text('title')), body),
    acts(banner.buttons.filter(({ layer }) => layer === 1).map((each) => button(each, 1))),
    ...closer(),
  );
  // A person who comes back to say no needs as few clicks as it took to say yes (GDPR art. 7(3)).
  const onSecond = banner.buttons.filter(
    ({ action, layer }) =>
      layer === 2 ||
      (action !== 'CUSTOMIZE' && !banner.buttons.some((other) => other.layer === 2 && other.action === action)),
  );
  const second = part(
    'dialog',
    { ...about, class: 'second', 'aria-labelledby': 'choices' },
    part('header', {}, heading('choices', text('privacyChoices') || text('title'))),
    part('ul', { role: 'list', tabindex: '-1' }, ...banner.purposes.map(item)),
    part('footer', {}, acts(onSecond.sort((a, b) => a.layer - b.layer).map((each) => button(each, 2)))),
    ...closer(),
  );

  styled(root, BANNER_STYLE, ':host{}');
  paint(root.adoptedStyleSheets[1]!, banner.theme);
  root.append(first, second);
  first.hidden = true;

  let shown: Layer | null = null;
  /** What had the focus before it came in here, to have it again. */
  let opener: HTMLElement | null = null;
  let cameFromFirst = false;

  /** Out of the choices back to where they were opened; out of the first layer without a choice. */
  function left(): void {
    if (shown === 2 && cameFromFirst) {
      show(1);
      first.querySelector<HTMLElement>('[data-action=CUSTOMIZE]')?.focus();
    } else dismiss();
  }
  for (const dialog of [first, second])
    if (dialog instanceof HTMLDialogElement) {
      dialog.addEventListener('cancel', (event) => {
        event.preventDefault();
        left();
      });
      // Browsers close a dialog at a second Escape, whatever the page says.
      dialog.addEventListener('close', () => !dialog.hidden && shown !== null && left());
    } else {
      dialog.addEventListener('keydown', ({ key }) => key === 'Escape' && left());
      dialog.addEventListener('focusin', ({ relatedTarget }) => {
        if (relatedTarget instanceof HTMLElement && !dialog.contains(relatedTarget)) opener = relatedTarget;
      });
    }

  function conceal(): void {
    const was = shown;
    shown = null;
    const hadFocus = root.activeElement !== null;
    for (const dialog of [first, second]) {
      dialog.hidden = true;
      if (dialog instanceof HTMLDialogElement && dialog.open) dialog.close();
    }
    reserve(null);
    if (was === 1 && !isModal && hadFocus && opener?.isConnected) opener.focus();
  }

  function show(layer: Layer): void {
    cameFromFirst = layer === 2 && shown === 1;
    conceal();
    shown = layer;
    const dialog = layer === 1 ? first : second;
    dialog.hidden = false;
    if (dialog instanceof HTMLDialogElement) dialog.showModal();
    else if ('showPopover' in dialog) {
      // In the top layer nothing of the page lies over it, whatever it has for a z-index.
      dialog.popover = 'manual';
      dialog.showPopover();
    }
    reserve({
      box: first,
      isStill: banner.behaviour.scrollLock,
      isModal: layer === 2 || isModal,
      position: banner.position,
    });
  }

  return {
    show,
    hide: conceal,
    say: (name) => problems.forEach((problem) => problem.replaceChildren(own(name))),
    ticked: () => Object.fromEntries(Object.entries(switches).map(([key, { checked }]) => [key, checked])),
    remove() {
      conceal();
      first.remove();
      second.remove();
    },
  };
}

/** The colours, corners and fonts of the site, as custom properties under those that its pages may set. */
function paint(sheet: CSSStyleSheet, { light, dark, radiusPx, fontFamily }: Banner['theme']): void {
  const { style } = sheet.cssRules[0] as CSSStyleRule;
  const named = (name: string): string => name.replace(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`);
  for (const [scheme, colours] of Object.entries({ light, dark }))
    for (const [name, colour] of Object.entries(colours))
      style.setProperty(`--${scheme}-${named(name)}`, colour as string);
  if (radiusPx !== null) style.setProperty('--theme-radius', `${radiusPx}px`);
  if (fontFamily !== null) style.setProperty('--theme-font', fontFamily);
}
