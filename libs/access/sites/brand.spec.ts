import { png } from '../../../test/support/pictures.js';
import { fold, isRefusal, type Issue } from '../../kernel/index.js';
import { changedBrand, NO_BRAND, type BrandChange } from './brand.js';
import { decideSite, type ChangeBrand } from '../decide.js';
import type { SiteEvent } from '../events.js';
import { siteFold, type SiteState } from '../state.js';

const unregistered = siteFold.initial();
const after = (state: SiteState, decided: ReturnType<typeof decideSite>): SiteState => {
  if (isRefusal(decided)) throw new Error(JSON.stringify(decided));
  return fold(siteFold, decided.events, state);
};
const site = after(
  unregistered,
  decideSite({ type: 'registerSite', site: 'shop', settings: { name: 'Shop' } }, unregistered),
);
const changing = (change: BrandChange, logo?: Buffer | null): ChangeBrand => ({
  type: 'changeBrand',
  change,
  ...(logo !== undefined && { logo }),
});
const eventsOf = (command: ChangeBrand, state = site): readonly SiteEvent[] => {
  const decided = decideSite(command, state);
  if (isRefusal(decided)) throw new Error(JSON.stringify(decided));
  return decided.events;
};
const issuesOf = (command: ChangeBrand, state = site): readonly Issue[] => {
  const decided = decideSite(command, state);
  return isRefusal(decided) ? (decided.issues ?? []) : [];
};

describe('the brand of a site', () => {
  it('is changed by what is named, and only that: the logo is stored when it changes, and not with a colour', () => {
    const named = after(site, decideSite(changing({ displayName: { en: 'Shop Example' } }, png()), site));
    expect(named.settings.logo).toMatchObject({ width: 64, height: 32 });
    const [event] = eventsOf(changing({ accentColor: '#1468C8' }), named);
    expect(event).toEqual({
      type: 'SiteChanged',
      data: { brand: { ...NO_BRAND, displayName: { en: 'Shop Example' }, accentColor: '#1468c8' } },
    });
    expect(eventsOf(changing({}, null), named)).toEqual([{ type: 'SiteChanged', data: { logo: null } }]);
    expect(eventsOf(changing({ displayName: null }), named)).toEqual([
      { type: 'SiteChanged', data: { brand: NO_BRAND } },
    ]);
  });

  it('is not changed by what is so already', () => {
    const named = after(site, decideSite(changing({ accentColor: '#1468c8' }, png()), site));
    expect(eventsOf(changing({ accentColor: '#1468C8' }, png()), named)).toEqual([]);
    expect(eventsOf(changing({ accentColor: null }, null))).toEqual([]);
  });

  it('keeps the other settings, and is kept by them', () => {
    const named = after(site, decideSite(changing({ accentColor: '#1468c8' }, png()), site));
    const renamed = after(named, decideSite({ type: 'registerSite', site: 'shop', settings: { name: 'New' } }, named));
    expect(renamed.settings).toMatchObject({ name: 'New', brand: { accentColor: '#1468c8' }, logo: { width: 64 } });
  });

  it('is that of a site', () => {
    expect(issuesOf(changing({}), unregistered)).toMatchObject([{ path: 'site' }]);
  });

  it.each<[string, BrandChange, string, RegExp]>([
    ['no address', { imprintUrl: { en: 'imprint' } }, 'imprintUrl.en', /https/],
    ['an address without TLS', { privacyUrl: { en: 'http://shop.example/' } }, 'privacyUrl.en', /https/],
    ['a script', { privacyUrl: { en: 'javascript:alert(1)' } }, 'privacyUrl.en', /https/],
    ['an address with a user', { imprintUrl: { de: 'https://shop@evil.example/' } }, 'imprintUrl.de', /https/],
    ['an empty name', { displayName: { en: ' ' } }, 'displayName.en', /one line of 1 to 200/],
    ['a name of two lines', { displayName: { en: 'Shop\nBcc: x' } }, 'displayName.en', /one line/],
    ['no colour', { accentColor: 'blue' }, 'accentColor', /such as #0b57b0/],
    ['a colour for the dark alone', { accentColorDark: '#8ec0ff' }, 'accentColorDark', /that have an accentColor/],
    [
      'a colour that the light page swallows',
      { accentColor: '#ffd400', accentColorDark: '#ffd400' },
      'accentColor',
      /3:1 to the light page \(#ffffff\): #ffd400 has 1\.43:1; the nearest shade that has it is #[0-9a-f]{6}$/,
    ],
    [
      'a colour that the dark page swallows',
      { accentColor: '#0b3d91' },
      'accentColorDark',
      /3:1 to the dark page \(#14171b\): #0b3d91 has 1\.7\d:1; the nearest shade that has it is #[0-9a-f]{6}$/,
    ],
  ])('has not %s', (_, change, path, why) => {
    expect(issuesOf(changing(change))).toEqual([{ path, message: expect.stringMatching(why) }]);
  });

  it('takes the shade that a refusal names', () => {
    const [{ message }] = issuesOf(changing({ accentColor: '#0b3d91' })) as [Issue];
    const accentColorDark = /is (#[0-9a-f]{6})$/.exec(message)![1]!;
    expect(eventsOf(changing({ accentColor: '#0b3d91', accentColorDark }))).toHaveLength(1);
  });

  it('has no logo that is no picture', () => {
    expect(issuesOf(changing({}, Buffer.from('<svg/>')))).toMatchObject([{ path: 'logo.data' }]);
  });

  it('goes back to nothing, part by part', () => {
    const all = { ...NO_BRAND, accentColor: '#1468c8', imprintUrl: { en: 'https://shop.example/' } };
    expect(changedBrand(all, { accentColor: null })).toEqual({ ...all, accentColor: null });
    expect(changedBrand(all, { accentColor: null, imprintUrl: null })).toEqual(NO_BRAND);
  });
});
