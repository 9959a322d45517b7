import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { configHelp } from '../../libs/engines/config/settings.js';
import { ensure, programAt } from '../support/debian.mjs';
import { kustomized, mistakesIn, objectsIn, type KubernetesObject } from '../support/kubernetes.js';

/*
 * The chart is rendered by Go's own template engine and the functions that Helm brings, since Helm itself is not to be had
 * everywhere. Go and sprig are Debian's packages: where they cannot be installed, the tests that render are left out.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHART = join(ROOT, 'deploy/helm/assent');
const MANIFESTS = join(ROOT, 'deploy/kubernetes');
const GO_PATH = '/usr/share/gocode';
const INSTALLED_WITHIN_MS = 400_000;
const canRender =
  programAt('go') === null
    ? existsSync('/etc/debian_version') && process.getuid?.() === 0
    : existsSync(join(GO_PATH, 'src/github.com/Masterminds/sprig'));

interface Values {
  settings: Record<string, string>;
  secrets: { name: string; keys: Record<string, string> };
  roles: Record<string, Record<string, unknown>>;
  ingress: Record<string, unknown>;
  networkPolicy: Record<string, unknown>;
  image: Record<string, unknown>;
  [name: string]: unknown;
}
const read = (file: string): string => readFileSync(join(CHART, file), 'utf8');
const defaults = (): Values => parse(read('values.yaml')) as Values;
const chart = parse(read('Chart.yaml')) as { version: string; appVersion: string };
const isValid = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(read('values.schema.json')) as object);

describe('the values', () => {
  it('of the chart are described, and those that it does not know are refused', () => {
    expect({ valid: isValid(defaults()), errors: isValid.errors }).toEqual({ valid: true, errors: null });
    expect(isValid({ ...defaults(), imge: {} })).toBe(false);
    expect(isValid({ ...defaults(), roles: { ...defaults().roles, projektor: { replicas: 1 } } })).toBe(false);
    const writers = (role: object): unknown => ({ ...defaults(), roles: { ...defaults().roles, 'write-api': role } });
    expect(
      [writers({ autoscaling: null }), writers({ autoscaling: null, replicas: 2 })].map((each) => isValid(each)),
    ).toEqual([false, true]);
  });

  it('name settings of the service, and hold no secret', () => {
    const { settings, secrets } = defaults();
    const known = configHelp.map(({ name }) => name);
    for (const name of [...Object.keys(settings), ...Object.keys(secrets.keys)]) expect(known).toContain(name);
    const withSetting = (name: string, value: string): unknown => ({
      ...defaults(),
      settings: { ...settings, [name]: value },
    });
    expect(isValid(withSetting('DATABASE_PASSWORD', 'x'))).toBe(false);
    expect(isValid(withSetting('DATABASE_URL', 'postgres://assent:secret@postgres/assent'))).toBe(false);
    expect(isValid(withSetting('ASSENT_LOG_LEVEL', 'warn'))).toBe(true);
  });

  it('are those of the release', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect([chart.version, chart.appVersion]).toEqual([version, version]);
  });
});

const rendering = (): void => {
  let folder: string;
  let program: string;
  beforeAll(async () => {
    const go = await ensure('go', 'golang-go', 'golang-github-masterminds-sprig-dev');
    folder = mkdtempSync(join(tmpdir(), 'assent-chart-'));
    program = join(folder, 'render');
    execFileSync(go, ['build', '-o', program, join(ROOT, 'test/support/helm/render.go')], {
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        GO111MODULE: 'off',
        GOPATH: GO_PATH,
        GOCACHE: join(folder, 'cache'),
        CGO_ENABLED: '0',
      },
    });
  }, INSTALLED_WITHIN_MS);
  afterAll(() => {
    if (folder) rmSync(folder, { recursive: true });
  });

  const files = (values: Values, name = 'assent'): Record<string, string> => {
    expect({ valid: isValid(values), errors: isValid.errors }).toEqual({ valid: true, errors: null });
    const seen = {
      Values: values,
      Release: { Name: name, Namespace: 'consent', Revision: 1 },
      Chart: { Name: 'assent', Version: chart.version, AppVersion: chart.appVersion },
    };
    return JSON.parse(execFileSync(program, [CHART], { input: JSON.stringify(seen), encoding: 'utf8' })) as Record<
      string,
      string
    >;
  };
  const render = (values: Values, name?: string): KubernetesObject[] =>
    Object.entries(files(values, name))
      .filter(([file]) => file.endsWith('.yaml'))
      .flatMap(([, text]) => objectsIn(text))
      .filter((object) => object !== null);

  /** By kind and name, without what only one of the two ways has: names of jobs and digests of settings. */
  const comparable = (objects: KubernetesObject[]): Record<string, unknown> =>
    Object.fromEntries(
      objects.map((object) => {
        const copy = structuredClone(object) as KubernetesObject & {
          spec?: { template?: { metadata: { annotations?: Record<string, string> } } };
        };
        copy.metadata.name = copy.metadata.name.replace(/^(assent-migrate)-.*$/, '$1');
        const pod = copy.spec?.template?.metadata;
        const digests = Object.keys(pod?.annotations ?? {});
        expect(digests.filter((key) => !key.startsWith('checksum/'))).toEqual([]);
        if (pod) delete pod.annotations;
        return [`${copy.kind}/${copy.metadata.name}`, copy];
      }),
    );

  it('renders the objects of deploy/kubernetes', () =>
    expect(comparable(render(defaults()))).toEqual(comparable(kustomized(MANIFESTS))));

  it('renders its examples too: the Ingress, and projectors by lag', () => {
    const values = defaults();
    values.ingress['enabled'] = true;
    values.roles['projector']!['autoscaling'] = { minReplicas: 2, maxReplicas: 4, lagSeconds: 10 };
    const objects = comparable(render(values));
    const examples = ['ingress.yaml', 'projector-by-lag.yaml'].flatMap((file) =>
      objectsIn(readFileSync(join(MANIFESTS, file), 'utf8')),
    );
    expect(objects).toMatchObject(comparable(examples));
    expect((objects['Deployment/assent-projector'] as KubernetesObject)['spec']).not.toHaveProperty('replicas');
  });

  it('takes every other value, and keeps two releases apart', () => {
    const values = defaults();
    Object.assign(values.image, { repository: 'registry.example.com/assent', tag: '9.9.9', pullPolicy: 'Always' });
    values.image['pullSecrets'] = [{ name: 'registry' }];
    values.settings['ASSENT_LOG_LEVEL'] = 'warn';
    values.secrets.keys['ESDB_URL'] = 'esdb-url';
    Object.assign(values.ingress, { enabled: true, annotations: { 'example.com/a': 'yes', 'example.com/b': '"no"' } });
    Object.assign(values, {
      podAnnotations: { 'example.com/c': 'c: 1', 'example.com/d': 'd' },
      nodeSelector: { 'kubernetes.io/arch': 'amd64', 'kubernetes.io/os': 'linux' },
      tolerations: [
        { key: 'a', operator: 'Exists' },
        { key: 'b', operator: 'Exists', effect: 'NoSchedule' },
      ],
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
      priorityClassName: 'high',
    });
    const objects = render(values, 'consent');
    expect(mistakesIn(objects)).toEqual([]);
    for (const { metadata } of objects) expect(metadata.name).toMatch(/^consent(-|$)/);
    const text = JSON.stringify(objects);
    // The names of the application, its command, paths, image, metric, container path and Secret.
    expect(
      text.replaceAll(/"app.kubernetes.io\/name":"assent"/g, '').match(/"(?:http:\/\/)?assent-(?!tls|ledger)[^"]*"/g),
    ).toBeNull();
    expect(text).toContain('reverse_proxy consent-write-api:4100');
    const pods = objects.flatMap((each) => (['Deployment', 'Job'].includes(each.kind) ? [each] : []));
    for (const each of pods)
      expect(each['spec']).toMatchObject({
        template: {
          metadata: { annotations: values['podAnnotations'] },
          spec: {
            nodeSelector: values['nodeSelector'],
            tolerations: values['tolerations'],
            affinity: values['affinity'],
            priorityClassName: 'high',
            imagePullSecrets: [{ name: 'registry' }],
          },
        },
      });
    expect(text.match(/"image":"registry.example.com\/assent:9.9.9","imagePullPolicy":"Always"/g)).toHaveLength(5);
    const settings = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'consent')!;
    expect(settings['data']).toMatchObject({ ASSENT_LOG_LEVEL: 'warn', ESDB_URL_FILE: '/run/secrets/assent/esdb-url' });
  }, 120_000);

  it('makes new pods where a setting changes, and none where nothing does', () => {
    const digests = (values: Values): string[] => JSON.stringify(render(values)).match(/"checksum\/\w+":"\w+"/g)!;
    const changed = defaults();
    changed.settings['ASSENT_LOG_LEVEL'] = 'warn';
    expect(digests(defaults())).toEqual(digests(defaults()));
    const [before, after] = [digests(defaults()), digests(changed)];
    expect(after.filter((digest, index) => digest !== before[index])).toHaveLength(4);
  });

  it('takes the values that the guide shows', () => {
    const guide = readFileSync(join(ROOT, 'docs/guides/kubernetes.md'), 'utf8');
    const shown = parse(/^```yaml\n([\s\S]+?)^```$/m.exec(guide)![1]!) as Record<string, object>;
    // As Helm does: what the file names stands above the defaults, at any depth.
    const over = (base: unknown, more: unknown): unknown =>
      base && more && typeof base === 'object' && typeof more === 'object' && !Array.isArray(more)
        ? { ...base, ...mapped(more, (value, name) => over((base as Record<string, unknown>)[name], value)) }
        : more;
    const mapped = (object: object, make: (value: unknown, name: string) => unknown): object =>
      Object.fromEntries(Object.entries(object).map(([name, value]) => [name, make(value, name)]));
    const objects = render(over(defaults(), shown) as Values);
    expect(mistakesIn(objects)).toEqual([]);
    expect(objects.find(({ kind }) => kind === 'Ingress')!['spec']).toMatchObject({ ingressClassName: 'traefik' });
  }, 120_000);

  it('leaves out what is switched off', () => {
    const values = defaults();
    values.networkPolicy['enabled'] = false;
    const kinds = render(values).map(({ kind }) => kind);
    expect(kinds).not.toContain('NetworkPolicy');
    expect(kinds).not.toContain('Ingress');
  });

  it('names the image by its digest, where that is given', () => {
    const values = defaults();
    values.image['digest'] = `sha256:${'a'.repeat(64)}`;
    expect(JSON.stringify(render(values)).match(/"image":"assent@sha256:a{64}"/g)).toHaveLength(5);
  });

  it('lets Prometheus read all four roles as one job', () => {
    const values = defaults();
    values['podMonitor'] = { enabled: true, interval: '30s', labels: { release: 'prometheus' } };
    const objects = render(values, 'consent');
    const monitor = objects.find(({ kind }) => kind === 'PodMonitor')!;
    const { selector, podMetricsEndpoints } = monitor['spec'] as {
      selector: { matchLabels: Record<string, string>; matchExpressions: { key: string; values: string[] }[] };
      podMetricsEndpoints: object[];
    };
    const [{ key, values: roles }] = selector.matchExpressions as [{ key: string; values: string[] }];
    const chosen = objects
      .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
      .map(({ spec }) => (spec as { template: KubernetesObject }).template.metadata.labels!)
      .filter((labels) => Object.entries(selector.matchLabels).every(([name, value]) => labels[name] === value))
      .map((labels) => labels[key]!);
    expect(chosen.filter((role) => roles.includes(role)).sort()).toEqual(Object.keys(values.roles).sort());
    expect(monitor.metadata.labels).toMatchObject({ release: 'prometheus' });
    expect(podMetricsEndpoints).toEqual([
      { port: 'http', path: '/metrics', interval: '30s', relabelings: [{ targetLabel: 'job', replacement: 'assent' }] },
    ]);
  });

  it('says at the end how to get the first token and the console, and what looks wrong', () => {
    const values = defaults();
    const notes = (): string => files(values)['NOTES.txt']!;
    expect(notes()).toContain('deployment/assent-write-api -- assent operator-tokens first');
    expect(notes()).toContain('wait --for=condition=complete --timeout=5m job/assent-migrate-1');
    expect(notes()).toContain('the keys database-password, master-key:');
    expect(notes().match(/^Check: .*|^No Ingress/gm)).toEqual([
      'No Ingress',
      'Check: image.repository is "assent", which names no registry of yours. Pods that cannot get it say ImagePullBackOff.',
    ]);
    values.image['repository'] = 'registry.example.com/assent';
    Object.assign(values.ingress, { enabled: true, host: 'other.example.com' });
    values.roles['projector']!['autoscaling'] = { minReplicas: 2, maxReplicas: 4, lagSeconds: 10 };
    expect(notes().match(/^Check: \S+|^No Ingress/gm)).toEqual(['Check: ASSENT_PUBLIC_URL', 'Check: more']);
  });
};
if (canRender) describe('the chart', rendering);
