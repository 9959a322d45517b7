import fc from 'fast-check';
import type { ResolvedField } from '../../libs/catalogue/index.js';
import { SOURCES, type Source } from '../../libs/consent/events.js';
import { derivedId, instantOf, isRefusal, type DomainEvent } from '../../libs/kernel/index.js';
import {
  confirmPreferences,
  expireConfirmations,
  requestConfirmation,
  setPreferences,
  type Wish,
} from '../../libs/preferences/decide.js';
import { undo } from '../../libs/preferences/links/decide-undo.js';
import { unsubscribe } from '../../libs/preferences/links/decide-unsubscribe.js';
import type { PreferenceEvent } from '../../libs/preferences/events.js';
import { isOpenRequest, preferenceFold, type PreferenceState } from '../../libs/preferences/state.js';
import { START } from './histories.js';

/** One thing that happens to what a subject wants. */
export interface PreferenceStep {
  kind: 'set' | 'type' | 'opt' | 'request' | 'confirm' | 'expire' | 'leave' | 'undo';
  topic: string;
  wanted: boolean | undefined;
  value: string | null;
  source: Source;
  /** Minutes since the step before. */
  wait: number;
  /** Minutes that givenAt lies back, or ahead; null: not claimed. */
  back: number | null;
}

export const preferenceStep: fc.Arbitrary<PreferenceStep> = fc.record({
  kind: fc.constantFrom('set', 'set', 'set', 'type', 'opt', 'request', 'confirm', 'expire', 'leave', 'undo'),
  topic: fc.constantFrom('free', 'asked', 'both'),
  wanted: fc.constantFrom(true, true, false, undefined),
  value: fc.constantFrom('one', 'two', null),
  source: fc.constantFrom(...SOURCES),
  wait: fc.integer({ min: 0, max: 90 }),
  back: fc.constantFrom(null, null, 0, 5, 60, -4),
});

export const FIELD = (topic: string): string => `channels.email.topics.${topic}`;
const definition = {
  purposeKey: null,
  options: [],
  default: null,
  required: false,
  validation: {},
  label: { en: 'x' },
  help: null,
} as const;
const topicOf = (topic: string): ResolvedField => ({
  kind: 'topic',
  channel: 'email',
  topic,
  definition: {
    ...definition,
    key: topic,
    kind: 'TOGGLE',
    channel: 'email',
    topic,
    doubleOptIn: topic === 'free' ? 'NONE' : 'REQUIRED',
  },
});
const typed = (key: string): ResolvedField => ({
  kind: 'field',
  key,
  definition: { ...definition, key, kind: 'TEXT', channel: null, topic: null, doubleOptIn: 'NONE' },
});
const template = { version: 1, locale: 'en', contentHash: 'sha256:0' };
const provenance = { keyId: 'key_x' };

/** What a step comes to on a state; nothing where it is refused. */
export function happens(
  { kind, topic, wanted, value, source, back }: PreferenceStep,
  name: string,
  state: PreferenceState,
  now: number,
): PreferenceEvent[] {
  const at = instantOf(now);
  const id = derivedId('rec', now, name);
  const set = (wishes: Wish[], globalOptOut?: boolean) =>
    setPreferences(
      {
        recordId: id,
        wishes,
        source,
        template,
        provenance,
        verifiedBy: { email: 'email' },
        ...(globalOptOut !== undefined && { globalOptOut }),
        ...(back !== null && { givenAt: instantOf(now - back * 60_000) }),
      },
      state,
      at,
    );
  const open = Object.entries(state.requests).find(([, request]) => isOpenRequest(request));
  const decided = {
    set: () =>
      set([
        {
          resolved: topicOf(topic),
          field: FIELD(topic),
          ...(wanted !== undefined && { value: wanted }),
          ...((wanted === undefined || topic === 'both') && { frequency: value }),
        },
      ]),
    type: () => set([{ resolved: typed('constructor'), field: 'constructor', value }]),
    opt: () => set([], wanted === true),
    request: () =>
      requestConfirmation(
        {
          requestId: id,
          tokenHash: name,
          fields: [{ field: FIELD(topic), channel: 'email', topic }],
          validForMs: 3_600_000,
          redirectUrl: 'https://shop.example/',
          template,
          text: { language: 'en', dir: 'ltr', title: '', paragraphs: [], button: '', footer: '' },
          provenance,
        },
        state,
        at,
      ),
    confirm: () =>
      open
        ? confirmPreferences(
            { recordId: id, requestId: open[0], tokenHash: open[1].tokenHash, via: 'API', provenance },
            state,
            at,
          )
        : { refused: false as const, events: [] },
    expire: () => expireConfirmations(state, at),
    leave: () =>
      unsubscribe(
        { recordId: id, channel: 'email', topics: [topic], offered: [], template, via: 'PAGE', provenance },
        state,
        at,
      ),
    undo: () => {
      const byLink = Object.values(state.topics).find(
        ({ takenAway, confirmedAt, givenAt }) => takenAway ?? confirmedAt === givenAt,
      );
      return byLink?.recordId
        ? undo({ recordId: id, undoes: byLink.recordId, template, via: 'PAGE', provenance }, state, at)
        : { refused: false as const, events: [] };
    },
  }[kind]();
  return isRefusal(decided) ? [] : (decided.events as DomainEvent[] as PreferenceEvent[]);
}

/** Goes on from nothing as only the decisions can. `name` keeps the ids of two histories apart. */
export function livePreferences(
  steps: readonly PreferenceStep[],
  name: string,
): { events: PreferenceEvent[]; now: number } {
  const events: PreferenceEvent[] = [];
  let state = preferenceFold.initial();
  let now = START;
  for (const [i, step] of steps.entries()) {
    now += step.wait * 60_000;
    for (const event of happens(step, `${name}/${i}`, state, now)) {
      events.push(event);
      state = preferenceFold.evolve(state, event);
    }
  }
  return { events, now };
}

export const preferenceHistory = fc
  .array(preferenceStep, { minLength: 1, maxLength: 25 })
  .map((steps) => livePreferences(steps, 'one').events);
export const preferencesOf = (name: string): fc.Arbitrary<PreferenceState> =>
  fc
    .array(preferenceStep, { maxLength: 12 })
    .map((steps) => livePreferences(steps, name).events.reduce(preferenceFold.evolve, preferenceFold.initial()));
