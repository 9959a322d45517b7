import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { configHelp } from '../../libs/platform/config/config.js';
import { ROLES } from '../../libs/context/role.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
interface Service {
  command?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
}
const { services, volumes } = parse(readFileSync(`${ROOT}docker-compose.yml`, 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};

describe('docker-compose.yml', () => {
  it('starts every role from its own program, once the database is migrated', () => {
    for (const role of ROLES) {
      expect(services[role]!.command).toEqual(['node', `dist/apps/${role}/main.js`]);
      expect(services[role]!.depends_on).toMatchObject({ setup: { condition: 'service_completed_successfully' } });
    }
  });

  it('sets only what the service reads', () => {
    const known = configHelp.flatMap(({ name }) => [name, `${name}_FILE`]);
    for (const role of ROLES) expect(known).toEqual(expect.arrayContaining(Object.keys(services[role]!.environment!)));
  });

  it('keeps the log and the database in volumes, and never the log in memory', () => {
    for (const engine of ['eventstore', 'postgres']) {
      expect(services[engine]!.volumes!.length).toBeGreaterThan(0);
      expect(volumes).toHaveProperty(engine);
    }
    expect(Object.keys(services['eventstore']!.environment!)).not.toContain('EVENTSTORE_MEM_DB');
    expect(Object.keys(services['eventstore']!.environment!)).not.toContain('EVENTSTORE_DEV');
  });

  it('is read by docker compose, where there is one', () => {
    if (spawnSync('docker', ['compose', 'version']).status !== 0) return;
    execFileSync('docker', ['compose', 'config', '--quiet'], {
      cwd: ROOT,
      env: { ...process.env, POSTGRES_PASSWORD: 'x', ASSENT_MASTER_KEY: 'y' },
    });
  });
});
