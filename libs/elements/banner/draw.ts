import type { Banner } from '../../client/types.js';
import { styled } from '../page-elements.js';
import {
  describeBanner,
  isModal,
  ownText,
  themeProperties,
  type Described,
  type DescribedElement,
  type OwnText,
} from './description.js';
import { unrender } from '../rendered.js';
import { RENDERED_CLASS } from './rendered-class.js';
import { reserve } from './room.js';
import BANNER_STYLE from './banner.css';

type Layer = 1 | 2;

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

const made = ([tag, attributes, inside]: DescribedElement): HTMLElement =>
  part(
    tag as keyof HTMLElementTagNameMap,
    attributes,
    ...inside.map((each: Described) => (typeof each === 'string' ? each : made(each))),
  );

/**
 * A banner of what the service answered, closed. Where the first HTML of the page holds exactly this banner, its nodes are
 * used, with their focus, scroll position and ticked boxes.
 */
export function draw(root: ShadowRoot, banner: Banner, { ticked, choose, dismiss }: Acts): Drawn {
  const [first, second] = layersIn(root, describeBanner(banner, ticked).map(made) as [HTMLElement, HTMLElement]);
  styled(root, BANNER_STYLE, ':host{}');
  const { style } = root.adoptedStyleSheets[1]!.cssRules[0] as CSSStyleRule;
  for (const [name, value] of themeProperties(banner.theme)) style.setProperty(`--${name}`, value);

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
  for (const dialog of [first, second]) {
    dialog.addEventListener('click', ({ target }) => {
      const button = (target as Element).closest<HTMLElement>('button');
      const action = button?.dataset['action'];
      if (action === 'CUSTOMIZE') show(2);
      else if (action) choose(action, dialog === first ? 1 : 2);
      else if (button?.matches('.close')) left();
    });
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
    if (was === 1 && !isModal(banner) && hadFocus && opener?.isConnected) opener.focus();
  }

  function show(layer: Layer): void {
    cameFromFirst = layer === 2 && shown === 1;
    if (shown !== null) conceal();
    shown = layer;
    const dialog = layer === 1 ? first : second;
    if (layer === 2) first.hidden = true;
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
      isModal: layer === 2 || isModal(banner),
      position: banner.position,
    });
  }

  return {
    show,
    hide: conceal,
    say: (name) =>
      root.querySelectorAll('.problem').forEach((problem) => problem.replaceChildren(made(ownText(banner, name)))),
    ticked: () =>
      Object.fromEntries(
        banner.purposes.flatMap(({ key }) => {
          const toggle = root.getElementById(`s-${key}`) as HTMLInputElement | null;
          return toggle ? [[key, toggle.checked]] : [];
        }),
      ),
    remove() {
      conceal();
      first.remove();
      second.remove();
    },
  };
}

/** The two layers in the root: those of the first HTML where they are the same to the attribute, else the ones that were drawn. */
function layersIn(root: ShadowRoot, drawn: [HTMLElement, HTMLElement]): [HTMLElement, HTMLElement] {
  const [first, second] = root.querySelectorAll<HTMLElement>('.first, .second');
  if (first?.matches(`.${RENDERED_CLASS}`) && second) {
    unrender(root, first);
    const isSame = first.isEqualNode(drawn[0]) && second.isEqualNode(drawn[1]);
    root.querySelectorAll('link').forEach((link) => link.remove());
    if (isSame) {
      first.classList.add('taken');
      return [first, second];
    }
  }
  root.replaceChildren(...drawn);
  drawn[0].hidden = true;
  return drawn;
}
