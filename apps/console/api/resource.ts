import { useEffect, useMemo } from 'preact/hooks';
import { signal, type ReadonlySignal } from '@preact/signals';
import { Problem } from './problem.js';

export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly data: T; readonly isStale: boolean }
  | { readonly state: 'failed'; readonly problem: Problem };

/** Something that a screen shows, and asks for again when it changed. */
export interface Resource<T> {
  readonly value: ReadonlySignal<Loaded<T>>;
  /** Asks again. What is shown stays until the answer is there. */
  reload(): Promise<void>;
}

/**
 * What `ask` answers, asked anew when one of `by` changes. An answer that a later question overtook is dropped.
 * `ask` throws a Problem where the service refuses; see `answered`.
 */
export function useResource<T>(ask: () => Promise<T>, by: readonly unknown[]): Resource<T> {
  const resource = useMemo(() => new Asked(ask), by);
  useEffect(() => {
    void resource.reload();
    return () => resource.stop();
  }, [resource]);
  return resource;
}

class Asked<T> implements Resource<T> {
  readonly value = signal<Loaded<T>>({ state: 'loading' });
  private asked = 0;

  constructor(private readonly ask: () => Promise<T>) {}

  async reload(): Promise<void> {
    const turn = (this.asked += 1);
    const before = this.value.peek();
    if (before.state === 'ready') this.value.value = { ...before, isStale: true };
    else this.value.value = { state: 'loading' };
    try {
      const data = await this.ask();
      if (turn === this.asked) this.value.value = { state: 'ready', data, isStale: false };
    } catch (thrown) {
      const problem = Problem.from(thrown);
      if (turn === this.asked) this.value.value = { state: 'failed', problem };
    }
  }

  stop(): void {
    this.asked += 1;
  }
}

/** A list that is shown page by page. */
export interface Pages<T> extends Resource<readonly T[]> {
  /** Whether there is more. */
  readonly hasMore: ReadonlySignal<boolean>;
  /** Adds the next page. */
  more(): Promise<void>;
}

/** The page behind a cursor; null: the first. */
export type AskPage<T> = (
  cursor: string | null,
) => Promise<{ readonly data: readonly T[]; readonly nextCursor?: string | null }>;

/** A list by its cursors, asked anew from the start when one of `by` changes. */
export function usePages<T>(ask: AskPage<T>, by: readonly unknown[]): Pages<T> {
  const pages = useMemo(() => new AskedPages(ask), by);
  useEffect(() => {
    void pages.reload();
    return () => pages.stop();
  }, [pages]);
  return pages;
}

class AskedPages<T> implements Pages<T> {
  readonly hasMore = signal(false);
  private cursor: string | null = null;
  private readonly rows = new Asked<readonly T[]>(() => this.read());
  private isMore = false;

  constructor(private readonly ask: AskPage<T>) {}

  get value(): ReadonlySignal<Loaded<readonly T[]>> {
    return this.rows.value;
  }

  reload(): Promise<void> {
    this.isMore = false;
    return this.rows.reload();
  }

  more(): Promise<void> {
    this.isMore = true;
    return this.rows.reload();
  }

  stop(): void {
    this.rows.stop();
  }

  private async read(): Promise<readonly T[]> {
    const shown = this.rows.value.peek();
    const before = this.isMore && shown.state === 'ready' ? shown.data : [];
    const { data, nextCursor = null } = await this.ask(this.isMore ? this.cursor : null);
    this.cursor = nextCursor;
    this.hasMore.value = nextCursor !== null;
    return [...before, ...data];
  }
}
