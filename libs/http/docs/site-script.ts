import { searcher, type Hit, type SearchIndex } from './searcher.js';

/* What a browser has, as far as the script below uses it; the service itself is compiled without the types of browsers. */
interface Element {
  hidden: boolean;
  open?: boolean;
  value: string;
  type: string;
  className: string;
  textContent: string;
  parentElement: Element;
  dataset: Record<string, string>;
  append(...parts: (Element | string)[]): void;
  replaceChildren(...parts: (Element | string)[]): void;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  contains(other: unknown): boolean;
  matches(selector: string): boolean;
  focus(): void;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
  addEventListener(event: string, listener: (event: BrowserEvent) => void): void;
  href: string;
}
interface BrowserEvent {
  key: string;
  relatedTarget: unknown;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  target: Element;
  preventDefault(): void;
}
declare const document: Element & { createElement(name: string): Element; activeElement: Element | null };
declare const navigator: { clipboard?: { writeText(text: string): Promise<void> } };

/**
 * What pages of the documentation can do beyond being read: search while a person types, filter a long list, and copy a
 * listing. It runs in the browser and is served as its own text, so that it can use nothing from outside its braces.
 */
function site(search: typeof searcher): void {
  const HITS_MAX = 8;

  function made(name: string, words = '', className = ''): Element {
    const element = document.createElement(name);
    element.className = className;
    element.textContent = words;
    return element;
  }

  /** A browser has a clipboard on https and on this machine only. */
  function offerCopies(): void {
    const { clipboard } = navigator;
    if (!clipboard) return;
    for (const listing of document.querySelectorAll('.code')) {
      const button = made('button', 'Copy', 'copy');
      button.type = 'button';
      button.setAttribute('aria-label', `Copy: ${listing.querySelector('pre')!.getAttribute('aria-label')}`);
      button.addEventListener('click', () => {
        const say = (word: string): void => {
          button.textContent = word;
          button.setAttribute('aria-label', word);
        };
        clipboard.writeText(listing.querySelector('code')!.textContent).then(
          () => say('Copied'),
          () => say('Not copied'),
        );
      });
      listing.append(button);
    }
  }

  /** Hides what does not hold all words of the field, and sections of which nothing is left. */
  function offerFilters(): void {
    for (const field of document.querySelectorAll('.filter')) {
      const input = field.querySelector('input')!;
      const status = field.querySelector('[role=status]')!;
      const narrow = (): void => {
        const asked = input.value.toLowerCase().split(/\s+/).filter(Boolean);
        const isHit = (text: string): boolean => asked.every((word) => text.toLowerCase().includes(word));
        let count = 0;
        for (const line of document.querySelectorAll('[data-filtered]:not(section)')) {
          line.hidden = !isHit(line.dataset['filtered'] || line.textContent);
          if (!line.hidden) count += 1;
        }
        for (const section of document.querySelectorAll('section[data-filtered]'))
          section.hidden = !section.querySelector('[data-filtered]:not([hidden])');
        status.textContent = asked.length === 0 ? '' : count === 1 ? 'One is left.' : `${count} are left.`;
      };
      input.addEventListener('input', narrow);
      field.hidden = false;
    }
  }

  /** The index is loaded when the field is used for the first time. Enter opens the page of hits, as without scripts. */
  function offerSearch(): void {
    const form = document.querySelector('.search');
    if (!form) return;
    const input = form.querySelector('input')!;
    const list = made('div', '', 'hits');
    const status = made('span', '', 'unseen');
    list.hidden = true;
    status.setAttribute('role', 'status');
    form.append(list, status);
    let find: Promise<(query: string, max: number) => Hit[]> | undefined;
    const links = (): Element[] => [...list.querySelectorAll('a')];
    const close = (): void => void (list.hidden = true);

    const show = (): void => {
      const query = input.value;
      find ??= fetch(form.dataset['index']!).then(async (answer) => search((await answer.json()) as SearchIndex));
      find.then(
        (found) => {
          if (query !== input.value) return;
          const hits = found(query, HITS_MAX);
          list.replaceChildren(
            ...hits.map(({ title, heading, address }) => {
              const link = made('a', heading || title);
              link.href = form.dataset['prefix']! + address;
              if (heading) link.append(made('small', title));
              return link;
            }),
          );
          list.hidden = hits.length === 0;
          status.textContent = query.trim() === '' ? '' : `${hits.length} found. Arrow down leads to them.`;
        },
        // Without the index the page of hits is still there.
        () => void (find = undefined),
      );
    };
    input.addEventListener('input', show);
    form.addEventListener('focusout', (event) => form.contains(event.relatedTarget) || close());
    form.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        close();
        input.focus();
      }
      if (list.hidden || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
      event.preventDefault();
      const all = links();
      const to = all.findIndex((link) => link === document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1);
      (all[to] ?? input).focus();
    });
    document.addEventListener('keydown', (event) => {
      const isTyping = event.target.matches?.('input, textarea, select, [contenteditable]');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.focus();
    });
  }

  offerSearch();
  offerFilters();
  offerCopies();
}

/** `toString` gives functions as they were compiled. */
export const SITE_SCRIPT = `(${site.toString()})(${searcher.toString()});\n`;
