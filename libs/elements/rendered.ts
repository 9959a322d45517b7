import { RENDERED_CLASS } from './banner/rendered-class.js';

/*
 * A banner that a server put into the first HTML of a page, as `server/index.ts` makes it. It is seen before any script
 * runs; its buttons wait, disabled, until one does.
 */

/** Makes it what a page would have drawn itself. */
export function unrender(root: ParentNode, first: HTMLElement): void {
  first.classList.remove(RENDERED_CLASS);
  first.hidden = false;
  enable(root);
  mark(root, null);
}

function enable(root: ParentNode): void {
  for (const button of root.querySelectorAll('button')) button.disabled = false;
}
const mark = (root: ParentNode, pressed: Element | null): void => {
  for (const button of root.querySelectorAll('button')) button.toggleAttribute('data-pressed', button === pressed);
};

/** Keeps what is clicked on the banner before the page can answer, so that no click is lost. */
export class EarlyClicks {
  /** Finds the button that was clicked last; empty: none was. */
  pressed = '';
  /** Something else would be shown now: what was clicked does not count. */
  isChanged = false;
  private readonly root: ShadowRoot;
  private readonly keep = ({ target }: Event): void => {
    const button = (target as Element).closest('button');
    if (!button) return;
    const { action } = button.dataset;
    this.pressed = action ? `[data-action=${action}]` : '.close';
    mark(this.root, button);
  };

  constructor({ shadowRoot }: { shadowRoot: ShadowRoot }) {
    this.root = shadowRoot;
    this.root.addEventListener('click', this.keep);
    enable(this.root);
    // The rest of it may still be on its way.
    addEventListener('DOMContentLoaded', () => this.root.querySelector(`.${RENDERED_CLASS}`) && enable(this.root));
  }

  /** Answers the last click from now on no more. */
  end(): void {
    this.root.removeEventListener('click', this.keep);
    mark(this.root, null);
  }

  /** Takes the banner off the screen. */
  clear(): void {
    this.end();
    this.root.replaceChildren();
  }
}
