import { providersOf } from './provider-file.js';
import { SYNTHETIC_PROVIDERS } from './synthetic-providers.js';

const HEAD = 'provider_id,provider_name,policy_url,domains';
const refusalOf = (text: string): string => {
  try {
    providersOf(text);
  } catch (error) {
    expect(error).toMatchObject({ name: 'NoProviderList' });
    return (error as Error).message;
  }
  throw new Error('it was accepted');
};

describe('a list of ad technology providers', () => {
  it('is read as Google writes it: cells in quotes or without, any line end, in the order of ids', () => {
    const text = `\uFEFF${HEAD}\r\n"41","Say ""Hello"", Inc.","https://a.example/p","a.example b.example"\r\n7,Seven,,\n\n"8","Two\nlines",http://c.example,c.example`;
    const { version, isSynthetic, providers } = providersOf(text);
    expect([version, isSynthetic]).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), false]);
    expect([...providers]).toEqual([
      [7, { id: 7, name: 'Seven', policyUrl: '', domains: [] }],
      [8, { id: 8, name: 'Two\nlines', policyUrl: 'http://c.example', domains: ['c.example'] }],
      [
        41,
        { id: 41, name: 'Say "Hello", Inc.', policyUrl: 'https://a.example/p', domains: ['a.example', 'b.example'] },
      ],
    ]);
  });

  it.each([
    ['no file of this kind', 'id,name\n1,a', /^line 1: the columns/],
    ['nothing', '', /^line 1: the columns/],
    ['no provider', `${HEAD}\n`, /^it has no provider$/],
    ['a row that is too short', `${HEAD}\n1,a,`, /^line 2: it has 3 columns$/],
    ['an id that is none', `${HEAD}\n1,a,,\n0x2,b,,`, /^line 3: "0x2" is no id$/],
    ['an id beyond all', `${HEAD}\n1000001,a,,`, /^line 2: "1000001" is no id$/],
    ['a provider without a name', `${HEAD}\n1, ,,`, /^line 2: it has no name$/],
    ['an address that is none', `${HEAD}\n1,a,javascript:alert(1),`, /^line 2: its policy_url is no address$/],
    ['an id twice', `${HEAD}\n1,a,,\n1,b,,`, /same id$/],
    ['quotes that do not match', `${HEAD}\n1,"a,,\n`, /^line 2: its quotes do not match$/],
    ['text behind quotes', `${HEAD}\n1,"a"b,,\n`, /^line 2: its quotes do not match$/],
  ])('is refused whole with %s', (_, text, why) => {
    expect(refusalOf(text)).toMatch(why);
  });

  it('without any configured is the synthetic one, with the provider of the demo', () => {
    const { isSynthetic, providers } = SYNTHETIC_PROVIDERS;
    expect([isSynthetic, providers.size, providers.get(89)?.name, providers.get(70)?.name]).toEqual([
      true,
      10,
      'Demo Ads Inc (synthetic)',
      'Synthetic "Seventy"',
    ]);
  });
});
