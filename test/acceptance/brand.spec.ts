import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assent } from '../support/command-line.js';
import { mailsTo, until } from '../support/double-opt-in.js';
import { png } from '../support/pictures.js';
import { startWorld, type Answer, type World } from '../support/world.js';

let world: World;
let folder: string;
let people = 0;
/** Where the log says how the site looks. */
let position: string;
beforeAll(async () => {
  world = await startWorld();
  folder = mkdtempSync(join(tmpdir(), 'assent-brand-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world?.stop();
});

const LOGO = png({ width: 96, height: 48 });
const path = (): string => `/admin/v1/sites/${world.demo.site}/brand`;
const change = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  world.request('POST', path(), { key: 'operator', body, headers });
const brand = (): Promise<Answer> => world.request('GET', path(), { key: 'operator' });
const commanded = (...args: string[]) =>
  assent(['sites', 'brand', world.demo.site, ...args], { ASSENT_DATA: world.dataFolder });
const asked = async (
  locale: string,
  address = `reader${++people}@brand.example`,
): Promise<{ page: Answer; address: string }> => {
  const { body } = await world.request('POST', '/v1/preferences/confirmation-token', {
    body: {
      subject: `email:${address}`,
      channel: 'email',
      values: [{ field: 'news', value: true }],
      redirectUrl: 'https://demo.example/thanks',
      to: address,
      locale,
    },
  });
  const page = await world.request('GET', `/v1/preferences/confirm?token=${body.token as string}`, { key: null });
  return { page, address };
};

describe('the brand of a site', () => {
  it('is nothing until somebody says so: pages have the name of the site', async () => {
    expect((await brand()).body).toEqual({
      site: world.demo.site,
      displayName: {},
      logo: null,
      accentColor: null,
      accentColorDark: null,
      contrast: null,
      afterConfirming: 'REDIRECT',
      imprintUrl: {},
      privacyUrl: {},
    });
    const { page } = await asked('en');
    expect(page.text).toContain('<header>\n<p><bdi>Demo Shop</bdi></p>\n</header>');
    expect(page.headers['content-security-policy']).not.toContain('img-src');
  });

  it('is on the page and in both parts of the mail from then on, in the language of the recipient', async () => {
    const { status, body, headers } = await change({
      displayName: { en: 'Shop Example', de: 'Laden Beispiel' },
      logo: { data: LOGO.toString('base64') },
      accentColor: '#8A1538',
      accentColorDark: '#ff9db5',
      imprintUrl: { en: 'https://shop.example/imprint', de: 'https://shop.example/impressum' },
      privacyUrl: { en: 'https://shop.example/privacy' },
    });
    expect([status, headers['x-log-position']]).toEqual([200, expect.stringMatching(/^\d+$/)]);
    position = headers['x-log-position'] as string;
    expect(body).toMatchObject({
      logo: { mediaType: 'image/png', width: 96, height: 48, bytes: LOGO.length },
      accentColor: '#8a1538',
      contrast: { light: { textColor: '#ffffff' }, dark: { color: '#ff9db5', textColor: '#000000' } },
    });
    expect((await brand()).body).toEqual(body);

    const { page, address } = await asked('de');
    expect(page.text).toContain('<bdi>Laden Beispiel</bdi>');
    expect(page.text).toContain('Laden Beispiel wurde gebeten');
    expect(page.text).toContain(`src="data:image/png;base64,${LOGO.toString('base64')}"`);
    expect(page.text).toContain('<a href="https://shop.example/impressum" rel="noreferrer">Impressum</a>');
    expect(page.text).toContain('--accent:#8a1538;--on-accent:#ffffff');
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; form-action/,
    );

    const mail = await until(async () => (await mailsTo(world, address))[0]);
    for (const said of ['Laden Beispiel', 'https://shop.example/impressum', 'https://shop.example/privacy'])
      expect(mail.page).toContain(said);
    expect(mail.html).toContain('<p class="sender">Laden Beispiel</p>');
    expect(mail.html).toContain('<a href="https://shop.example/impressum">Impressum</a>');
    expect(mail.html).not.toMatch(/<img|\bsrc=/);
  });

  it('is changed by parts, refused with what to do, and the same again changes nothing', async () => {
    const before = (await brand()).body;
    const refused = async (body: unknown): Promise<unknown> => {
      const { status, body: told } = await change(body);
      return [status, told.code, told.issues[0].path, told.issues[0].message];
    };
    expect(await refused({ accentColor: '#ffd400' })).toEqual([
      422,
      'validation_failed',
      'accentColor',
      expect.stringMatching(/#ffd400 has 1\.43:1; the nearest shade that has it is #[0-9a-f]{6}$/),
    ]);
    expect(await refused({ logo: { data: Buffer.from('<svg/>').toString('base64') } })).toEqual([
      422,
      'validation_failed',
      'logo.data',
      expect.stringMatching(/SVG can hold scripts/),
    ]);
    expect(await refused({ logo: { data: '****' } })).toEqual([
      422,
      'validation_failed',
      'logo.data',
      expect.any(String),
    ]);
    expect(await refused({ imprintUrl: { en: 'http://shop.example' } })).toMatchObject([
      422,
      'validation_failed',
      'imprintUrl.en',
      expect.stringMatching(/https/),
    ]);
    const noTag = await refused({ privacyUrl: { 'not a tag': 'https://shop.example' } });
    expect(noTag).toEqual([
      422,
      'validation_failed',
      expect.stringContaining('privacyUrl'),
      expect.stringMatching(/language tag/),
    ]);
    expect(await refused({ color: '#000000' })).toEqual([422, 'validation_failed', 'color', expect.any(String)]);
    expect((await brand()).body).toEqual(before);

    const same = { accentColor: '#8a1538', logo: { data: LOGO.toString('base64') } };
    const [again, onceMore] = [await change(same), await change(same)];
    expect([again.status, again.body, onceMore.body]).toEqual([200, before, before]);
    expect(again.headers['x-log-position']).toBe(position);
    expect(onceMore.headers['x-log-position']).toBe(position);
    const without = await change({ logo: null, accentColorDark: '#ffb3c6' });
    expect(without.body).toMatchObject({ logo: null, accentColor: '#8a1538', accentColorDark: '#ffb3c6' });
  });

  it('is changed once under an idempotency key, and is asked only of sites that there are', async () => {
    const key = { 'Idempotency-Key': 'brand-once' };
    const first = await change({ displayName: { en: 'Once' } }, key);
    await change({ displayName: { en: 'Twice' } });
    const again = await change({ displayName: { en: 'Once' } }, key);
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
    expect((await brand()).body.displayName).toEqual({ en: 'Twice' });
    for (const method of ['GET', 'POST'])
      expect(
        (
          await world.request(method, '/admin/v1/sites/nosuch/brand', {
            key: 'operator',
            ...(method === 'POST' && { body: {} }),
          })
        ).body.code,
      ).toBe('route_not_found');
  });

  it('is shown and changed by the command', async () => {
    const logo = join(folder, 'logo.png');
    writeFileSync(logo, LOGO);
    const changed = await commanded(
      ...['--display-name', 'Shop', 'de=Laden', '--logo', logo, '--accent', '#8a1538', '--accent-dark', '#ff9db5'],
      ...['--imprint', 'https://shop.example/imprint', '--after-confirming', 'page', '--remove', 'privacy', '--json'],
    );
    expect([changed.code, JSON.parse(changed.out)]).toEqual([0, (await brand()).body]);
    expect(JSON.parse(changed.out)).toMatchObject({
      displayName: { en: 'Shop', de: 'Laden' },
      logo: { width: 96 },
      afterConfirming: 'PAGE',
      privacyUrl: {},
    });
    const shown = await commanded();
    expect([shown.code, shown.out]).toEqual([
      0,
      expect.stringMatching(/image\/png, 96 x 48.*\n.*#8a1538, 9\.\d+:1 to the page, text #ffffff/),
    ]);
    const weak = await commanded('--accent', '#ffd400');
    expect([weak.code, weak.err]).toEqual([1, expect.stringContaining('the nearest shade that has it is')]);
    const missing = await commanded('--logo', join(folder, 'none.png'), '--json');
    expect([missing.code, JSON.parse(missing.out).code]).toEqual([1, 'file_unreadable']);
    const wrong = await commanded('--remove', 'name', 'everything');
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('"everything" is none of them')]);
    expect((await commanded('--remove', 'logo', 'accent', 'accent-dark')).code).toBe(0);
    expect((await brand()).body).toMatchObject({
      logo: null,
      accentColor: null,
      accentColorDark: null,
      contrast: null,
    });
  });
});
