import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { connect } from 'node:http2';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { configHelp } from '../../libs/engines/config/settings.js';
import { certificateAuthority } from '../support/certificate.js';
import { ensure, programAt } from '../support/debian.mjs';
import { freePort } from '../support/free-port.js';
import { keep } from '../support/keeper.mjs';
import { startWorld, type World } from '../support/world.js';

/*
 * The set-up of docs/guides/production.md is tried: processes start as the units say, behind nginx with the
 * configuration as it stands. Replaced are ports, paths and the addresses of engines.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const file = (name: string): string => readFileSync(join(ROOT, 'docs/operating', name), 'utf8');
const GUIDE = readFileSync(join(ROOT, 'docs/guides/production.md'), 'utf8');
const UNITS = ['assent@.service', 'assent-migrate.service'] as const;
const STARTS_WITHIN_MS = 120_000;

/** The files that the guide has one write for each process, by their names. */
const INSTANCES = Object.fromEntries(
  [...GUIDE.matchAll(/^printf '(.+)' +\| sudo tee \/etc\/assent\/(.+)\.env$/gm)].map(([, text, name]) => [
    name!,
    text!.replaceAll('\\n', '\n'),
  ]),
);

const valuesOf = (unit: string, key: string): string[] =>
  unit.split('\n').flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []));
const settingsIn = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]));

/** The same of a file whose values stand in quotes. */
const unquoted = (text: string): Record<string, string> => settingsIn(text.replace(/^([A-Z0-9_]+)="(.*)"$/gm, '$1=$2'));

describe.each(UNITS)('%s', (name) => {
  const unit = file(name);

  it('is read by systemd, where there is one', () => {
    if (programAt('systemd-analyze') === null) return;
    const folder = mkdtempSync(join(tmpdir(), 'assent-units-'));
    const copy = join(folder, name.replace('@', '@write-1'));
    writeFileSync(copy, unit.replaceAll('/usr/bin/node', process.execPath));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', copy], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('sets only what the service reads, and gives secrets as files', () => {
    const known = configHelp.flatMap((setting) => [setting.name, `${setting.name}_FILE`]);
    const set = valuesOf(unit, 'Environment').map((each) => each.split('=')[0]!);
    expect(known).toEqual(expect.arrayContaining(set));
    const common = Object.entries(settingsIn(file('assent.env')));
    expect([...known, 'NODE_ENV']).toEqual(expect.arrayContaining(common.map(([setting]) => setting)));
    for (const [setting, value] of common) {
      expect(setting).not.toMatch(/PASSWORD|KEY|SECRET|TOKEN/);
      expect(value).not.toMatch(/:\/\/[^/@]*:[^/@]*@/);
    }
    const credentials = valuesOf(unit, 'LoadCredential').map((each) => each.split(':')[0]);
    expect(valuesOf(unit, 'Environment').map((each) => each.split('=%d/')[1])).toEqual(credentials);
  });

  it('runs as a user who may write nothing', () => {
    for (const line of ['User=assent', 'ProtectSystem=strict', 'NoNewPrivileges=yes', 'CapabilityBoundingSet='])
      expect(unit.split('\n')).toContain(line);
  });
});

it('starts a process of each role, and waits for none of them to come back by itself', () => {
  const roles = Object.values(INSTANCES).map((text) => settingsIn(text)['ROLE']);
  expect(new Set(roles)).toEqual(new Set(['write-api', 'read-api', 'projector', 'dispatcher']));
  expect(GUIDE).toContain(`enable --now assent@{${Object.keys(INSTANCES).join()}}`);
  const unit = file('assent@.service');
  for (const line of ['Restart=always', 'StartLimitIntervalSec=0']) expect(unit.split('\n')).toContain(line);
});

