import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { V8_OPTIONS } from '../../apps/v8-options.mjs';
import { configHelp } from '../../libs/engines/config/config.js';
import { ROLES } from '../../libs/context/role.js';
import { COMPOSITION } from '../../libs/composition/contexts.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
interface Service {
  image?: string;
  build?: string;
  command?: string[];
  environment?: Record<string, string>;
  env_file?: { path: string; required: boolean }[];
  volumes?: string[];
  ports?: string[];
  secrets?: string[];
  restart?: string;
  healthcheck?: { test?: string[]; disable?: boolean };
  logging?: { driver: string; options: Record<string, string> };
  deploy?: { resources: { limits: Record<string, string | number> } };
  read_only?: boolean;
  cap_drop?: string[];
  depends_on?: Record<string, { condition: string }>;
}
interface ComposeFile {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  secrets: Record<string, { file: string }>;
  configs?: Record<string, { content: string }>;
}
const read = (path: string): ComposeFile =>
  parse(readFileSync(join(ROOT, path), 'utf8'), { merge: true }) as ComposeFile;

const WHOLE = 'docker-compose.yml';
const ONE = 'docs/operating/compose.one-container.yml';
const heap = (option: string): number =>
  Number(V8_OPTIONS.find((each) => each.startsWith(`${option}=`))!.split('=')[1]);
/** Old generation and the three parts of the young one, in MB. */
const HEAP_MB = heap('--max-old-space-size') + 3 * heap('--max-semi-space-size');
/** What a process was seen to take beside its heap, and as much again, in MB. */
const BESIDE_MB = 300;
const megabytes = (limit: unknown): number => {
  const [, number, unit] = /^(\d+)([MG])$/.exec(String(limit))!;
  return Number(number) * (unit === 'G' ? 1024 : 1);
};
const known = configHelp.flatMap(({ name }) => [name, `${name}_FILE`]);
/** Those that run our own image. */
const isOurs = ({ build }: Service): boolean => build !== undefined;

