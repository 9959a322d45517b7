/** Longest wait for a paint, in milliseconds: a page in the background has none. */
const PAINT_WITHIN_MS = 100;

/** Resolves when what was changed is on the screen, or when the page is left: whichever comes first. */
export const afterPaint = (): Promise<unknown> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, PAINT_WITHIN_MS);
    addEventListener('pagehide', resolve, { once: true });
  });

/** Calls back when the page has nothing better to do. */
export const whenIdle = (back: () => unknown): unknown =>
  'requestIdleCallback' in window ? requestIdleCallback(back) : setTimeout(back);

/** Resolves when the page has a body. */
export const bodyOf = (): Promise<HTMLElement> =>
  new Promise((resolve) => {
    if (document.body) return resolve(document.body);
    const observer = new MutationObserver(() => {
      if (!document.body) return;
      observer.disconnect();
      resolve(document.body);
    });
    observer.observe(document.documentElement, { childList: true });
  });

/**
 * Resolves when the first element of the body is there, and whole where a server put the banner there: a script that the
 * browser kept runs before the HTML has arrived.
 */
export const bodyBegun = (): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      const first = document.body?.firstElementChild;
      const isWhole = first && (first.localName !== 'assent-banner' || first.nextSibling);
      if (!isWhole && document.readyState === 'loading') return;
      observer.disconnect();
      document.removeEventListener('readystatechange', look);
      resolve();
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { childList: true, subtree: true });
    document.addEventListener('readystatechange', look);
    look();
  });
