import type { Banner, ConsentState } from '../client/types.js';

/** What something waits for: all of the purposes, or any of them. */
export interface Wanted {
  purposes: readonly string[];
  any?: boolean;
}

export type ByPurpose = Readonly<Record<string, boolean>>;

/** As long as this browser has no visitor: what the place says of silence, and what the person objects to by signal. */
export const allowedBefore = ({ purposes }: Pick<Banner, 'purposes'>, objects: boolean): ByPurpose =>
  Object.fromEntries(
    purposes.map(({ key, gpc, ...purpose }) => [key, purpose.default === 'GRANTED' && !(gpc && objects)]),
  );

export const allowedBy = ({ purposes }: Pick<ConsentState, 'purposes'>): ByPurpose =>
  Object.fromEntries(Object.entries(purposes).map(([key, purpose]) => [key, purpose!.effective === 'ALLOWED']));

/** `refused`: what the person has just said no to, in this page. */
export type Look = (refused: readonly string[]) => void;

/** What may be done in this page, by purpose. What is not known is not allowed. */
export class Allowed {
  private now: ByPurpose = {};
  private readonly looks = new Set<Look>();

  allows({ purposes, any = false }: Wanted): boolean {
    const isAllowed = (key: string): boolean => this.now[key] === true;
    return any ? purposes.some(isAllowed) : purposes.length > 0 && purposes.every(isAllowed);
  }

  /** Calls back after each change. Returns a function that ends it. */
  onChange(look: Look): () => void {
    this.looks.add(look);
    return () => void this.looks.delete(look);
  }

  /** Answers the purposes that were allowed until now. */
  set(next: ByPurpose, refused: readonly string[] = []): string[] {
    const lost = Object.keys(this.now).filter((key) => this.now[key] && !next[key]);
    this.now = next;
    for (const look of this.looks) look(refused);
    return lost;
  }

  /** The person says no to these. */
  refuse(keys: readonly string[]): string[] {
    return this.set({ ...this.now, ...Object.fromEntries(keys.map((key) => [key, false])) }, keys);
  }
}