describe.each([WHOLE, ONE])('%s', (path) => {
  const { services, secrets, volumes } = read(path);
  const all = Object.entries(services);

  it('sets only what the service reads', () => {
    for (const [, service] of all.filter(([, each]) => isOurs(each)))
      expect(known).toEqual(expect.arrayContaining(Object.keys(service.environment!)));
  });

  it('hands every setting of .env.example to our processes, but for what is settled by the container', () => {
    const settings = [...readFileSync(join(ROOT, '.env.example'), 'utf8').matchAll(/^#?([A-Z_]+)=/gm)].map(
      ([, name]) => name!,
    );
    expect(settings.toSorted()).toEqual(configHelp.map(({ name }) => name).toSorted());
    for (const [name, { environment = {}, env_file: files }] of all.filter(([, each]) => isOurs(each))) {
      expect({ name, files }).toEqual({ name, files: [{ path: expect.any(String), required: false }] });
      expect(join(ROOT, dirname(path), files![0]!.path)).toBe(join(ROOT, '.env'));
      const settled = settings.filter(
        (setting) =>
          `${setting}_FILE` in environment ||
          (setting in environment && !environment[setting]!.startsWith(`\${${setting}:-`)),
      );
      expect({ name, settled }).toEqual({
        name,
        settled: ['PORT', 'HOST', 'ASSENT_DATA', 'DATABASE_PASSWORD', 'ASSENT_MASTER_KEY'],
      });
    }
  });

  it('gives our processes more memory than their heap may take, with room for what stands beside it', () => {
    for (const [name, { deploy }] of all.filter(([, each]) => isOurs(each)))
      expect({ name, enough: megabytes(deploy!.resources.limits['memory']) >= HEAP_MB + BESIDE_MB }).toEqual({
        name,
        enough: true,
      });
  });

  it('gives secrets as files and in no environment, where whoever inspects a container would see them', () => {
    for (const [name, { environment = {}, secrets: own = [] }] of all) {
      const bare = Object.keys(environment).filter(
        (setting) => /PASSWORD|KEY|SECRET|TOKEN/.test(setting) && !setting.endsWith('_FILE'),
      );
      expect({ name, bare }).toEqual({ name, bare: [] });
      for (const value of Object.values(environment)) {
        expect(value).not.toMatch(/:\/\/[^/@]*:[^/@]*@/);
        const [, file] = /^\/run\/secrets\/(.*)$/.exec(value) ?? [];
        if (file) expect({ name, own }).toEqual({ name, own: expect.arrayContaining([file]) });
      }
    }
    for (const { file } of Object.values(secrets))
      expect(join(ROOT, dirname(path), file)).toMatch(new RegExp(`^${ROOT}\\.secrets/`));
    expect(readFileSync(join(ROOT, '.gitignore'), 'utf8')).toMatch(/^\.secrets\/$/m);
  });

  it('watches, bounds and restarts every service, and keeps their logs from filling the disk', () => {
    for (const [name, { healthcheck, deploy, logging, restart, command }] of all) {
      const ends = command?.includes('migrate');
      expect({ name, watched: ends ? healthcheck?.disable : (healthcheck?.test?.length ?? 0) > 1 }).toEqual({
        name,
        watched: true,
      });
      expect({ name, restart }).toEqual({ name, restart: ends ? 'no' : 'unless-stopped' });
      expect({ name, ...deploy?.resources.limits }).toEqual({
        name,
        cpus: expect.stringMatching(/^[\d.]+$/),
        memory: expect.stringMatching(/^\d+[MG]$/),
        pids: expect.any(Number),
      });
      expect({ name, ...logging }).toEqual({
        name,
        driver: 'json-file',
        options: { 'max-size': '10m', 'max-file': '5' },
      });
    }
  });

  it('names each image by its full version, and our own by that of the release', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    for (const [name, { image, build }] of all) {
      expect({ name, image }).toEqual({ name, image: expect.stringMatching(/:v?\d+\.\d+(\.\d+)?(-[a-z]+)?$/) });
      if (build === undefined) continue;
      expect(image).toBe(`assent:${version}`);
      expect(existsSync(join(ROOT, dirname(path), build, 'Dockerfile'))).toBe(true);
    }
  });

  it('opens ports on this machine only, and gives our processes no more rights than they need', () => {
    for (const port of all.flatMap(([, { ports = [] }]) => ports)) expect(port).toMatch(/^127\.0\.0\.1:/);
    for (const [, service] of all.filter(([, each]) => isOurs(each)))
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  });

  it('keeps what must not be lost in volumes', () => {
    for (const [name, service] of all)
      for (const mount of service.volumes ?? [])
        expect({ name, volumes: Object.keys(volumes) }).toEqual({
          name,
          volumes: expect.arrayContaining([mount.split(':')[0]]),
        });
    expect(services['postgres']!.volumes!.length).toBeGreaterThan(0);
  });

  it('is read by docker compose, where there is one', () => {
    if (spawnSync('docker', ['compose', 'version']).status !== 0) return;
    execFileSync('docker', ['compose', '--file', path, 'config', '--quiet'], { cwd: ROOT });
  });
});

describe('docker-compose.yml', () => {
  const { services, configs } = read(WHOLE);

  it('starts every role from its own program, once the database is migrated', () => {
    for (const role of ROLES) {
      expect(services[role]!.command).toEqual([`dist/apps/${role}/main.js`]);
      expect(services[role]!.depends_on).toMatchObject({ setup: { condition: 'service_completed_successfully' } });
    }
  });

  it('keeps the log in a volume, and never in memory', () => {
    expect(services['eventstore']!.volumes!.length).toBeGreaterThan(0);
    expect(Object.keys(services['eventstore']!.environment!)).not.toContain('EVENTSTORE_MEM_DB');
    expect(Object.keys(services['eventstore']!.environment!)).not.toContain('EVENTSTORE_DEV');
  });

  it('lets through what the public calls, and nothing that is for operators and machines', () => {
    const { content } = configs!['caddyfile']!;
    const [, list] = /^:4100 \{\n\s+@private not path (.+)\n\s+respond @private 404\n\s+import roles\n\}$/m.exec(
      content,
    )!;
    const patterns = list!.split(' ');
    // Caddy's matcher: a star at the end stands for anything, and case does not count.
    const isPublic = (path: string): boolean =>
      patterns.some((pattern) =>
        pattern.endsWith('*') ? path.toLowerCase().startsWith(pattern.slice(0, -1)) : path.toLowerCase() === pattern,
      );
    const forOthers = /^\/(admin|console|outbox|metrics|livez|readyz)(\/|$)/;
    const paths = COMPOSITION.operations.all.map(({ path }) => path);
    expect(paths.filter((path) => isPublic(path) === forOthers.test(path))).toEqual([]);
    expect(paths.filter((path) => forOthers.test(path)).length).toBeGreaterThan(5);
    for (const path of ['/ADMIN/v1/sites', '/metrics/', '//metrics', '/v1', '/docsx', '/v1x/consent'])
      expect({ path, open: isPublic(path) }).toEqual({ path, open: false });
  });

  it('has one port for the public and one for operators, and asks the proxy itself whether it reaches both sides', () => {
    expect(services['proxy']!.ports).toEqual(['127.0.0.1:4100:4100', '127.0.0.1:4101:4101']);
    expect(services['proxy']!.healthcheck!.test!.join(' ')).toContain('http://127.0.0.1:4101/readyz');
    const { content } = configs!['caddyfile']!;
    expect(content.match(/import roles/g)).toHaveLength(2);
    for (const role of ['read-api', 'write-api']) expect(content).toContain(`${role}:4100`);
  });
});

