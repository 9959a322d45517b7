import { describe, expect, it } from '@jest/globals';
import type { DomainEvent } from '../kernel/index.js';
import { defineDisplays, SubjectTimeline, type EventDisplay } from './subject-timeline.js';

type Noted = DomainEvent<'Noted', { text: string }>;
type Struck = DomainEvent<'Struck', { why: string }>;

const noted: EventDisplay<Noted['data']> = {
  headline: 'A note was taken',
  entries: ({ text }) => [{ note: text }],
  says: ({ metadata }) => ({ at: metadata.recordedAt }),
  line: ({ text }, mask) => mask(text),
};
const struck: EventDisplay<Struck['data']> = {
  headline: ({ note }) => `Struck: ${note}`,
  entries: ({ why }) => [{ note: why }],
  says: ({ metadata }) => ({ at: metadata.recordedAt }),
  line: ({ why }) => why,
};
const timeline = new SubjectTimeline([
  { displays: defineDisplays<Noted>({ Noted: noted }) },
  { displays: defineDisplays<Struck>({ Struck: struck }) },
]);
const read = { position: '7', recordedAt: '2026-11-21T12:00:00.000Z', type: 'Struck', subjectId: 'sub_1' };

describe('the displays of a context', () => {
  it('cover each of its event types: the compiler names one that is missing, and one that does not exist', () => {
    // @ts-expect-error Property 'Struck' is missing.
    defineDisplays<Noted | Struck>({ Noted: noted });
    // @ts-expect-error 'Striken' does not exist.
    defineDisplays<Noted | Struck>({ Noted: noted, Struck: struck, Striken: struck });
    // @ts-expect-error A line is missing.
    defineDisplays<Noted>({ Noted: { headline: 'A note was taken', entries: () => [{}] } });
    // @ts-expect-error 'why' is no member of a note.
    defineDisplays<Noted>({ Noted: { ...noted, line: ({ why }) => why } });
    expect(Object.keys(defineDisplays<Noted | Struck>({ Noted: noted, Struck: struck }))).toEqual(['Noted', 'Struck']);
  });
});

describe('the timeline of all contexts', () => {
  it('asks the context that wrote the event', () => {
    const event: Struck = { type: 'Struck', data: { why: 'typo' } };
    const [entry] = timeline.entriesOf({ ...read, event });
    expect(entry).toMatchObject({ position: '7', subject: 'sub_1', type: 'Struck', about: '', note: 'typo' });
    expect(timeline.headlineOf(entry!)).toBe('Struck: typo');
    expect(timeline.lineOf(event, (text) => text)).toBe('typo');
    expect(timeline.ownOf(event, [])).toBe(event.data);
  });

  it('knows nothing of an event that this release cannot read', () => {
    const [entry] = timeline.entriesOf({ ...read, type: 'Later', event: null });
    expect([entry!.note, timeline.headlineOf(entry!), timeline.lineOf(null, (text) => text)]).toEqual([
      null,
      'Later',
      '',
    ]);
    expect(timeline.known({ type: 'Later', data: {} })).toBeNull();
  });
});
