import { made } from './made.js';
import type { Person } from './person.js';
import type { Words } from './words.js';

/** Where the parts of the element stand. */
export interface Room {
  readonly person: Person;
  readonly words: Words;
  /** Of the words. */
  readonly language: string;
  /** Whether the token allows it; the service decides. */
  readonly may: (scope: string) => boolean;
  /** Dispatches an event of the element. */
  readonly emit: (name: string, detail: object) => void;
}

/** One part of what a person sees. */
export abstract class Section<Seen> {
  readonly root: HTMLElement;
  private readonly inside = made('div', { class: 'inside' });
  private readonly status = made('p', { role: 'status', class: 'status' });
  private readonly problem = made('p', { role: 'alert', class: 'problem', part: 'problem' });
  private drawn = '';

  constructor(
    protected readonly room: Room,
    name: 'preferences' | 'consents' | 'receipts' | 'requests',
    /** Does what was pressed, says how it went, and reads again. */
    private readonly perform: (section: Section<unknown>, act: () => Promise<string>) => Promise<void>,
  ) {
    const id = `s-${name}`;
    this.root = made(
      'section',
      { part: 'section', 'aria-labelledby': id },
      made('h2', { id, tabindex: '-1' }, room.words[name]),
      this.inside,
      this.status,
      this.problem,
    );
  }

  /** Asks the service for what `draw` shows. */
  abstract read(): Promise<Seen>;
  protected abstract draw(seen: Seen): Node[];

  /** Shows what was read. What has the focus keeps it. Answers whether something else is shown now. */
  show(seen: Seen): boolean {
    const text = JSON.stringify(seen);
    if (text === this.drawn) return false;
    const wasShown = this.drawn !== '';
    this.drawn = text;
    this.redraw(seen);
    return wasShown;
  }

  protected redraw(seen: Seen): void {
    const shadow = this.root.getRootNode() as Partial<ShadowRoot>;
    const focused = shadow.activeElement;
    const hadFocus = focused && this.inside.contains(focused) ? focused.id : null;
    this.inside.replaceChildren(...this.draw(seen));
    if (hadFocus !== null) (shadow.getElementById?.(hadFocus) ?? this.root.querySelector('h2'))!.focus();
  }

  /** `act` answers the words that say what was done. */
  protected act(act: () => Promise<string>): void {
    void this.perform(this as Section<unknown>, act);
  }

  say(status: string, problem = ''): void {
    this.status.textContent = status;
    this.problem.textContent = problem;
  }
}
