import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { derivedId, fold, instantOf, isRefusal, type Instant } from '../../libs/kernel/index.js';
import { confirmPreferences, requestConfirmation, setPreferences } from '../../libs/preferences/decide.js';
import { undo } from '../../libs/preferences/links/decide-undo.js';
import { unsubscribe } from '../../libs/preferences/links/decide-unsubscribe.js';
import type { PreferenceSetData } from '../../libs/preferences/events.js';
import { mergePreferences } from '../../libs/preferences/merge.js';
import { linkStanding } from '../../libs/preferences/links/link-standing.js';
import { preferenceFold, type FoldedByPreferences, type PreferenceState } from '../../libs/preferences/state.js';
import { UNDOABLE_MS, undoableNow } from '../../libs/preferences/links/undo-standing.js';
import { wishByLink } from '../../libs/preferences/links/wish-by-link.js';
import { START } from './histories.js';
import { FIELD } from './preference-histories.js';

/*
 * The life of what a link did, tried against a model that knows nothing of the fold: what can be undone is the newest
 * choice about a topic, for a day, once; and undoing gives nobody more than they had.
 */

const TOPICS = ['news', 'offers'] as const;
type TopicName = (typeof TOPICS)[number];
const shown = { template: { version: 1, locale: 'en', contentHash: 'sha256:0' }, provenance: { keyId: 'link' } };
const HOUR_MS = 3_600_000;

type Step = { hours: number } & (
  | { act: 'confirm' | 'leave'; topics: readonly TopicName[] }
  | { act: 'set'; topic: TopicName; wanted: boolean }
  | { act: 'undo'; which: number; again: boolean }
  | { act: 'erase' | 'merge' }
);
const hours = fc.constantFrom(0, 0, 1, 11, 12, 23, 24, 25);
const topics = fc.subarray([...TOPICS], { minLength: 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ hours, act: fc.constantFrom('confirm' as const, 'leave' as const), topics }),
  fc.record({ hours, act: fc.constant('set' as const), topic: fc.constantFrom(...TOPICS), wanted: fc.boolean() }),
  fc.record({ hours, act: fc.constant('undo' as const), which: fc.nat(), again: fc.boolean() }),
  fc.record({ hours, act: fc.constant('undo' as const), which: fc.nat(), again: fc.boolean() }),
  fc.record({ hours, act: fc.constantFrom('erase' as const, 'merge' as const) }),
);

/** What the model knows of a topic. */
interface Choice {
  state: 'GRANTED' | 'DENIED';
  confirmedAt: Instant | null;
  record: string;
  at: number;
  /** Set where a link decided it: what an undo makes of it. */
  undone?: { state: 'GRANTED' | 'DENIED'; confirmedAt: Instant | null };
}

class World {
  state: PreferenceState = preferenceFold.initial();
  model: Partial<Record<TopicName, Choice>> = {};
  /** Records by links, oldest first, with their time. */
  readonly records: { id: string; at: number }[] = [];
  now = START;
  private acts = 0;

  do(step: Step): void {
    this.now += step.hours * HOUR_MS + 1;
    const at = instantOf(this.now);
    const id = derivedId('rec', this.now, `undo/${this.acts++}`);
    switch (step.act) {
      case 'confirm':
        return this.confirm(id, step.topics, at);
      case 'leave':
        return this.leave(id, step.topics, at);
      case 'set':
        this.state = this.after(
          setPreferences(
            {
              recordId: id,
              wishes: [wishByLink(FIELD(step.topic), step.wanted)],
              source: 'API',
              ...shown,
              verifiedBy: {},
            },
            this.state,
            at,
          ),
        );
        this.model[step.topic] = {
          state: step.wanted ? 'GRANTED' : 'DENIED',
          confirmedAt: step.wanted ? (this.model[step.topic]?.confirmedAt ?? null) : null,
          record: id,
          at: this.now,
        };
        return;
      case 'undo':
        this.undo(id, step.which, at);
        if (step.again) this.undo(derivedId('rec', this.now, `undo/${this.acts++}`), step.which, at);
        return;
      case 'erase': {
        const data = {
          receiptId: 'rct_1',
          rootId: 'sub_1',
          erasedTogether: [],
          erasedAt: at,
          reason: 'OTHER',
          issuer: '',
        };
        this.state = fold(preferenceFold, [{ type: 'SubjectErased', data } as never], this.state);
        this.model = {};
        return;
      }
      case 'merge':
        // Into somebody of whom nothing was said: the choices go along, with what can be undone of them.
        this.state = mergePreferences(preferenceFold.initial(), this.state, {
          policy: 'MOST_RECENT',
          carryOver: null,
          mergedAt: at,
        });
    }
  }