describe('the proxy', () => {
  const authority = certificateAuthority('Production Authority');
  /** By the ports of the guide. */
  const ports = new Map<string, number>();
  const running: { child: ChildProcess; keeper: ReturnType<typeof keep> }[] = [];
  let folder: string;
  let world: World;

  const start = (program: string, args: string[], env: Record<string, string>, cwd = ROOT): ChildProcess => {
    const keeper = keep(mkdtempSync(join(tmpdir(), 'assent-production-')));
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
    keeper.watch(child.pid ?? null);
    running.push({ child, keeper });
    return child;
  };

  /** As systemd would start an instance of the unit; the log is in Postgres. */
  const startInstance = (instance: string): void => {
    const unit = file('assent@.service')
      .split('\n')
      .filter((line) => !line.includes('esdb_url'))
      .join('\n')
      .replaceAll('%i', instance)
      .replaceAll('%d', join(folder, 'credentials'));
    const database = new URL(world.databaseUrl!);
    const secrets: Record<string, string> = {
      master_key: readFileSync(join(world.dataFolder, 'master.key'), 'utf8'),
      database_password: decodeURIComponent(database.password),
    };
    for (const credential of valuesOf(unit, 'LoadCredential')) {
      const name = credential.split(':')[0]!;
      writeFileSync(join(folder, 'credentials', name), secrets[name]!);
    }
    database.password = '';
    const { REDIS_URL: _, SMTP_URL: __, ...common } = settingsIn(file('assent.env'));
    const own = settingsIn(INSTANCES[instance]!);
    const ofRelease = valuesOf(unit, 'EnvironmentFile').flatMap(
      (path) => /^\/opt\/assent\/(.+)$/.exec(path)?.[1] ?? [],
    );
    const variables = {
      ...unquoted(ofRelease.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n')),
      ...own,
    };
    const env = {
      ...common,
      ...own,
      ...settingsIn(valuesOf(unit, 'Environment').join('\n')),
      DATABASE_URL: database.href,
      PORT: String(ports.get(own['PORT']!)),
    };
    const [, ...args] = valuesOf(unit, 'ExecStart')[0]!.split(' ');
    // A variable that is a word of its own is split at its spaces.
    start(
      process.execPath,
      args.flatMap((each) => {
        const whole = /^\$(\w+)$/.exec(each)?.[1];
        return whole
          ? variables[whole]!.split(' ')
          : [each.replace(/\$\{(\w+)\}/, (_text, name: string) => variables[name]!)];
      }),
      env,
    );
  };

  const startProxy = async (): Promise<void> => {
    const certificate = authority.issue();
    writeFileSync(join(folder, 'consent.example.com.crt'), certificate.cert);
    writeFileSync(join(folder, 'consent.example.com.key'), certificate.key);
    const site = file('nginx.conf')
      .replace(/\b(443|41\d\d)\b/g, (port) => String(ports.get(port)))
      .replaceAll('/etc/nginx/tls', folder)
      .replaceAll('/var/log/nginx', folder);
    writeFileSync(join(folder, 'assent.conf'), site);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${join(folder, name)};`)
      .join(' ');
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; master_process off; pid ${join(folder, 'nginx.pid')}; events {} http { ${temporary} include ${join(folder, 'assent.conf')}; }`,
    );
    start(await ensure('nginx', 'nginx-light'), ['-c', join(folder, 'nginx.conf'), '-p', folder], {}, folder);
  };

  interface Answer {
    status: number;
    text: string;
  }
  /** Sends the path as it is given; `fetch` would tidy it up. */
  const ask = (port: string, path: string, body?: unknown): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const request = (port === '443' ? https : http).request(
        {
          host: '127.0.0.1',
          port: ports.get(port),
          servername: 'localhost',
          ca: authority.cert,
          path,
          method: body === undefined ? 'GET' : 'POST',
          headers: { Authorization: `Bearer ${world.demo.publicKey}`, 'Content-Type': 'application/json' },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({ status: response.statusCode!, text: Buffer.concat(chunks).toString('utf8') }),
          );
        },
      );
      request.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
  const until = async (port: string, path: string): Promise<void> => {
    for (const deadline = Date.now() + STARTS_WITHIN_MS; ; await pause(50)) {
      if ((await ask(port, path).catch(() => null))?.status === 200) return;
      if (Date.now() > deadline) throw new Error(`${path} at ${port} was not answered`);
    }
  };

  beforeAll(async () => {
    world = await startWorld();
    folder = mkdtempSync(join(tmpdir(), 'assent-production-'));
    mkdirSync(join(folder, 'credentials'));
    for (const port of ['443', '4100', '4101', '4102', '4111', '4112']) ports.set(port, await freePort());
    // Of each API one of two runs: the other is being restarted.
    for (const instance of ['write-1', 'read-2']) startInstance(instance);
    await startProxy();
    await Promise.all([until('4101', '/readyz'), until('4112', '/readyz')]);
    await until('4100', '/readyz');
  });
  afterAll(async () => {
    for (const { child, keeper } of running) {
      const ended = new Promise((resolve) => child.once('close', resolve));
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await ended;
      keeper.watch(null);
      await keeper.clean();
    }
    await world?.stop();
  });

  const consent = () => ({ subject: world.visitor(), purpose: 'analytics', decision: 'GRANTED' });

  it('sends questions to one side and the rest to the other, past a process that is being restarted', async () => {
    for (let i = 0; i < 6; i++) {
      expect(await ask('443', '/v1/consent', consent())).toMatchObject({ status: 201 });
      expect(await ask('443', '/v1/purposes')).toMatchObject({ status: 200 });
    }
  });

  it('speaks HTTP/2 with browsers, and hands on what the service compressed', async () => {
    const session = connect(`https://127.0.0.1:${ports.get('443')}`, { ca: authority.cert, servername: 'localhost' });
    const get = async (path: string, headers: Record<string, string>) => {
      const stream = session.request({ ':path': path, authorization: `Bearer ${world.demo.publicKey}`, ...headers });
      const [answered] = (await once(stream, 'response')) as [Record<string, unknown>];
      return { headers: answered, body: await buffer(stream) };
    };
    try {
      for (const path of ['/openapi.json', '/v1/tcf/vendor-list', '/docs/assets/swagger-ui-bundle.js']) {
        const plain = await get(path, {});
        const packed = await get(path, { 'accept-encoding': 'gzip, deflate, br' });
        expect([path, packed.headers[':status'], packed.headers['content-encoding']]).toEqual([path, 200, 'gzip']);
        expect(packed.headers['vary']).toMatch(/Accept-Encoding/);
        expect([plain.headers['content-encoding'], plain.headers['vary']]).toEqual([undefined, packed.headers['vary']]);
        expect([path, gunzipSync(packed.body).equals(plain.body)]).toEqual([path, true]);
        expect(packed.body.length).toBeLessThan(plain.body.length / 3);
        expect(packed.headers['etag']).toBe(plain.headers['etag']);
        const known = await get(path, { 'accept-encoding': 'gzip', 'if-none-match': String(plain.headers['etag']) });
        expect([known.headers[':status'], known.body.length, known.headers['content-encoding']]).toEqual([
          304,
          0,
          undefined,
        ]);
      }
    } finally {
      session.close();
    }
  });

  it.each([
    '/',
    '/favicon.ico',
    '/openapi.json',
    '/docs',
    '/docs/guides',
    '/.well-known/jwks.json',
    '/.well-known/assent-ledger.json',
    '/.well-known/gpc.json',
  ])('lets everybody through to %s', async (path) => expect((await ask('443', path)).status).toBe(200));

  it.each([
    '/admin/v1/sites',
    '/ADMIN/v1/sites',
    '/metrics',
    '//metrics',
    '/metrics/',
    '/readyz',
    '/livez',
    '/outbox',
    '/docsx',
    '/v1/../metrics',
    '/v1/%2e%2e/metrics',
    '/v1/..%2fmetrics',
    '/v1/%2E%2E%2Fmetrics',
    '/docs/..;/metrics',
  ])('hides %s from the public', async (path) => {
    const { status, text } = await ask('443', path);
    expect(status).toBe(404);
    expect(text).not.toContain('assent_');
  });

  it('shows operators on the machine everything', async () => {
    for (const path of ['/readyz', '/metrics', '/livez', '/docs'])
      expect({ path, ...(await ask('4100', path)) }).toMatchObject({ path, status: 200 });
    // Without a token of an operator, by the side that knows the operation.
    expect((await ask('4100', '/admin/v1/sites')).status).toBe(401);
  });

  it('keeps no path, which may name a person', async () => {
    const visitor = encodeURIComponent(world.visitor());
    expect((await ask('443', `/v1/subjects/${visitor}/consent`)).status).toBe(200);
    const log = readFileSync(join(folder, 'assent.log'), 'utf8');
    expect(log).toMatch(/ POST 201 /);
    expect(log + readFileSync(join(folder, 'assent-error.log'), 'utf8')).not.toContain('/v1/');
  });
});
