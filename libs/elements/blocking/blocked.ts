import type { Allowed, Wanted } from '../allowed.js';
import { trusted } from '../trusted.js';
import { wantedBy } from './wanted.js';

const SCRIPTS = ['data-assent', 'data-assent-any'].map((name) => `script[type="text/plain"][${name}]`).join();
const FRAMES = ['data-assent', 'data-assent-any'].map((name) => `[data-src][${name}]:not(script)`).join();
const HELD = `${SCRIPTS},${FRAMES}`;
/** Scripts that come after one that does not load wait no longer than this, in milliseconds. */
const LOADED_WITHIN_MS = 10_000;

/** Scripts and frames of the page that are held back until what they are for is allowed, the later ones included. */
export class Blocked {
  private readonly taken = new WeakSet<Element>();
  /** What scripts that ran were for. */
  private readonly ran: Wanted[] = [];
  /** Frames and pictures that were loaded. */
  private readonly loaded = new Map<Element, Wanted>();
  /** Scripts run one after the other, in the order of the page. */
  private running: Promise<unknown> = Promise.resolve();

  /** `added`: called with each element that comes into the page, for what else waits for them. */
  constructor(
    private readonly allowed: Allowed,
    private readonly added: (within: ParentNode) => void,
  ) {}

  begin(): void {
    this.allowed.onChange(() => this.look(document));
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node instanceof Element) {
            if (node.matches(HELD) || node.firstElementChild) this.look(node.parentNode ?? node);
            this.added(node.parentNode ?? node);
          }
    }).observe(document.documentElement, { childList: true, subtree: true });
    this.look(document);
    this.added(document);
  }

  /** What was in it has run, and cannot be stopped but by loading the page anew. */
  note(wanted: Wanted): void {
    this.ran.push(wanted);
  }

  /** Whether a script goes on that was allowed once and is not any more. */
  goesOn(): boolean {
    return this.ran.some((wanted) => !this.allowed.allows(wanted));
  }

  /** What is held back now. */
  held(): Element[] {
    return [...document.querySelectorAll(HELD)].filter(
      (element) => !this.taken.has(element) && !this.loaded.has(element),
    );
  }

  private look(within: ParentNode): void {
    for (const [frame, wanted] of this.loaded) if (!this.allowed.allows(wanted)) this.unload(frame);
    for (const script of within.querySelectorAll<HTMLScriptElement>(SCRIPTS)) this.run(script);
    for (const frame of within.querySelectorAll<HTMLElement>(FRAMES)) this.load(frame);
  }

  private run(script: HTMLScriptElement): void {
    const wanted = wantedBy(script);
    if (!wanted || this.taken.has(script) || !this.allowed.allows(wanted)) return;
    this.taken.add(script);
    this.running = this.running.then(async () => {
      await nextTask();
      // The person may have said no meanwhile, and the page may have taken it away.
      if (!this.allowed.allows(wanted) || !script.isConnected) return void this.taken.delete(script);
      this.note(wanted);
      await inserted(script);
    });
  }

  private load(frame: HTMLElement): void {
    const wanted = wantedBy(frame);
    const address = frame.dataset['src'];
    if (!wanted || !address || this.loaded.has(frame) || !this.allowed.allows(wanted)) return;
    this.loaded.set(frame, wanted);
    (frame as HTMLIFrameElement).src = address;
  }

  /** What a frame holds ends when the frame is taken out of the page. */
  private unload(frame: Element): void {
    this.loaded.delete(frame);
    const empty = frame.cloneNode(true) as Element;
    empty.removeAttribute('src');
    frame.replaceWith(empty);
  }
}

/** Lets the browser answer clicks between two scripts. */
const nextTask = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve));

/** Puts a script that runs in the place of one that does not; resolves when the next one may run. */
function inserted(held: HTMLScriptElement): Promise<unknown> {
  const script = document.createElement('script');
  for (const { name, value } of held.attributes)
    if (!['type', 'src', 'data-type', 'nonce'].includes(name)) script.setAttribute(name, value);
  // Browsers show a nonce to scripts only.
  script.nonce = held.nonce;
  const type = held.dataset['type'];
  if (type !== undefined) script.type = type;
  // Of a script that was not run, `async` is true whatever the page says.
  const isOrdered = !held.hasAttribute('async');
  script.async = !isOrdered;
  const address = held.getAttribute('src');
  if (address === null) script.text = trusted().createScript(held.text);
  else script.src = trusted().createScriptURL(address);
  const over =
    isOrdered && (address !== null || type === 'module')
      ? new Promise((resolve) => {
          script.onload = script.onerror = resolve;
          setTimeout(resolve, LOADED_WITHIN_MS);
        })
      : Promise.resolve();
  held.replaceWith(script);
  return over;
}