  private confirm(id: string, names: readonly TopicName[], at: Instant): void {
    const requestId = derivedId('rec', this.now, `asked/${this.acts}`);
    const fields = names.map((topic) => ({ field: FIELD(topic), channel: 'email', topic }));
    const text = { language: 'en', dir: 'ltr' as const, title: '', paragraphs: [], button: '', footer: '' };
    const asked = {
      requestId,
      tokenHash: id,
      fields,
      validForMs: HOUR_MS,
      redirectUrl: 'https://shop.example/',
      text,
      ...shown,
    };
    this.state = this.after(requestConfirmation(asked, this.state, at));
    const command = { recordId: id, requestId, tokenHash: id, via: 'PAGE' as const, provenance: shown.provenance };
    this.state = this.after(confirmPreferences(command, this.state, at));
    for (const topic of names)
      this.model[topic] = {
        state: 'GRANTED',
        confirmedAt: at,
        record: id,
        at: this.now,
        undone: { state: 'DENIED', confirmedAt: null },
      };
    this.records.push({ id, at: this.now });
    expect(linkStanding(requestId, id, this.state, at)).toBe('CONFIRMED');
  }

  private leave(id: string, names: readonly TopicName[], at: Instant): void {
    const command = { recordId: id, channel: 'email', topics: names, offered: [], via: 'PAGE' as const, ...shown };
    const decided = unsubscribe(command, this.state, at);
    this.state = this.after(decided);
    if (isRefusal(decided) || decided.events.length === 0) return;
    for (const topic of names) {
      const before = this.model[topic];
      this.model[topic] = {
        state: 'DENIED',
        confirmedAt: null,
        record: id,
        at: this.now,
        ...(before?.state === 'GRANTED' && { undone: { state: 'GRANTED', confirmedAt: before.confirmedAt } }),
      };
    }
    this.records.push({ id, at: this.now });
  }

  private undo(id: string, which: number, at: Instant): void {
    if (this.records.length === 0) return;
    const record = this.records[which % this.records.length]!;
    const standing = TOPICS.filter((topic) => this.model[topic]?.record === record.id && this.model[topic]!.undone);
    const command = { recordId: id, undoes: record.id, via: 'PAGE' as const, ...shown };
    const offered = undoableNow(record.id, this.state, at);
    const decided = undo(command, this.state, at);
    if (standing.length === 0 || this.now - record.at >= UNDOABLE_MS) {
      expect(offered).toBeNull();
      expect(isRefusal(decided) && decided.code).toBe(standing.length === 0 ? 'state_conflict' : 'token_expired');
      return;
    }
    expect(offered?.paths).toEqual(standing.map(FIELD).sort());
    this.state = this.after(decided);
    const [event] = (decided as { events: { data: PreferenceSetData }[] }).events;
    expect(event!.data).toMatchObject({ undoes: record.id, collection: { method: 'CONFIRMATION_LINK' } });
    for (const topic of standing) this.model[topic] = { ...this.model[topic]!.undone!, record: id, at: this.now };
  }

  private after(decided: { refused: boolean; events?: readonly unknown[] }): PreferenceState {
    if (isRefusal(decided)) throw new Error(JSON.stringify(decided));
    return fold(preferenceFold, decided.events as FoldedByPreferences[], this.state);
  }
}

describe('what a link did', () => {
  it('can be undone once, for a day, as long as nobody chose anew, and gives nobody more than they had', () =>
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
        const world = new World();
        for (const each of steps) {
          world.do(each);
          for (const topic of TOPICS) {
            const { state, confirmedAt } = world.state.topics[FIELD(topic)] ?? { state: 'UNSET', confirmedAt: null };
            const expected = world.model[topic];
            expect([topic, state, confirmedAt]).toEqual([
              topic,
              expected?.state ?? 'UNSET',
              expected?.confirmedAt ?? null,
            ]);
          }
        }
      }),
      { numRuns: 500 },
    ));

  it('is undone after it, whoever’s clock ran ahead', () => {
    const world = new World();
    world.do({ act: 'confirm', topics: ['news'], hours: 0 });
    world.do({ act: 'leave', topics: ['news'], hours: 0 });
    const [, left] = world.records;
    const earlier = instantOf(world.now - 60_000);
    const decided = undo({ recordId: 'rec_1', undoes: left!.id, via: 'PAGE', ...shown }, world.state, earlier);
    if (isRefusal(decided)) throw new Error(decided.message);
    expect(fold(preferenceFold, decided.events, world.state).topics[FIELD('news')]!.state).toBe('GRANTED');
  });
});
