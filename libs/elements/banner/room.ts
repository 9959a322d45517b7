/** What a banner takes of the page. */
export interface Taken {
  box: HTMLElement;
  /** The page behind does not scroll. */
  isStill: boolean;
  isModal: boolean;
  position: string;
}

let sheet: CSSStyleSheet | null = null;

/**
 * Keeps what is behind the banner in reach: the end of the page can be scrolled above it, and what gets the focus is
 * scrolled out from under it (WCAG 2.2, 2.4.11). Nothing of what is on the screen moves. Null: nothing is taken any more.
 */
export function reserve(taken: Taken | null): void {
  sheet ??= new CSSStyleSheet();
  sheet.replaceSync('');
  if (!document.adoptedStyleSheets.includes(sheet))
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  if (taken) sheet.replaceSync(ruleOf(taken));
}

function ruleOf({ box, isStill, isModal, position }: Taken): string {
  // A page that has a bar to scroll by keeps its place, so that nothing moves sideways.
  const gutter = innerWidth > document.documentElement.clientWidth ? 'scrollbar-gutter:stable;' : '';
  const still = isStill || isModal ? `overflow:hidden;${gutter}` : '';
  if (isModal) return `html{${still}}`;
  const edge = position === 'TOP' ? 'start' : 'end';
  const height = Math.ceil(box.getBoundingClientRect().height) + 32;
  // Of the content box, so that a page as high as the window does not shrink.
  const room = edge === 'end' ? `box-sizing:content-box;padding-block-end:${height}px;` : '';
  return `html{${still}${room}scroll-padding-block-${edge}:${height}px}`;
}
