import { CONSENT_STATES } from '../../consent/index.js';
import { CONSENT_MODELS, LEGAL_BASES } from '../../catalogue/index.js';
import { offeredOn } from './consent-offers.js';

const EFFECTIVE = ['ALLOWED', 'BLOCKED'] as const;
const every = CONSENT_MODELS.flatMap((consentModel) =>
  LEGAL_BASES.flatMap((legalBasis) =>
    CONSENT_STATES.flatMap((state) =>
      EFFECTIVE.flatMap((effective) =>
        ['PUBLISHED', 'RETIRED'].map((status) => ({ consentModel, legalBasis, state, effective, status })),
      ),
    ),
  ),
);

it('lets every grant that consent is asked for be taken back, also of a purpose that was retired', () => {
  for (const one of every.filter(({ state, consentModel }) => state === 'GRANTED' && consentModel === 'OPT_IN'))
    expect([one, offeredOn(one, one)]).toEqual([one, 'WITHDRAWN']);
});

it('offers an objection to all that rests on legitimate interests or is on unless refused, as long as it is done', () => {
  const objectable = every.filter(
    ({ consentModel, legalBasis, effective }) =>
      effective === 'ALLOWED' &&
      (consentModel === 'OPT_OUT' || (consentModel === 'NOTICE_ONLY' && legalBasis === 'LEGITIMATE_INTERESTS')),
  );
  for (const one of objectable) expect([one, offeredOn(one, one)]).toEqual([one, 'OBJECTED']);
  expect(objectable.some(({ consentModel }) => consentModel === 'NOTICE_ONLY')).toBe(true);
});

it('offers a way back to what was refused, and none of a purpose that was retired', () => {
  for (const one of every.filter(
    ({ consentModel, effective }) => consentModel === 'OPT_OUT' && effective === 'BLOCKED',
  ))
    expect([one, offeredOn(one, one)]).toEqual([one, one.status === 'RETIRED' ? null : 'GRANTED']);
});

it('offers nothing but to take a grant back where people are not asked and may not object', () => {
  const fixed = every.filter(
    ({ consentModel, legalBasis }) =>
      consentModel === 'ALWAYS_ON' || (consentModel === 'NOTICE_ONLY' && legalBasis !== 'LEGITIMATE_INTERESTS'),
  );
  for (const one of fixed)
    expect([one, offeredOn(one, one)]).toEqual([one, one.state === 'GRANTED' ? 'WITHDRAWN' : null]);
});

it('never offers what the service would refuse', () => {
  for (const one of every) {
    const offer = offeredOn(one, one);
    if (offer === 'OBJECTED')
      expect(one.consentModel === 'OPT_OUT' || one.legalBasis === 'LEGITIMATE_INTERESTS').toBe(true);
    if (offer === 'GRANTED') expect(one.status).toBe('PUBLISHED');
  }
});

it('offers something new after whatever was chosen: consent and objection are never the end', () => {
  for (const one of every.filter(({ status, consentModel }) => status === 'PUBLISHED' && consentModel === 'OPT_OUT')) {
    expect(offeredOn(one, { state: 'OBJECTED', effective: 'BLOCKED' })).toBe('GRANTED');
    expect(offeredOn(one, { state: 'GRANTED', effective: 'ALLOWED' })).toBe('OBJECTED');
  }
});
