/** Whether a name is one of the IANA time zones that this machine knows. */
export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const DAY_MS = 86_400_000;

/**
 * The moment of a time on a wall in a zone, both in ms as if of UTC. Of a time that is there twice, when clocks are put back,
 * the first one; null: clocks were put forward over it.
 */
export function utcOf(wallMs: number, zone: string): number | null {
  const candidates = [wallMs - offsetMs(zone, wallMs - DAY_MS), wallMs - offsetMs(zone, wallMs + DAY_MS)];
  const found = candidates.filter((at) => at + offsetMs(zone, at) === wallMs);
  return found.length === 0 ? null : Math.min(...found);
}

const QUARTER_MS = 900_000;
/** Zones change their offset at quarters of an hour, so one answer serves each of them. */
const offsets = new Map<string, number>();
const OFFSETS_MAX = 20_000;
const clocks = new Map<string, Intl.DateTimeFormat>();

function offsetMs(zone: string, at: number): number {
  const quarter = Math.floor(at / QUARTER_MS) * QUARTER_MS;
  const key = `${zone} ${quarter}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    if (offsets.size >= OFFSETS_MAX) offsets.clear();
    offset = shownAt(zone, quarter) - quarter;
    offsets.set(key, offset);
  }
  return offset;
}

function shownAt(zone: string, at: number): number {
  const clock = clocks.get(zone) ?? new Intl.DateTimeFormat('en-US', { ...SHOWN, timeZone: zone });
  clocks.set(zone, clock);
  const part = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(part['year']!, part['month']! - 1, part['day']!, part['hour']!, part['minute']!, part['second']!);
}
const SHOWN = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const;
