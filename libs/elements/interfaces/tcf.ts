import type { TcString } from '../../client/types.js';
import { follow, said, type PageOfInterfaces } from './following.js';
import type { Answered } from './stubs.js';

type TcData = NonNullable<TcString['tcData']>;
type Api = (...call: unknown[]) => unknown;

/** `__tcfapi` of IAB’s "CMP API v2", in place of its stub. The service says what stands in the string. */
export function offerTcf(page: PageOfInterfaces): void {
  const window_ = window as unknown as { __tcfapi?: Api };
  const queue = (window_.__tcfapi?.() ?? []) as unknown[][];
  const listeners = new Map<number, { back: Answered; vendors: unknown }>();
  let next = 0;
  let data: TcData | null = null;
  let version: number | undefined;
  let status = { cmpStatus: 'loading', displayStatus: 'hidden', eventStatus: 'tcloaded' };
  if (page.isAsking) status = { ...status, displayStatus: 'visible', eventStatus: 'cmpuishown' };

  const about = (): object => ({
    cmpId: data?.cmpId,
    cmpVersion: data?.cmpVersion,
    gdprApplies: data?.gdprApplies,
    tcfPolicyVersion: data?.tcfPolicyVersion,
  });
  /** Throws where vendors are named and are no list of ids. */
  const tcData = (vendors: unknown, listenerId?: number): object => {
    const { eventStatus, cmpStatus } = status;
    if (vendors !== undefined && !(Array.isArray(vendors) && vendors.every(Number.isInteger)))
      throw new TypeError('no ids of vendors');
    const said = { ...(data!.gdprApplies ? data : about()), eventStatus, cmpStatus, listenerId };
    return data!.gdprApplies && vendors ? { ...said, vendor: only(data!.vendor, vendors as number[]) } : said;
  };
  const answers: Readonly<Record<string, (back: Answered, parameter: unknown) => unknown>> = {
    ping: () => ({
      ...about(),
      cmpLoaded: true,
      cmpStatus: status.cmpStatus,
      displayStatus: status.displayStatus,
      apiVersion: '2',
      gvlVersion: version,
    }),
    addEventListener: (back, vendors) => {
      listeners.set(next, { back, vendors });
      return tcData(vendors, next++);
    },
    removeEventListener: (_, id) => listeners.delete(id as number),
    getTCData: (_, vendors) => tcData(vendors),
  };

  let waiting: unknown[][] = [];
  const api: Api = (...call) => {
    const [command, spoken, back, parameter] = call as [string, unknown, Answered, unknown];
    const isSpoken = [0, 2, undefined, null].includes(typeof spoken === 'string' ? Number(spoken) : (spoken as number));
    if (typeof back !== 'function') throw new TypeError('no callback function');
    if (!isSpoken || !Object.hasOwn(answers, command)) return back(null, false);
    if (command !== 'ping' && status.cmpStatus === 'error') return back({ ...about(), cmpStatus: 'error' }, false);
    if (command !== 'ping' && !data) return void waiting.push(call);
    let answer: unknown = null;
    try {
      answer = answers[command]!(back, parameter);
    } catch {
      // Answered with null, as everything that cannot be done.
    }
    back(answer, answer !== null);
  };
  window_.__tcfapi = api;
  for (const call of queue) api(...call);

  const flush = (): void => {
    const calls = waiting;
    waiting = [];
    for (const call of calls) api(...call);
  };
  const fire = (change: Partial<typeof status>): void => {
    status = { ...status, ...change };
    if (data) listeners.forEach(({ back, vendors }, id) => back(tcData(vendors, id), true));
  };
  document.addEventListener('assent-shown', () => fire({ displayStatus: 'visible', eventStatus: 'cmpuishown' }));
  document.addEventListener('assent-closed', () => void (status = { ...status, displayStatus: 'hidden' }));
  follow(
    page,
    // Before that it is not known whether a string without a bit is all there will be.
    () => Promise.all([said<TcString>(page, 'tcstring', { format: 'tcdata' }), page.started]),
    ([{ tcData: made, vendorListVersion }], chosen) => {
      const [before, isFirst] = [data?.tcString, data === null];
      data = made!;
      version = vendorListVersion;
      status = { ...status, cmpStatus: 'loaded' };
      if (!isFirst && (chosen || before !== data.tcString)) fire({ eventStatus: 'useractioncomplete' });
      else if (chosen) status = { ...status, eventStatus: 'useractioncomplete' };
      flush();
    },
    (error) => {
      page.problem(error);
      // Without a string nothing can be said, and what waits is to know that.
      if (!data) status = { ...status, cmpStatus: 'error' };
      flush();
    },
  );
}

/** What is said of these vendors, and of no others. */
const only = (vendor: TcData['vendor'], ids: readonly number[]): object =>
  Object.fromEntries(
    Object.entries(vendor).map(([name, bits]) => [
      name,
      Object.fromEntries(ids.map((id) => [id, (bits as Record<string, boolean>)[id] === true])),
    ]),
  );
