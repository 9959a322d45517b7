import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { consentFold, decisionOn, isRefusing, stateAt, type ConsentState } from '../../libs/consent/state.js';
import { decidedVendors } from '../../libs/consent/vendors.js';
import { fold } from '../../libs/kernel/index.js';
import { frozen, history } from './histories.js';

describe('the fold of consent', () => {
  it('comes to the state that each applied record promised', () =>
    fc.assert(
      fc.property(history, (events) => {
        let state = consentFold.initial();
        for (const event of events) {
          state = consentFold.evolve(state, event);
          if (event.type === 'ConsentRecorded') expect(Object.keys(state.purposes)).toContain(event.data.purpose);
          if (event.type === 'ConsentRecorded' && event.data.appliedToState)
            expect(state.purposes[event.data.purpose]!.state).toBe(event.data.state);
        }
      }),
    ));

  it('never changes what it was given', () =>
    fc.assert(
      fc.property(history, (events) => {
        let state: ConsentState = frozen(consentFold.initial());
        for (const event of events) state = frozen(consentFold.evolve(state, event));
      }),
    ));

  it('lets the newest decision stand, whatever order the records came in', () =>
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.nat()), (events, order) => {
        const records = events.filter((event) => event.type === 'ConsentRecorded').filter(({ data }) => !data.undated);
        const shuffled = records
          .map((event) => ({ event, at: order.next().value as number }))
          .sort((x, y) => x.at - y.at)
          .map(({ event }) => event);
        const [one, other] = [fold(consentFold, records), fold(consentFold, shuffled)];
        for (const purpose of Object.keys(one.purposes)) {
          const [a, b] = [one.purposes[purpose]!, other.purposes[purpose]!];
          // At equal times and sources the later in the stream stands: which record that is depends on the order, its rank does not.
          expect([b.givenAt, b.source, ['DENIED', 'WITHDRAWN', 'OBJECTED'].includes(b.decision)]).toEqual([
            a.givenAt,
            a.source,
            ['DENIED', 'WITHDRAWN', 'OBJECTED'].includes(a.decision),
          ]);
        }
        const [ours, theirs] = [decidedVendors(one.vendors), decidedVendors(other.vendors)];
        expect([...theirs.keys()].sort()).toEqual([...ours.keys()].sort());
        for (const [name, { givenAt, source, decision }] of ours)
          expect(theirs.get(name)).toMatchObject({ givenAt, source, decision });
      }),
    ));

  it('lets no claim without a date stand above a refusal, whatever order the records came in', () =>
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.nat()), (events, order) => {
        // A refusal without a date may be older or newer than a grant with one.
        const records = events
          .filter((event) => event.type === 'ConsentRecorded')
          .filter(({ data }) => !data.undated || (!isRefusing(data.decision) && !data.vendors));
        const shuffled = records
          .map((event) => ({ event, at: order.next().value as number }))
          .sort((x, y) => x.at - y.at)
          .map(({ event }) => event);
        const dated = fold(
          consentFold,
          records.filter(({ data }) => !data.undated),
        );
        for (const { purposes } of [fold(consentFold, records), fold(consentFold, shuffled)])
          for (const [purpose, { decision }] of Object.entries(purposes))
            expect([purpose, isRefusing(decision)]).toEqual([
              purpose,
              isRefusing(decisionOn(dated, purpose)?.decision ?? 'GRANTED'),
            ]);
      }),
      { numRuns: 500 },
    ));

  it('knows of an end by the clock as soon as the log says it', () =>
    fc.assert(
      fc.property(history, (events) => {
        let state = consentFold.initial();
        for (const event of events) {
          if (event.type === 'ConsentExpired') {
            const at = event.data.expiredAt;
            expect(stateAt(state.purposes[event.data.purpose], at)).toBe('EXPIRED');
            state = consentFold.evolve(state, event);
            expect(stateAt(state.purposes[event.data.purpose], at)).toBe('EXPIRED');
          } else state = consentFold.evolve(state, event);
        }
      }),
    ));
});
