import type { GppString } from '../../client/types.js';
import { follow, said, type PageOfInterfaces } from './following.js';
import type { Answered } from './stubs.js';

/** Prefixes of the sections that the service makes, by id. */
export const GPP_SECTIONS: Readonly<Record<number, string>> = Object.fromEntries([
  [2, 'tcfeuv2'],
  ...'nat ca va co ut ct fl mt or tx de ia ne nh nj tn mn md in ky ri'
    .split(' ')
    .map((state, i) => [i + 7, `us${state}`]),
]) as Record<number, string>;
const TCF_SECTION = 2;
/** The id of the first listener, as in IAB’s own library: those of a stub are below it. */
const LISTENERS_FROM = 1000;

type Fields = Readonly<Record<string, unknown>>;

/** `__gpp` of IAB’s "GPP CMP API" 1.1, in place of its stub. Nothing is decoded here: the service says what stands in it. */
export function offerGpp(page: PageOfInterfaces): void {
  const window_ = window as unknown as { __gpp?: (...call: unknown[]) => unknown };
  const kept = <T>(...name: string[]): readonly T[] => (window_.__gpp?.(...name) ?? []) as readonly T[];
  const listeners = new Map<unknown, Answered>(
    kept<{ id: unknown; callback: Answered }>('events').map(({ id, callback }) => [id, callback]),
  );
  const queue = kept<unknown[]>();
  let next = LISTENERS_FROM;
  let parsed: Readonly<Record<string, Fields>> = {};
  let sections: readonly string[] = [];
  let pingData = {
    gppVersion: '1.1',
    cmpStatus: 'loading',
    cmpDisplayStatus: 'hidden',
    signalStatus: 'not ready',
    supportedAPIs: Object.entries(GPP_SECTIONS).map(([id, name]) => `${id}:${name}`),
    cmpId: 0,
    sectionList: [] as readonly number[],
    applicableSections: [] as readonly number[],
    gppString: 'DBAA',
    parsedSections: {},
  };
  const eventOf = (eventName: string, listenerId: unknown, data: unknown): object => ({
    eventName,
    listenerId,
    data,
    pingData: { ...pingData },
  });
  const fire = (eventName: string, data: unknown): void =>
    listeners.forEach((callback, id) => callback(eventOf(eventName, id, data), true));

  const answers: Readonly<Record<string, (back: Answered, parameter: unknown) => unknown>> = {
    ping: () => ({ ...pingData }),
    addEventListener: (back) => {
      listeners.set(next, back);
      return eventOf('listenerRegistered', next++, true);
    },
    removeEventListener: (_, id) => eventOf('listenerRemoved', id, listeners.delete(id)),
    hasSection: (_, name) => sections.includes(named(name)),
    // Since TCF 2.2 what stands in its section is had by listening alone.
    getSection: (_, name) => parsed[named(name)] ?? null,
    getField: (_, name) => {
      const [section = '', field = '', ...more] = named(name).split('.');
      if (field === '' || more.length > 0) throw new Error('<section>.<field>');
      return parsed[section]?.[field] ?? null;
    },
  };
  const api = (command: unknown, back?: unknown, parameter?: unknown): void => {
    if (back !== undefined && back !== null && typeof back !== 'function') throw new TypeError('no callback function');
    let answer: unknown = null;
    try {
      answer = Object.hasOwn(answers, command as string)
        ? answers[command as string]!((back ?? (() => undefined)) as Answered, parameter)
        : null;
    } catch {
      // Answered with null, as everything that cannot be done.
    }
    (back as Answered | undefined)?.(answer, answer !== null);
  };
  window_.__gpp = api as (...call: unknown[]) => unknown;
  for (const call of queue) api(...(call as [unknown]));

  const set = (
    change: Partial<typeof pingData>,
    eventName?: 'cmpDisplayStatus' | 'signalStatus' | 'cmpStatus',
  ): void => {
    const isNew = eventName !== undefined && pingData[eventName] !== change[eventName];
    pingData = { ...pingData, ...change };
    if (isNew) fire(eventName, pingData[eventName]);
  };
  const visible = (): void => set({ cmpDisplayStatus: 'visible' }, 'cmpDisplayStatus');
  document.addEventListener('assent-shown', visible);
  if (page.isAsking) visible();
  document.addEventListener('assent-closed', () => set({ cmpDisplayStatus: 'hidden' }, 'cmpDisplayStatus'));
  follow(
    page,
    () => Promise.all([said<GppString>(page, 'gpp'), page.started]),
    ([{ gppString, sectionIds, applicableSections, parsed: us }], chosen) => {
      const isChanged = gppString !== pingData.gppString || chosen !== null;
      parsed = us as Record<string, Fields>;
      sections = sectionIds.map((id) => GPP_SECTIONS[id] ?? '');
      set({ gppString, sectionList: sectionIds, applicableSections, parsedSections: us });
      set({ cmpStatus: 'loaded' }, 'cmpStatus');
      if (isChanged) for (const section of sections) fire('sectionChange', section);
      // Where the law wants an answer first, what stands in the string until then is none.
      const isOpen = page.isAsking && chosen === null && applicableSections.includes(TCF_SECTION);
      set({ signalStatus: isOpen ? 'not ready' : 'ready' }, 'signalStatus');
    },
  );
}

/** Throws for what is no name. */
function named(parameter: unknown): string {
  if (typeof parameter !== 'string' || parameter === '') throw new TypeError('no name');
  return parameter;
}
