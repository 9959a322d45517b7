import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configHelp, readConfig } from './config.js';

const refusalOf = (env: Record<string, string>): string => {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toMatchObject({ name: 'StartRefused' });
    return (error as Error).message;
  }
  throw new Error('it was accepted');
};

describe('the settings', () => {
  it('need nothing: every one has a default', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toEqual({
      port: 4100,
      host: '127.0.0.1',
      dataFolder: './data',
      databaseUrl: null,
      demo: null,
      console: true,
      esdbUrl: null,
      logPrefix: '',
      redisUrl: null,
      smtpUrl: null,
      mailFrom: { name: '', address: 'no-reply@localhost' },
      operatorMail: null,
      operatorSignIn: 'token',
      oidc: null,
      masterKey: null,
      otherMasterKey: null,
      publicUrl: 'http://127.0.0.1:4100',
      projectionShards: 1,
      accessLogRetentionDays: 365,
      logLevel: 'info',
      trustProxy: [],
      edgeHeaders: { country: null, region: null },
      vendorLists: { path: null, url: null, providersPath: null },
      webhooks: { allow: [], ports: [] },
    });
  });

  it('are read from the environment', () => {
    const key = randomBytes(32);
    const config = readConfig({
      PORT: '80',
      HOST: '0.0.0.0',
      ESDB_URL: 'esdb+discover://cluster.example:2113?tls=false',
      ASSENT_MASTER_KEY: key.toString('base64'),
      ASSENT_PROJECTION_SHARDS: '4',
      ASSENT_ACCESS_LOG_RETENTION_DAYS: '30',
      ASSENT_LOG_LEVEL: 'WARN',
      ASSENT_TRUST_PROXY: '10.0.0.0/8, ::1',
      ASSENT_COUNTRY_HEADER: 'CF-IPCountry',
      ASSENT_WEBHOOK_ALLOW: '10.1.0.0/16,fd00::/8, 192.0.2.7',
      ASSENT_WEBHOOK_PORTS: '4443, 9443',
    });
    expect(config).toMatchObject({
      port: 80,
      masterKey: key,
      publicUrl: 'http://localhost:80',
      projectionShards: 4,
      accessLogRetentionDays: 30,
      logLevel: 'warn',
      trustProxy: ['10.0.0.0/8', '::1/128'],
      edgeHeaders: { country: 'cf-ipcountry', region: null },
      webhooks: { allow: ['10.1.0.0/16', 'fd00::/8', '192.0.2.7/32'], ports: [4443, 9443] },
    });
    expect(readConfig({ ASSENT_MASTER_KEY: key.toString('hex') }).masterKey).toEqual(key);
    expect(readConfig({ HOST: '::1' }).publicUrl).toBe('http://[::1]:4100');
    expect(readConfig({ ASSENT_PUBLIC_URL: 'https://consent.example.com/' }).publicUrl).toBe(
      'https://consent.example.com',
    );
  });

  it('name a prefix of streams where the log is in EventStoreDB, in letters that no stream begins with by itself', () => {
    const inEventStore = { ESDB_URL: 'esdb://host:2113?tls=false' };
    for (const prefix of ['a', 'shop_eu', 'w1'.padEnd(31, 'x')])
      expect(readConfig({ ...inEventStore, ASSENT_LOG_PREFIX: prefix }).logPrefix).toBe(prefix);
    for (const prefix of ['Shop', 'shop-eu', 'shop.eu', '1shop', '_shop', '$shop', 'shop eu', 'x'.repeat(32)])
      expect(refusalOf({ ...inEventStore, ASSENT_LOG_PREFIX: prefix })).toMatch(
        /^ASSENT_LOG_PREFIX is not a prefix .+\.$/,
      );
    expect(refusalOf({ ASSENT_LOG_PREFIX: 'shop' })).toMatch(/^ASSENT_LOG_PREFIX .+ set ESDB_URL, or remove it; .+\.$/);
  });

  it('name one Redis, or a cluster of them', () => {
    for (const url of [
      'redis://cache',
      'rediss://:p%40ss@cache:6380/2',
      'redis+cluster://a:6379,b:6380,[::1]:6381',
      'rediss+cluster://user:secret@clustercfg.example.com',
    ])
      expect(readConfig({ REDIS_URL: url }).redisUrl).toBe(url);
    for (const url of [
      'redis://a:6379,b:6379',
      'redis+cluster://',
      'redis+cluster://a:1,:2',
      'redis+cluster://a/1',
      'http://a',
    ])
      expect(refusalOf({ REDIS_URL: url })).toContain('redis+cluster://a:6379,b:6379');
  });

  it('name who mail is from', () => {
    const senderOf = (env: Record<string, string>) => readConfig(env).mailFrom;
    expect(senderOf({ MAIL_FROM: 'hello@shop.example' })).toEqual({ name: '', address: 'hello@shop.example' });
    expect(senderOf({ MAIL_FROM: 'Der Lädchen & Co. <hello@shop.example>' })).toEqual({
      name: 'Der Lädchen & Co.',
      address: 'hello@shop.example',
    });
    expect(senderOf({ MAIL_FROM: '"Shop, Inc." <hello@shop.example>' })).toEqual({
      name: 'Shop, Inc.',
      address: 'hello@shop.example',
    });
    expect(senderOf({ ASSENT_PUBLIC_URL: 'https://consent.example.com' })).toEqual({
      name: '',
      address: 'no-reply@consent.example.com',
    });
    for (const sender of ['shop', 'shop@', 'a@b, c@d', 'Shop <a@b', 'a@b>', 'Shop a@b', 'a\r\nBcc: x@y <a@b>'])
      expect(refusalOf({ MAIL_FROM: sender })).toContain('MAIL_FROM is not a sender');
  });

  it('name where the vendor list comes from, one place and no more', () => {
    const url = 'https://vendor-list.consensu.org/v3/vendor-list.json';
    expect(readConfig({ TCF_GVL_URL: url, GOOGLE_ATP_PATH: '/lists/google.csv' }).vendorLists).toEqual({
      path: null,
      url,
      providersPath: '/lists/google.csv',
    });
    expect(readConfig({ TCF_GVL_PATH: '/lists/vendor-list.json' }).vendorLists).toMatchObject({
      path: '/lists/vendor-list.json',
      url: null,
    });
    expect(refusalOf({ TCF_GVL_URL: url, TCF_GVL_PATH: 'list.json' })).toContain('TCF_GVL_URL is set, and so is');
    for (const none of ['vendor-list.json', 'ftp://a/b', 'https://user:hunter2@a/b', 'https://'])
      expect(refusalOf({ TCF_GVL_URL: none })).toMatch(/^TCF_GVL_URL is not such an address: .+\.$/);
  });

  it('report one problem in one line', () => {
    expect(refusalOf({ PORT: 'http' })).toMatch(/^PORT .+\.$/);
    expect(refusalOf({ ASSENT_MASTER_KEY: 'secret' })).toMatch(/^ASSENT_MASTER_KEY .+\.$/);
  });

  it('report all their problems at once, each by name', () => {
    const message = refusalOf({
      PORT: '99999',
      HOST: 'a b',
      DATABASE_URL: 'mysql://user:hunter2@host',
      ASSENT_PROJECTION_SHARDS: '65',
      ASSENT_ACCESS_LOG_RETENTION_DAYS: '40000',
      ASSENT_LOG_LEVEL: 'loud',
      ASSENT_TRUST_PROXY: 'true',
      ASSENT_COUNTRY_HEADER: 'cf ipcountry',
      ASSENT_PUBLIC_URL: 'consent',
      ASSENT_WEBHOOK_ALLOW: 'intranet',
      ASSENT_WEBHOOK_PORTS: '443;8443',
    });
    for (const name of [
      'PORT',
      'HOST',
      'DATABASE_URL',
      'ASSENT_PROJECTION_SHARDS',
      'ASSENT_ACCESS_LOG_RETENTION_DAYS',
      'ASSENT_LOG_LEVEL',
      'ASSENT_TRUST_PROXY',
      'ASSENT_COUNTRY_HEADER',
      'ASSENT_PUBLIC_URL',
      'ASSENT_WEBHOOK_ALLOW',
      'ASSENT_WEBHOOK_PORTS',
    ])
      expect(message).toContain(`- ${name} `);
    expect(message).not.toContain('hunter2');
  });

  it.each([
    ['too short', randomBytes(31).toString('base64')],
    ['too long', randomBytes(33).toString('hex')],
    ['a word', 'secret'],
    ['all the same', Buffer.alloc(32, 7).toString('base64')],
    ['counted', Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString('hex')],
    ['typed', Buffer.from('correct horse battery staple 123').toString('base64')],
  ])('refuse a master key that is %s', (_, key) => {
    expect(refusalOf({ ASSENT_MASTER_KEY: key })).toContain('openssl rand -base64 32');
  });

  it('never refuse a random master key', () => {
    for (let i = 0; i < 1000; i++) readConfig({ ASSENT_MASTER_KEY: randomBytes(32).toString('base64url') });
  });

  it('do not believe every client about its address', () => {
    expect(refusalOf({ ASSENT_TRUST_PROXY: '0.0.0.0/0' })).toContain('ASSENT_TRUST_PROXY');
  });

  it('do not let webhooks go everywhere', () => {
    for (const all of ['::/0', '0.0.0.0/00', '10.0.0.0/8,0.0.0.0/0'])
      expect(refusalOf({ ASSENT_WEBHOOK_ALLOW: all })).toBe(
        'ASSENT_WEBHOOK_ALLOW would allow every address: name networks of your own.',
      );
  });

  it('put the password of the database into its address, and refuse one without a user', () => {
    const urlOf = (password: string) =>
      readConfig({ DATABASE_URL: 'postgres://assent@host:5432/name', DATABASE_PASSWORD: password }).databaseUrl;
    expect(urlOf('plain')).toBe('postgres://assent:plain@host:5432/name');
    for (const password of ['a/b@c:d?e#f %41', 'ü+="&'])
      expect(decodeURIComponent(new URL(urlOf(password)!).password)).toBe(password);
    expect(refusalOf({ DATABASE_PASSWORD: 'hunter2' })).toContain('DATABASE_PASSWORD has no user');
    const twice = refusalOf({ DATABASE_URL: 'postgres://a:hunter2@host/name', DATABASE_PASSWORD: 'hunter2' });
    expect(twice).toContain('DATABASE_PASSWORD is set, and so is');
    expect(twice).not.toContain('hunter2');
  });

  describe('given in files', () => {
    let folder: string;
    beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'assent-config-'))));
    afterAll(() => rmSync(folder, { recursive: true }));

    it('are read without the line end', () => {
      writeFileSync(join(folder, 'url'), 'postgres://user:password@host/name\n');
      expect(readConfig({ DATABASE_URL_FILE: join(folder, 'url') }).databaseUrl).toBe(
        'postgres://user:password@host/name',
      );
    });

    it('are refused when they are missing, or given twice', () => {
      expect(refusalOf({ SMTP_URL_FILE: join(folder, 'none') })).toContain('SMTP_URL_FILE (ENOENT)');
      expect(refusalOf({ PORT: '1', PORT_FILE: join(folder, 'url') })).toContain('PORT_FILE');
    });
  });

  it('stand in .env.example with their meaning and default, and no others', () => {
    const example = readFileSync('.env.example', 'utf8');
    for (const setting of configHelp)
      expect(example).toContain(`# ${setting.meaning}\n#${setting.name}=${setting.default}\n`);
    expect([...example.matchAll(/^#?([A-Z_]+)=/gm)].map((found) => found[1])).toEqual(
      configHelp.map((setting) => setting.name),
    );
  });
});
