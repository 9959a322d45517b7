import { MasterKey } from '../../vault/master-key.js';
import { PreferenceLinks } from './links.js';

const links = new PreferenceLinks(new MasterKey(Buffer.alloc(32, 7)), 'https://consent.example');
const scope = { site: 'undo', env: 'test' } as const;
const undo = {
  scope,
  subjectId: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  recordId: 'rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  locale: 'de',
};
const leave = { scope, subjectId: undo.subjectId, channel: 'email', topics: ['news'], locale: 'de' };

describe('a capability to undo', () => {
  it('says what it is made of, always in the same characters', () => {
    const token = links.undo(undo);
    expect(token).toMatch(/^rft_[A-Za-z0-9_-]{40,600}$/);
    expect(links.undo({ ...undo })).toBe(token);
    expect(links.undoClaimOf(token)).toEqual(undo);
  });

  it('can be read by nobody, and be changed by nobody', () => {
    const token = links.undo(undo);
    expect(Buffer.from(token.slice(4), 'base64url').toString('latin1')).not.toMatch(/undo|sub_|rec_/);
    for (let at = 4; at < token.length; at += 7) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      expect(links.undoClaimOf(changed)).toBeNull();
    }
    expect(new PreferenceLinks(new MasterKey(Buffer.alloc(32, 8)), '').undoClaimOf(token)).toBeNull();
  });

  it('is not a link to unsubscribe, nor is one of those a capability to undo, also under the other name', () => {
    const { token } = links.unsubscribe(leave)!;
    expect(links.claimOf(token)).toEqual(leave);
    expect(links.undoClaimOf(`rft_${token.slice(4)}`)).toBeNull();
    expect(links.claimOf(`uft_${links.undo(undo).slice(4)}`)).toBeNull();
    expect([links.undoClaimOf(token), links.undoClaimOf(''), links.claimOf('uft_')]).toEqual([null, null, null]);
  });
});
