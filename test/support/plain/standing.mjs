// What specs of one process share and could spoil for each other.
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What closes takes a few turns of the event loop, and more beside a load. */
const CLOSED_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 5;
/** Not that of a spec which has changed it. */
const nowMs = performance.now.bind(performance);
/**
 * Kinds of what Node keeps a process alive for. Not timers, of which packages have some of their own, nor pipes: those of a
 * process that was ended are open for a while after it.
 */
const KEPT_OPEN = ['TCPServerWrap', 'TCPSocketWrap', 'TLSWrap', 'PipeServerWrap', 'ProcessWrap', 'UDPWRAP'];
/** Objects whose properties are functions and values for everybody, by their names. */
const SHARED = { globalThis, process, 'process.env': process.env, performance, Date, Math, JSON, Promise, Object };
/** Set by jest and Node for themselves, anew for each spec; and what graceful-fs replaces once, when it is first loaded. */
const NOT_OURS =
  /^(globalThis\.(describe|it|test|expect|[fx](describe|it|test)|(before|after)(Each|All)|console)|process\.(exitCode|domain|_\w+|chdir|cwd))$/;

/** How they stand at one moment. */
export class Standing {
  #shared = new Map(Object.entries(SHARED).map(([name, object]) => [name, propertiesOf(object)]));
  #folder = process.cwd();
  #listeners = listeners();
  #open = openResources();

  /** What a spec has changed since and left as it is, each in a few words. */
  left() {
    const changed = [...this.#changes()].map(({ name, key }) => `${name}.${String(key)}`);
    const added = [...listeners()].filter(([event, all]) => all.some((each) => !this.#heard(event).includes(each)));
    return [
      ...changed.filter((name) => !NOT_OURS.test(name)),
      ...(process.cwd() === this.#folder ? [] : ['the folder of the process']),
      ...added.map(([event]) => `a listener for ${String(event)} of the process`),
    ];
  }

  /** Makes the properties, the listeners of the process and its folder what they were. */
  putBack() {
    for (const { name, key, before } of [...this.#changes()]) {
      if (NOT_OURS.test(`${name}.${String(key)}`)) continue;
      if (before) Object.defineProperty(SHARED[name], key, before);
      else delete SHARED[name][key];
    }
    if (process.cwd() !== this.#folder) process.chdir(this.#folder);
    for (const event of new Set([...this.#listeners.keys(), ...process.eventNames()])) {
      const [before, now] = [this.#heard(event), process.rawListeners(event)];
      if (now.length === before.length && now.every((each, i) => each === before[i])) continue;
      process.removeAllListeners(event);
      for (const each of before) process.on(event, each);
    }
  }

  #heard(event) {
    return this.#listeners.get(event) ?? [];
  }

  *#changes() {
    for (const [name, before] of this.#shared) {
      const now = propertiesOf(SHARED[name]);
      for (const key of new Set([...before.keys(), ...now.keys()]))
        // Packages add globals of their own where they are loaded, and would do so in each spec.
        if (!same(before.get(key), now.get(key)) && (before.has(key) || name !== 'globalThis'))
          yield { name, key, before: before.get(key) };
    }
  }

  /** What a spec has opened since, which keeps the process alive, and not closed; what closes may take that long. */
  async stillOpen(patienceMs = CLOSED_WITHIN_MS) {
    for (const deadline = nowMs() + patienceMs; ; await pause(LOOK_EVERY_MS)) {
      const open = openResources();
      const more = KEPT_OPEN.filter((type) => (open[type] ?? 0) > (this.#open[type] ?? 0));
      if (more.length === 0) return [];
      if (nowMs() > deadline)
        return [
          ...more.map((type) => `${open[type] - (this.#open[type] ?? 0)} ${type}, still open`),
          ...connections().map((each) => `connected: ${each}`),
        ];
    }
  }
}

const propertiesOf = (object) =>
  new Map(
    Reflect.ownKeys(object).flatMap((key) =>
      typeof key === 'string' ? [[key, Object.getOwnPropertyDescriptor(object, key)]] : [],
    ),
  );

/** What Node loads at its first use is a getter until then. */
const same = (before, now) =>
  before !== undefined &&
  now !== undefined &&
  (before.get ? now.get === before.get || !now.get : Object.is(before.value, now.value));

const listeners = () => new Map(process.eventNames().map((event) => [event, process.rawListeners(event)]));

/**
 * The ends of each connection that is open, how it stands and what went over it, by which it can be told whose one is that
 * was left. One whose other side has gone, and which nobody reads, does not know that side any more.
 */
const connections = () =>
  process
    ._getActiveHandles()
    .filter((handle) => handle instanceof net.Socket && (handle.remotePort || handle.connecting || isTcp(handle)))
    .map((socket) => {
      const { localPort, remotePort, readyState, bytesWritten, bytesRead } = socket;
      const how = ['destroyed', 'writableEnded', 'readableEnded', 'errored'].filter((each) => socket[each]);
      return [`${localPort} to ${remotePort}, ${readyState}, ${bytesWritten} bytes out, ${bytesRead} in`, ...how].join(
        ', ',
      );
    });

const isTcp = ({ _handle }) => _handle?.constructor.name === 'TCP';

function openResources() {
  const counts = {};
  for (const type of process.getActiveResourcesInfo()) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}
