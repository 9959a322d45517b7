import type { Page, Part } from './browser.js';
import type { Banner } from '../../../client/index.js';

declare const document: Page;

/** Under which name a button's words stand among the texts. */
const LABEL_OF: Record<string, keyof Banner['texts']> = {
  ACCEPT_ALL: 'acceptAll',
  REJECT_ALL: 'rejectAll',
  CUSTOMIZE: 'customize',
  SAVE: 'save',
  ACKNOWLEDGE: 'acknowledge',
  DO_NOT_SELL: 'doNotSell',
};

export interface DrawnBanner {
  dialog: Part;
  /** Shows all choices at once, with the first of them in reach. */
  openChoices(): void;
  /** Says what went wrong; the empty text: nothing did. */
  say(problem: string): void;
  /** By key, what is ticked. */
  ticked(): Record<string, boolean>;
}

/**
 * Makes a banner of what the service answered: a dialog with a title, the buttons of the first layer, and behind CUSTOMIZE
 * the purposes with those of the second. Texts are put in as texts, so that no catalogue can put a script into a page.
 * `earlier`: by key, what is ticked at first; of others their default is. Where the banner has a word for closing, a
 * button does it, which calls `dismiss`.
 */
export function drawnBanner(
  banner: Banner,
  earlier: Readonly<Record<string, boolean>>,
  act: (action: string) => void,
  dismiss: () => void,
): DrawnBanner {
  const part = (name: string, className: string, ...inside: (Part | string)[]): Part => {
    const made = document.createElement(name);
    if (className !== '') made.className = className;
    made.append(...inside);
    return made;
  };
  const text = (name: keyof Banner['texts']): string => banner.texts[name] ?? '';

  const ticks: Record<string, Part> = {};
  const purposeRow = (purpose: Banner['purposes'][number]): Part => {
    const about = part('span', 'about', purpose.description);
    about.id = `banner-about-${purpose.key}`;
    const name = part('span', 'name', purpose.name);
    // A visitor cannot choose here, so the purpose gets no box.
    if (purpose.locked || purpose.consentModel === 'NOTICE_ONLY') return part('li', '', part('div', '', name, about));
    const tick = part('input', '');
    tick.setAttribute('type', 'checkbox');
    tick.setAttribute('aria-describedby', about.id);
    tick.checked = earlier[purpose.key] ?? purpose.default === 'GRANTED';
    ticks[purpose.key] = tick;
    return part('li', '', part('label', '', tick, name), about);
  };
  const buttons = (layer: number): Part => {
    const row = part('div', 'buttons');
    for (const { action, emphasis, layer: on } of banner.buttons) {
      if (on !== layer) continue;
      const button = part('button', emphasis === 'PRIMARY' ? 'primary' : 'secondary', text(LABEL_OF[action]!));
      button.setAttribute('type', 'button');
      button.dataset['action'] = action;
      if (action === 'CUSTOMIZE') button.setAttribute('aria-expanded', 'false');
      button.addEventListener('click', () => (action === 'CUSTOMIZE' ? openChoices() : act(action)));
      if (action === 'CUSTOMIZE') customize = button;
      row.append(button);
    }
    return row;
  };

  let customize: Part | null = null;
  const title = part('h2', '', text('title'));
  title.id = 'banner-title';
  title.tabIndex = -1;
  title.setAttribute('autofocus', '');
  const body = part('div', 'body');
  body.id = 'banner-body';
  for (const paragraph of text('body').split('\n')) body.append(part('p', '', paragraph));
  const links = part('p', 'links');
  for (const address of Object.values(banner.links)) {
    if (address === null) continue;
    const link = part('a', '', address.replace(/^https?:\/\//, ''));
    link.setAttribute('href', address);
    links.append(link, ' ');
  }
  const choices = part('fieldset', '', part('legend', '', text('customize') || text('title')));
  choices.append(part('ul', '', ...banner.purposes.map(purposeRow)));
  const [first, second] = [buttons(1), buttons(2)];
  const more = part('div', 'more', choices, second);
  more.hidden = true;
  const problem = part('p', 'problem');
  problem.setAttribute('role', 'alert');

  const dialog = part('dialog', 'consent-banner', title);
  if (text('close') !== '') {
    const close = part('button', 'close', '×');
    close.setAttribute('type', 'button');
    close.setAttribute('aria-label', text('close'));
    close.addEventListener('click', dismiss);
    dialog.append(close);
  }
  dialog.append(body, links, first, more, problem);
  dialog.setAttribute('lang', banner.locale);
  dialog.setAttribute('dir', banner.direction.toLowerCase());
  dialog.setAttribute('aria-labelledby', title.id);
  dialog.setAttribute('aria-describedby', body.id);
  dialog.dataset['layout'] = banner.layout;
  dialog.dataset['position'] = banner.position;
  for (const scheme of ['light', 'dark'] as const)
    for (const [name, colour] of Object.entries(banner.theme[scheme]))
      dialog.style.setProperty(`--${scheme}-${name.replace(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`)}`, colour);
  if (banner.theme.radiusPx !== null) dialog.style.setProperty('--radius', `${banner.theme.radiusPx}px`);
  if (banner.theme.fontFamily !== null) dialog.style.setProperty('--font', banner.theme.fontFamily);

  function openChoices(): void {
    more.hidden = false;
    customize?.setAttribute('aria-expanded', 'true');
    (Object.values(ticks)[0] ?? title).focus();
  }
  return {
    dialog,
    openChoices,
    say: (what) => void (problem.textContent = what),
    ticked: () => Object.fromEntries(Object.entries(ticks).map(([key, tick]) => [key, tick.checked])),
  };
}
