import fc from 'fast-check';
import { StreamNames } from './eventstoredb-names.js';

const prefix = fc.stringMatching(/^[a-z][a-z0-9_]{0,30}$/);
/** As this service calls its streams. */
const stream = fc.oneof(
  fc.constantFrom('operations', 'operator-tokens', 'site-shop', 'catalogue-shop.live'),
  fc.stringMatching(/^subject-[a-z0-9-]{1,20}\.(test|live)\.sub_[0-9A-Z]{26}$/),
);

describe('names of streams on a server', () => {
  it('come back as they were given', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constant(''), prefix), stream, (own, name) => {
        const names = new StreamNames(own);
        expect(names.ours(names.onServer(name))).toBe(name);
      }),
    );
  });

  it('are never those of another installation, also where one prefix begins with the other', () => {
    const installations = fc.tuple(prefix, fc.stringMatching(/^[a-z0-9_]{0,10}$/), stream);
    fc.assert(
      fc.property(installations, ([one, more, name]) => {
        const other = more === '' ? '' : `${one}${more}`.slice(0, 31);
        fc.pre(other !== one);
        for (const [mine, theirs] of [
          [one, other],
          [other, one],
        ] as const) {
          const written = new StreamNames(theirs).onServer(name);
          expect(new StreamNames(mine).ours(written)).toBeNull();
          for (const wanted of [[], ['subject-', 'site-'], ['o']]) {
            const filter = new StreamNames(mine).filterOf(wanted);
            // Without a prefix others are sent too where all is wanted, or a name without a hyphen; `ours` drops them.
            if (mine !== '' || wanted.includes('subject-'))
              expect(filter.some((each) => written.startsWith(each))).toBe(false);
          }
        }
      }),
    );
  });

  it('are filtered by what was wanted, within the prefix', () => {
    expect(new StreamNames('').filterOf([])).toEqual([]);
    expect(new StreamNames('').filterOf(['subject-'])).toEqual(['subject-']);
    expect(new StreamNames('shop').filterOf([])).toEqual(['shop.']);
    expect(new StreamNames('shop').filterOf(['subject-', 'site-'])).toEqual(['shop.subject-', 'shop.site-']);
  });
});
