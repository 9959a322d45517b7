import type { Offer } from '../settings.js';
import { bodyOf } from '../timing.js';
import { DENIED, gtag } from './data-layer.js';

/*
 * What other scripts of a page, and its frames, may call before the rest is loaded. All of it is there when the script has
 * run: tags that come after it find no moment without an answer.
 */

/** What IAB’s interfaces call back with. */
export type Answered = (answer: unknown, success: boolean) => void;
/** A call that came as a message from a frame. */
interface Message {
  command: string;
  callId: unknown;
  parameter?: unknown;
  version?: unknown;
}
type Api = (...call: unknown[]) => unknown;
type Page = Record<string, Api | undefined>;

/** How long Google’s tags wait for the answer of the service, in ms. */
const WAIT_FOR_UPDATE_MS = 500;

export function stubs(offers: readonly Offer[]): void {
  if (offers.includes('consentMode')) gtag('consent', 'default', { ...DENIED, wait_for_update: WAIT_FOR_UPDATE_MS });
  if (offers.includes('gpp'))
    reachable('__gpp', gppStub(), (api, { command, parameter, version }, back) =>
      api(command, back, parameter, version),
    );
  if (offers.includes('tcf'))
    reachable('__tcfapi', tcfStub(), (api, { command, parameter, version }, back) =>
      api(command, version, back, parameter),
    );
}

/** By its name in this page, and by messages from frames, which find it by a frame with the name of it. */
function reachable(name: string, stub: Api, call: (api: Api, message: Message, back: Answered) => void): void {
  const page = window as unknown as Page;
  // A page that brought a stub of its own has all of this.
  if (page[name]) return;
  page[name] = stub;
  addEventListener('message', ({ data, source }) => {
    const isText = typeof data === 'string';
    let said: unknown = data;
    try {
      if (isText) said = JSON.parse(data as string);
    } catch {
      return;
    }
    const message = (said as Record<string, Message> | null)?.[`${name}Call`];
    if (message)
      call(page[name]!, message, (returnValue, success) => {
        const answer = { [`${name}Return`]: { returnValue, success, callId: message.callId } };
        // A frame without an origin can be answered like this alone, and what is answered is no secret.
        source?.postMessage(isText ? JSON.stringify(answer) : answer, { targetOrigin: '*' });
      });
  });
  void bodyOf().then((body) => {
    if (name + 'Locator' in frames) return;
    const frame = document.createElement('iframe');
    frame.name = `${name}Locator`;
    frame.style.display = 'none';
    body.append(frame);
  });
}

/** IAB’s "CMP API v2": answers a ping, and keeps every other call for what comes. Called with nothing it shows them. */
function tcfStub(): Api {
  const queue: unknown[][] = [];
  return (...call) => {
    if (call.length === 0) return queue;
    if (call[0] !== 'ping') return void queue.push(call);
    (call[2] as Answered)({ cmpLoaded: false, cmpStatus: 'stub', displayStatus: 'hidden', apiVersion: '2' }, true);
  };
}

/** IAB’s "GPP CMP API" 1.1: answers a ping, knows who listens, and keeps every other call. Called with `events` it shows who. */
function gppStub(): Api {
  const [queue, events]: [unknown[][], { id: number; callback: Answered }[]] = [[], []];
  const none: unknown[] = [];
  const pingData = {
    gppVersion: '1.1',
    cmpStatus: 'stub',
    cmpDisplayStatus: 'hidden',
    signalStatus: 'not ready',
    supportedAPIs: none,
    cmpId: 0,
    sectionList: none,
    applicableSections: none,
    gppString: '',
    parsedSections: {},
  };
  return (...call) => {
    const [command, callback] = call as [string | undefined, Answered];
    if (command === undefined) return queue;
    if (command === 'events') return events;
    if (command === 'ping') callback(pingData, true);
    else if (command === 'addEventListener') {
      const listenerId = events.push({ id: events.length + 1, callback });
      callback({ eventName: 'listenerRegistered', listenerId, data: true, pingData }, true);
    } else queue.push(call);
  };
}
