import { ownReader, ownRequest } from './own-data.js';

describe('what an archive tells', () => {
  it('of readers: keys by their id, operators without their names', () => {
    expect(['key_tp8NDu2dlWM1', 'operator:ann@desk'].map(ownReader)).toEqual(['key_tp8NDu2dlWM1', 'operator']);
  });

  it('of a request: all but notes and the operator who works on it', () => {
    expect(
      ownRequest({ id: 'dsr_1', note: 'rude', notes: [{ text: 'rude' }], assignee: 'opt_first' } as never),
    ).toEqual({ id: 'dsr_1' });
  });
});
