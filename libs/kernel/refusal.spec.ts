import { refusal, Refused, isRefusal, happened, fold } from './index.js';

describe('a refusal', () => {
  const no = refusal('state_conflict', 'Another request was faster.', 'Send it again.');

  it('differs from everything else that a decision answers', () => {
    expect(isRefusal(no)).toBe(true);
    expect([null, undefined, 'refused', 7, {}, { refused: false }, happened()].map(isRefusal)).toEqual(
      Array.from({ length: 7 }, () => false),
    );
  });

  it('names places only where there are some', () => {
    expect(refusal('state_conflict', '', '').issues).toEqual([]);
    expect(refusal('validation_failed', '', '', [{ path: 'a', message: 'b' }]).issues).toEqual([
      { path: 'a', message: 'b' },
    ]);
  });

  it('is carried by an error with its words and headers', () => {
    const thrown = new Refused(no, { 'Retry-After': '1' });
    expect([thrown.name, thrown.message, thrown.refusal, thrown.headers]).toEqual([
      'Refused',
      'Another request was faster.',
      no,
      { 'Retry-After': '1' },
    ]);
    expect(new Refused(no).headers).toEqual({});
  });
});

describe('what happened', () => {
  it('is the events, none included', () => {
    expect(happened()).toEqual({ refused: false, events: [] });
    expect(happened({ type: 'A', data: 1 })).toEqual({ refused: false, events: [{ type: 'A', data: 1 }] });
  });

  it('adds up one by one, from the beginning or from what it came to before', () => {
    const by = { initial: () => 'b', evolve: (state: string, event: string) => `${state}${event}` };
    expect(fold(by, ['1', '2'])).toBe('b12');
    expect(fold(by, ['3'], 'b12')).toBe('b123');
    expect(fold(by, [])).toBe('b');
  });
});
