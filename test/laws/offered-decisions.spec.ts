import { offeredOn } from '../../libs/portal/pages/consent-offers.js';
import { offeredNext } from '../../libs/elements/preferences/offered.js';

test('the element offers of each purpose what the portal offers', () => {
  for (const consentModel of ['OPT_IN', 'OPT_OUT', 'NOTICE_ONLY', 'ALWAYS_ON'])
    for (const legalBasis of ['CONSENT', 'LEGITIMATE_INTERESTS'])
      for (const status of ['PUBLISHED', 'RETIRED'])
        for (const state of [
          'GRANTED',
          'DENIED',
          'WITHDRAWN',
          'OBJECTED',
          'ACKNOWLEDGED',
          'EXPIRED',
          'NOT_COLLECTED',
        ] as const)
          for (const effective of ['ALLOWED', 'BLOCKED'] as const) {
            const purpose = { consentModel, legalBasis, status };
            expect(offeredNext(purpose, { state, effective })).toBe(offeredOn(purpose, { state, effective }));
          }
});
