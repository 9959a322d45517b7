import { describe, expect, it } from '@jest/globals';
import { CONSENT_MODELS } from '../catalogue/index.js';
import { CONSENT_STATES } from '../consent/events.js';
import { STAND_OF } from '../consent/stands.js';
import { permissionFor, PERMISSIONS, silenceOn, STANDS } from './permission.js';

const SILENCES = ['GRANTED', 'DENIED'] as const;
const ROWS = CONSENT_MODELS.flatMap((model) => SILENCES.map((silence) => [model, silence] as const));
const word = (model: string, silence: 'GRANTED' | 'DENIED', stand: (typeof STANDS)[number]): string => {
  const { effective, reason } = permissionFor(model, silence, stand);
  return `${effective} ${reason}`;
};

describe('the table of permissions', () => {
  it('has a cell for every model, place and standing', () => {
    expect(Object.keys(PERMISSIONS).sort()).toEqual([...CONSENT_MODELS].sort());
    for (const [model, silence] of ROWS) expect(PERMISSIONS[model]![silence]).toHaveLength(STANDS.length);
    expect(Object.keys(STAND_OF).sort()).toEqual([...CONSENT_STATES].sort());
  });

  it('allows what needs no consent, whatever is said and wherever', () => {
    for (const silence of SILENCES)
      for (const stand of STANDS) expect(word('ALWAYS_ON', silence, stand)).toBe('ALLOWED LEGAL_BASIS');
  });

  it.each(ROWS.filter(([model]) => model !== 'ALWAYS_ON'))(
    'lets a refusal block, a grant allow and a signal that binds block: %s, %s',
    (model, silence) => {
      expect(word(model, silence, 'REFUSED')).toBe('BLOCKED EXPLICIT');
      expect(word(model, silence, 'GRANTED')).toBe('ALLOWED EXPLICIT');
      expect(word(model, silence, 'SIGNAL')).toBe('BLOCKED SIGNAL_GPC');
    },
  );

  it('asks for OPT_IN in every place alike', () => {
    expect(PERMISSIONS['OPT_IN']!.GRANTED).toEqual(PERMISSIONS['OPT_IN']!.DENIED);
    expect(word('OPT_IN', 'GRANTED', 'NOTHING')).toBe('BLOCKED NEVER_ASKED');
  });

  it.each([
    ['a notice, where the place grants', 'NOTICE_ONLY', 'GRANTED', 'ALLOWED POLICY_DEFAULT', 'ALLOWED EXPLICIT'],
    ['a notice, where it denies', 'NOTICE_ONLY', 'DENIED', 'BLOCKED POLICY_DEFAULT', 'BLOCKED POLICY_DEFAULT'],
    ['an offer to refuse, where the place grants', 'OPT_OUT', 'GRANTED', 'ALLOWED POLICY_DEFAULT', 'ALLOWED EXPLICIT'],
    ['an offer to refuse, where it denies', 'OPT_OUT', 'DENIED', 'BLOCKED POLICY_DEFAULT', 'BLOCKED POLICY_DEFAULT'],
    ['a question', 'OPT_IN', 'GRANTED', 'BLOCKED NEVER_ASKED', 'ALLOWED EXPLICIT'],
  ] as const)('says what silence and a notice that was read are worth with %s', (_, model, silence, nothing, read) => {
    expect([word(model, silence, 'NOTHING'), word(model, silence, 'READ')]).toEqual([nothing, read]);
  });

  it.each(ROWS.filter(([model]) => model !== 'ALWAYS_ON'))(
    'falls back to silence where a grant ended or is for another version, and asks anew where silence is none: %s, %s',
    (model, silence) => {
      const isAsked = model === 'OPT_IN' || silence === 'DENIED';
      expect(word(model, silence, 'CHANGED')).toBe(isAsked ? 'BLOCKED RENEWAL_REQUIRED' : 'ALLOWED POLICY_DEFAULT');
      expect(word(model, silence, 'EXPIRED')).toBe(isAsked ? 'BLOCKED EXPIRED' : 'ALLOWED POLICY_DEFAULT');
    },
  );

  it('never allows where the place denies what it blocks where the place grants', () => {
    for (const model of CONSENT_MODELS)
      for (const stand of STANDS)
        if (permissionFor(model, 'DENIED', stand).effective === 'ALLOWED')
          expect(permissionFor(model, 'GRANTED', stand).effective).toBe('ALLOWED');
  });

  it('never allows by silence where the place denies', () => {
    for (const model of ['OPT_OUT', 'NOTICE_ONLY'])
      for (const stand of ['NOTHING', 'READ', 'CHANGED', 'EXPIRED'] as const)
        expect(word(model, 'DENIED', stand)).toMatch(/^BLOCKED/);
  });
});

describe('what silence means', () => {
  const denied = new Proxy({}, { get: () => 'DENIED' }) as never;

  it('is said by the place, but a notice is enough unless the data are sensitive', () => {
    const by = (consentModel: string, category: 'MARKETING' | 'SENSITIVE') =>
      silenceOn({ consentModel, category }, denied);
    expect([by('OPT_OUT', 'MARKETING'), by('OPT_OUT', 'SENSITIVE')]).toEqual(['DENIED', 'DENIED']);
    expect([by('NOTICE_ONLY', 'MARKETING'), by('NOTICE_ONLY', 'SENSITIVE')]).toEqual(['GRANTED', 'DENIED']);
  });
});
