import { getConsentState } from './consent.js';
import type { Connection } from './sending/connection.js';
import type { CatalogueNames, PurposeKey } from './types.js';
import { watch } from './watching.js';

interface Gate {
  purposes: readonly string[];
  callback: () => unknown;
}

const gates = new WeakMap<Connection, Map<string, Gates>>();

/**
 * Runs the callback once, as soon as the subject allows one of the purposes: at once if it does already, else after
 * `notifyConsentChanged`. Sends no request while it waits. Returns a function that stops waiting. If the service does not
 * answer, the purposes count as not allowed.
 */
export function gate<N = CatalogueNames>(
  connection: Connection,
  subject: string,
  purposes: readonly PurposeKey<N>[],
  callback: () => unknown,
): () => void {
  let bySubject = gates.get(connection);
  if (!bySubject) gates.set(connection, (bySubject = new Map<string, Gates>()));
  let waiting = bySubject.get(subject);
  if (!waiting) bySubject.set(subject, (waiting = new Gates(connection, subject)));
  return waiting.add({ purposes, callback });
}

/** All gates that wait for one subject. They share one answer. */
class Gates {
  private readonly waiting = new Set<Gate>();
  private isLooking = false;
  private isChanged = false;

  constructor(
    private readonly connection: Connection,
    private readonly subject: string,
  ) {
    watch(connection, (fresh) => this.look(fresh));
  }

  add(gate: Gate): () => void {
    this.waiting.add(gate);
    void this.look(false);
    return () => void this.waiting.delete(gate);
  }

  private async look(fresh: boolean): Promise<void> {
    if (this.waiting.size === 0) return;
    // The answer on its way may be older than the change.
    if (this.isLooking) return void (this.isChanged ||= fresh);
    this.isLooking = true;
    try {
      const { purposes } = await getConsentState(this.connection, this.subject, { fresh });
      for (const gate of [...this.waiting])
        if (gate.purposes.some((key) => purposes[key]?.effective === 'ALLOWED')) this.open(gate);
    } catch (error) {
      console.error(error);
    }
    this.isLooking = false;
    if (!this.isChanged) return;
    this.isChanged = false;
    return this.look(true);
  }

  private open(gate: Gate): void {
    // An earlier gate may have stopped this one.
    if (!this.waiting.delete(gate)) return;
    try {
      gate.callback();
    } catch (error) {
      // Report the error, and open the gates behind it.
      console.error(error);
    }
  }
}
