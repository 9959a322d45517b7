import { randomId } from '../../client/page.js';
import { visitor } from '../../client/visitor.js';
import type { Allowed } from '../allowed.js';
import type { Settings } from '../settings.js';
import type { Visitor } from '../visitor.js';
import type { ReadOptions } from '../../client/sending/connection.js';

/** What the interfaces of a page ask of it. */
export interface PageOfInterfaces {
  readonly settings: Settings;
  readonly visitor: Visitor;
  readonly allowed: Allowed;
  /** The person is asked and has not answered. */
  readonly isAsking: boolean;
  /** Resolves when the banner is on the screen, or the page knows that it need not be. */
  readonly started: Promise<void>;
  problem(error: unknown): void;
}

/** What the page says of a choice. */
export interface Chosen {
  decisions: Readonly<Record<string, string>>;
  method: string;
}

/** In place of a visitor where this browser has none: kept nowhere, and nothing is ever recorded of it. */
const UNKNOWN = `visitor_id:${randomId()}`;

/** What the service says of the visitor in the words of one framework. Rejects with an AssentError. */
export function said<T>({ visitor: one, settings }: PageOfInterfaces, what: string, more: object = {}): Promise<T> {
  const { connection } = one;
  const { country, region } = settings;
  const subject = one.isKnown() ? visitor(connection) : UNKNOWN;
  return connection.read(`/v1/consent/${what}`, { subject, country, region, ...more } as ReadOptions);
}

/**
 * Asks the service at once, and again after each change, and hands on what is newest. `chosen`: the choice since the last
 * answer; null where none was made here. `failed` is called where there is no answer.
 */
export function follow<T>(
  page: PageOfInterfaces,
  ask: () => Promise<T>,
  hand: (answer: T, chosen: Chosen | null) => void,
  failed: (error: unknown) => void = (error) => page.problem(error),
): void {
  let [asked, chosen]: [number, Chosen | null] = [0, null];
  const look = async (): Promise<void> => {
    const mine = ++asked;
    try {
      const answer = await ask();
      if (mine !== asked) return;
      const made = chosen;
      chosen = null;
      hand(answer, made);
    } catch (error) {
      if (mine === asked) failed(error);
    }
  };
  document.addEventListener('assent-choice', ({ detail }: CustomEventInit<Chosen>) => {
    chosen = detail!;
    // What is on its way knows nothing of it.
    asked++;
  });
  page.allowed.onChange((refused) => {
    if (refused.length === 0) void look();
  });
  void look();
}