describe('Dockerfile', () => {
  const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');

  it('builds every stage from one image of a full version, and runs as an ordinary user without what only builds need', () => {
    expect(text).toMatch(/^ARG NODE_IMAGE=node:\d+\.\d+\.\d+-[a-z]+-slim$/m);
    const stages = [...text.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(stages.length).toBeGreaterThan(2);
    for (const stage of stages) expect(stage).toMatch(/^\$\{NODE_IMAGE\}$/);
    const last = text.slice(text.lastIndexOf('\nFROM '));
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^HEALTHCHECK /m);
    expect(last).not.toContain('npm ci');
  });

  it('starts any program with the options of V8 that the build compiled it with', () => {
    const [, entry] = /^ENTRYPOINT (.+)$/m.exec(text)!;
    const [, , script] = JSON.parse(entry!) as string[];
    const printed = execFileSync('/bin/sh', ['-c', script!, 'assent', '-p', 'process.env.NODE_OPTIONS'], {
      cwd: ROOT,
      env: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, NODE_OPTIONS: '--max-old-space-size=64' },
      encoding: 'utf8',
    });
    expect(printed.trim()).toBe([...V8_OPTIONS, '--max-old-space-size=64'].join(' '));
    expect(text).toMatch(/^COPY apps\/v8\.env apps\/v8\.env$/m);
  });

  it('copies only what is there, and what the build context lets in', () => {
    const context = readFileSync(join(ROOT, '.dockerignore'), 'utf8');
    for (const [, options, sources] of text.matchAll(/^COPY ((?:--\S+ )*)(.+) \S+$/gm)) {
      if (options!.includes('--from')) continue;
      for (const source of sources!.split(' ')) {
        expect({ source, there: existsSync(join(ROOT, source)) }).toEqual({ source, there: true });
        expect(context).toMatch(new RegExp(`^!${source.split('/')[0]!.replaceAll('.', '\\.')}$`, 'm'));
      }
    }
  });
});

describe('the options of V8', () => {
  const unit = readFileSync(join(ROOT, 'docs/operating/assent@.service'), 'utf8');

  it('stand in apps/v8.env alone', () => {
    const others = [
      'package.json',
      'Dockerfile',
      WHOLE,
      ONE,
      'bundle.mjs',
      'docs/operating/assent.env',
      'docs/operating/assent@.service',
    ];
    for (const path of [
      ...others,
      'test/support/node-options.mjs',
      'libs/composition/process.ts',
      'apps/standalone/start.mjs',
    ])
      for (const option of V8_OPTIONS)
        expect({ path, there: readFileSync(join(ROOT, path), 'utf8').includes(option.split('=')[0]!) }).toEqual({
          path,
          there: false,
        });
  });

  it('are what npm start gives Node', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } };
    const [, begin] = /^(.*) apps\/standalone\/start\.mjs$/.exec(scripts.start)!;
    const printed = execFileSync('/bin/sh', ['-c', `${begin} -p 'process.execArgv.join(" ")'`], {
      cwd: ROOT,
      env: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
      encoding: 'utf8',
    });
    expect(printed).toContain(V8_OPTIONS.join(' '));
  });

  it('are what the unit of systemd gives Node, in less than its memory', () => {
    expect(unit).toMatch(/^EnvironmentFile=\/opt\/assent\/apps\/v8\.env$/m);
    expect(unit).toMatch(/^ExecStart=\/usr\/bin\/node \$V8_OPTIONS dist\/apps\/\$\{ROLE\}\/main\.js$/m);
    expect(megabytes(/^MemoryMax=(.+)$/m.exec(unit)![1])).toBeGreaterThanOrEqual(HEAP_MB + BESIDE_MB);
  });
});
