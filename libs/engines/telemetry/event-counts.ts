import { Counter, type Registry } from 'prom-client';

/** A counter of events of one type. Its labels are names from a catalogue, never text that a person wrote. */
export interface CountedEvent {
  type: string;
  /** Ends in `_total`. */
  metric: string;
  help: string;
  labels: readonly string[];
  /** A value for each label. */
  of: (data: never) => Readonly<Record<string, string>>;
}

/** Most series of one counter. Further ones count together, with OTHER as every label. */
const SERIES_MAX = 200;
export const OTHER = 'other';

/** Counts events as they enter the log. */
export class EventCounts {
  private readonly byType = new Map<string, { counted: CountedEvent; counter: Counter; series: Set<string> }>();

  constructor(all: readonly CountedEvent[], registry: Registry) {
    for (const counted of all) {
      const { type, metric: name, help, labels } = counted;
      const counter = new Counter({ name, help, labelNames: [...labels], registers: [registry] });
      this.byType.set(type, { counted, counter, series: new Set() });
    }
  }

  add({ type, data }: { type: string; data: unknown }): void {
    const known = this.byType.get(type);
    if (!known) return;
    const { counted, counter, series } = known;
    const labels = counted.of(data as never);
    const name = JSON.stringify(labels);
    if (series.has(name) || series.size < SERIES_MAX) counter.inc(series.add(name) && labels);
    else counter.inc(Object.fromEntries(counted.labels.map((label) => [label, OTHER])));
  }
}
