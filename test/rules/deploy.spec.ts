import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { V8_OPTIONS } from '../../apps/v8-options.mjs';
import { COMPOSITION } from '../../libs/composition/contexts.js';
import { ROLES } from '../../libs/context/role.js';
import { configHelp } from '../../libs/engines/config/settings.js';
import { kustomized, mistakesIn, objectsIn, settingsIn, type KubernetesObject } from '../support/kubernetes.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const FOLDER = join(ROOT, 'deploy/kubernetes');
const { version } = JSON.parse(read('package.json')) as { version: string };

interface Container {
  name: string;
  image: string;
  args?: string[];
  ports?: { name: string; containerPort: number }[];
  envFrom?: { configMapRef: { name: string } }[];
  env?: { name: string }[];
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: Record<string, unknown>;
  volumeMounts: { name: string; mountPath: string }[];
  [probe: string]: unknown;
}
interface Pod {
  metadata: { labels: Record<string, string> };
  spec: {
    containers: Container[];
    terminationGracePeriodSeconds?: number;
    volumes: { name: string; secret?: { secretName: string }; configMap?: { name: string } }[];
    [field: string]: unknown;
  };
}
const base = kustomized(FOLDER);
const aside = ['ingress.yaml', 'projector-by-lag.yaml'].flatMap((file) => objectsIn(read(`deploy/kubernetes/${file}`)));
const everything = [...base, ...aside];
const ofKind = (kind: string): KubernetesObject[] => everything.filter((each) => each.kind === kind);
const specOf = <T>(object: KubernetesObject): T => object['spec'] as T;
const podOf = (object: KubernetesObject): Pod => specOf<{ template: Pod }>(object).template;
const pods = [...ofKind('Deployment'), ...ofKind('Job')];
const ours = pods.filter((each) => podOf(each).spec.containers[0]!.image.startsWith('assent:'));
const configMap = (name: string): Record<string, string> =>
  ofKind('ConfigMap').find((each) => each.metadata.name === name)!['data'] as Record<string, string>;

const heap = (option: string): number =>
  Number(V8_OPTIONS.find((each) => each.startsWith(`${option}=`))!.split('=')[1]);
/** Old generation, the three parts of the young one, and what a process was seen to take besides, in MB. */
const MEMORY_MB = heap('--max-old-space-size') + 3 * heap('--max-semi-space-size') + 300;

/** Whether a caller from outside gets through to a path, by each proxy that we write rules for. */
const caddyList = (caddyfile: string): string[] => /^ *@private not path (.+)$/m.exec(caddyfile)![1]!.split(' ');
const byCaddy = (patterns: string[]) => (path: string) =>
  patterns.some((pattern) =>
    pattern.endsWith('*') ? path.toLowerCase().startsWith(pattern.slice(0, -1)) : path.toLowerCase() === pattern,
  );
const byNginx = (path: string): boolean =>
  new RegExp(/^ *location ~ (\S+) \{$/m.exec(read('docs/operating/nginx.conf'))![1]!).test(path);
interface IngressPath {
  path: string;
  pathType: string;
  backend: { service: { name: string; port: { name: string } } };
}
const ingressPaths = specOf<{ rules: { http: { paths: IngressPath[] } }[] }>(ofKind('Ingress')[0]!).rules.flatMap(
  ({ http }) => http.paths,
);
const byIngress = (path: string): boolean =>
  ingressPaths.some((each) => path === each.path || (each.pathType === 'Prefix' && path.startsWith(`${each.path}/`)));
const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, { image: string; stop_grace_period?: string }>;
  configs: { caddyfile: { content: string } };
};

describe('the settings', () => {
  const known = configHelp.flatMap(({ name }) => [name, `${name}_FILE`]);
  const isSecret = (setting: string): boolean => /PASSWORD|KEY|SECRET|TOKEN/.test(setting);
  const composed = (path: string): Record<string, string> =>
    Object.assign(
      {},
      ...Object.values(
        (parse(read(path), { merge: true }) as { services: Record<string, Record<string, unknown>> }).services,
      )
        .filter((service) => 'build' in service)
        .map((service) => service['environment']),
    ) as Record<string, string>;
  const unit = (path: string): Record<string, string> => settingsIn(read(path).replaceAll(/^Environment=/gm, ''));
  const places: Record<string, Record<string, string>> = {
    'docker-compose.yml': composed('docker-compose.yml'),
    'docs/operating/compose.one-container.yml': composed('docs/operating/compose.one-container.yml'),
    'docs/operating/assent.env': settingsIn(read('docs/operating/assent.env')),
    'deploy/kubernetes/settings.env': configMap('assent'),
  };
  for (const name of ['assent@.service', 'assent-migrate.service'])
    places[`docs/operating/${name}`] = Object.fromEntries(
      Object.entries(unit(`docs/operating/${name}`)).filter(([setting]) => setting.endsWith('_FILE')),
    );

  it.each(Object.keys(places))('of %s are those of the service, and hold no secret', (place) => {
    const settings = Object.entries(places[place]!);
    expect(settings.length).toBeGreaterThan(1);
    for (const [setting, value] of settings) {
      expect([...known, 'NODE_ENV']).toContain(setting);
      expect({ setting, bare: isSecret(setting) && !setting.endsWith('_FILE') }).toEqual({ setting, bare: false });
      expect(value).not.toMatch(/:\/\/[^/@]*:[^/@]*@/);
    }
  });

  it('name the same engines and secrets everywhere', () => {
    const of = (...names: string[]): Set<string> => new Set(names.flatMap((name) => Object.keys(places[name]!)));
    const systemd = of('docs/operating/assent.env', 'docs/operating/assent@.service');
    for (const setting of Object.keys(configMap('assent'))) expect([...systemd]).toContain(setting);
    for (const setting of ['DATABASE_PASSWORD_FILE', 'ASSENT_MASTER_KEY_FILE'])
      for (const place of [of('docker-compose.yml'), systemd, of('deploy/kubernetes/settings.env')])
        expect([...place]).toContain(setting);
  });
});

describe('the public paths', () => {
  const caddy = configMap('assent-proxy')['Caddyfile']!;
  const others = /^\/(admin|console|outbox|metrics|livez|readyz)(\/|$)/;
  const paths = [
    ...COMPOSITION.operations.all.map(({ path }) => path),
    ...['/docs', '/docs/guides', '/elements/assent.js', '/portal', '/portal/x', '/openapi.json', '/favicon.ico', '/'],
    ...['/metrics', '/readyz', '/livez', '/outbox', '/console', '/console/x', '/docsx', '/v1x/consent', '//metrics'],
  ];

  it.each(['compose', 'nginx', 'the proxy of Kubernetes', 'the Ingress'])('are the same in %s', (name) => {
    const isPublic = {
      compose: byCaddy(caddyList(compose.configs.caddyfile.content)),
      nginx: byNginx,
      'the proxy of Kubernetes': byCaddy(caddyList(caddy)),
      'the Ingress': byIngress,
    }[name]!;
    const open = paths.filter((path) => isPublic(path));
    expect(open).toEqual(paths.filter((path) => !others.test(path) && !/^\/(docsx|v1x|\/)/.test(path)));
    expect(open.length).toBeGreaterThan(30);
  });

  it('and the sides are told apart by the rules of docker-compose.yml', () => {
    // Here the cluster knows which pods are ready, and a port is there to ask for health.
    const rules = (text: string): string[] =>
      text.split('\n').filter((line) => line.trim() !== '' && !/health_/.test(line));
    const [, roles] = /^(\(roles\) \{[\s\S]+?)^:4102/m.exec(caddy)!;
    const [, same] = /^(\(roles\) \{[\s\S]+)/m.exec(compose.configs.caddyfile.content)!;
    for (const text of [caddy, compose.configs.caddyfile.content])
      expect(text).toMatch(/^ *trusted_proxies static private_ranges$/m);
    expect(rules(roles!.replaceAll(/assent-(read|write)-api/g, '$1-api'))).toEqual(rules(same!));
  });

  it('lead from the Ingress to the public port of the proxy alone', () => {
    const services = new Map(ofKind('Service').map((each) => [each.metadata.name, specOf<{ ports: unknown[] }>(each)]));
    for (const { backend } of ingressPaths)
      expect(backend.service).toEqual({ name: 'assent', port: { name: 'public' } });
    expect(services.get('assent')!.ports).toEqual([{ name: 'public', port: 80, targetPort: 'public' }]);
  });
});

describe('deploy/kubernetes', () => {
  it('fits the types of Kubernetes', () => expect(mistakesIn(everything)).toEqual([]), 120_000);

  it('would be found wrong with a field that there is none of', () => {
    const [service] = structuredClone(ofKind('Service'));
    specOf<Record<string, unknown>>(service!)['selectors'] = {};
    expect(mistakesIn([service!])).toEqual([expect.stringMatching(/^Service assent-\S+: .*selectors/)]);
  });

  it('is what kubectl makes of it, where there is one', () => {
    const made = spawnSync('kubectl', ['kustomize', FOLDER], { encoding: 'utf8' });
    if (made.error) return;
    expect({ status: made.status, stderr: made.stderr }).toEqual({ status: 0, stderr: '' });
    // The digest of a ConfigMap, which stands in its name and wherever it is named.
    const digests = objectsIn(made.stdout).flatMap(({ kind, metadata: { name } }) =>
      kind === 'ConfigMap' ? [/-[^-]+$/.exec(name)![0]] : [],
    );
    const plain = digests.reduce((text, digest) => text.replaceAll(digest, ''), made.stdout);
    const named = (objects: KubernetesObject[]): Record<string, KubernetesObject> =>
      Object.fromEntries(objects.map((each) => [`${each.kind}/${each.metadata.name}`, each]));
    expect(named(objectsIn(plain))).toEqual(named(base));
  });

  it('makes no namespace, no secret and no right', () => {
    const kinds = new Set(everything.map(({ kind }) => kind));
    expect([...kinds].toSorted()).toEqual([
      'ConfigMap',
      'Deployment',
      'HorizontalPodAutoscaler',
      'Ingress',
      'Job',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
      'ServiceAccount',
    ]);
    for (const each of everything) expect(each.metadata).not.toHaveProperty('namespace');
  });

  it('has each role once, with its program, and the migrations as a job of this release', () => {
    const programs = ours.map((each) => podOf(each).spec.containers[0]!.args!.join(' '));
    expect(programs.toSorted()).toEqual(
      [...ROLES.map((role) => `dist/apps/${role}/main.js`), 'dist/apps/cli/main.js migrate'].toSorted(),
    );
    expect(ofKind('Job').map(({ metadata }) => metadata.name)).toEqual([
      `assent-migrate-${version.replaceAll('.', '-')}`,
    ]);
    for (const each of ours) expect(podOf(each).spec.containers[0]!.image).toBe(`assent:${version}`);
    const proxy = pods.find(({ metadata }) => metadata.name === 'assent-proxy')!;
    expect(podOf(proxy).spec.containers[0]!.image).toBe(compose.services['proxy']!.image);
  });

  it.each(pods.map((each) => [each.metadata.name, podOf(each).spec] as const))(
    'gives %s no right that it does not need',
    (_name, pod) => {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        serviceAccountName: 'assent',
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const { securityContext, volumeMounts, image } of pod.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          // The one that the profile "restricted" of Kubernetes allows too.
          capabilities: { drop: ['ALL'], ...(image.startsWith('caddy') ? { add: ['NET_BIND_SERVICE'] } : {}) },
        });
        const mounted = volumeMounts.map(({ name }) => name);
        expect(mounted.toSorted()).toEqual(pod.volumes.map(({ name }) => name).toSorted());
      }
    },
  );

  it.each(ofKind('Deployment').map((each) => [each.metadata.name, each] as const))(
    'asks %s how it is, bounds it, stops it in time and spreads it',
    (name, deployment) => {
      const { spec } = podOf(deployment);
      const [container] = spec.containers;
      const ports = container!.ports!.map((port) => port.name);
      for (const probe of ['livenessProbe', 'readinessProbe', ...(name === 'assent-proxy' ? [] : ['startupProbe'])]) {
        const { httpGet } = container![probe] as { httpGet: { path: string; port: string } };
        expect(ports).toContain(httpGet.port);
        expect(httpGet.path).toBe(probe === 'readinessProbe' && name !== 'assent-proxy' ? '/readyz' : '/livez');
      }
      const { preStop } = container!['lifecycle'] as { preStop: { exec: { command: string[] } } };
      const pause = Number(preStop.exec.command[1]);
      const grace = Number(/^(\d+)s$/.exec(compose.services['write-api']!.stop_grace_period!)![1]);
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(pause + grace);
      const { requests, limits } = container!.resources;
      expect(Object.keys(requests).toSorted()).toEqual(['cpu', 'memory']);
      if (name !== 'assent-proxy') expect(parseInt(limits['memory']!)).toBeGreaterThanOrEqual(MEMORY_MB);
      const spread = spec['topologySpreadConstraints'] as { labelSelector: { matchLabels: unknown } }[];
      expect(spread.length).toBe(2);
      const { labels } = podOf(deployment).metadata;
      for (const { labelSelector } of spread) expect(labelSelector.matchLabels).toEqual(labels);
      expect(specOf<{ selector: { matchLabels: unknown } }>(deployment).selector.matchLabels).toEqual(labels);
      const budgets = ofKind('PodDisruptionBudget').filter(({ metadata }) => metadata.name === name);
      expect(budgets.map((each) => specOf(each))).toMatchObject([
        { maxUnavailable: 1, selector: { matchLabels: labels } },
      ]);
    },
  );

  it('takes settings from the ConfigMap, and secrets as files of a Secret that you make', () => {
    const files = Object.entries(configMap('assent')).filter(([setting]) => setting.endsWith('_FILE'));
    expect(files.length).toBeGreaterThan(1);
    for (const each of ours) {
      const { containers, volumes } = podOf(each).spec;
      expect(containers[0]!.envFrom).toEqual([{ configMapRef: { name: 'assent' } }]);
      expect(containers[0]).not.toHaveProperty('env');
      const { name } = volumes.find(({ secret }) => secret?.secretName === 'assent')!;
      const { mountPath } = containers[0]!.volumeMounts.find((mount) => mount.name === name)!;
      for (const [, path] of files) expect(path).toMatch(new RegExp(`^${mountPath}/[a-z-]+$`));
    }
    const guide = read('docs/guides/kubernetes.md');
    for (const [, path] of files) expect(guide).toContain(`--from-file=${path.slice(path.lastIndexOf('/') + 1)}`);
  });

  it('scales the APIs by processor, and projectors by the lag that /metrics shows', () => {
    interface Scaled {
      scaleTargetRef: { name: string };
      minReplicas: number;
      metrics: { resource?: { name: string }; external?: { metric: { name: string } } }[];
    }
    const scaled = ofKind('HorizontalPodAutoscaler').map((each) => specOf<Scaled>(each));
    expect(
      scaled.map(({ scaleTargetRef, metrics: [metric] }) => [
        scaleTargetRef.name,
        metric!.resource?.name ?? metric!.external!.metric.name,
      ]),
    ).toEqual([
      ['assent-write-api', 'cpu'],
      ['assent-read-api', 'cpu'],
      ['assent-projector', 'assent_projection_lag_seconds'],
    ]);
    for (const { minReplicas } of scaled) expect(minReplicas).toBe(2);
    expect(read('libs/engines/telemetry/metrics.ts')).toContain("'assent_projection_lag_seconds'");
    // A number of replicas there would be set back by each apply.
    for (const each of ofKind('Deployment').filter(({ metadata }) => metadata.name.endsWith('-api')))
      expect(each['spec']).not.toHaveProperty('replicas');
  });

  it('has services and network rules for pods that there are, and ports that these have', () => {
    const all = pods.map((each) => podOf(each));
    const fits = (labels: Record<string, string>): Pod[] =>
      all.filter(({ metadata }) => Object.entries(labels).every(([name, value]) => metadata.labels[name] === value));
    for (const service of ofKind('Service')) {
      const { selector, ports } = specOf<{ selector: Record<string, string>; ports: { targetPort: string }[] }>(
        service,
      );
      const [pod, ...more] = fits(selector);
      expect({ service: service.metadata.name, more }).toEqual({ service: service.metadata.name, more: [] });
      for (const { targetPort } of ports)
        expect(pod!.spec.containers[0]!.ports!.map(({ name }) => name)).toContain(targetPort);
    }
    interface Selector {
      matchLabels: Record<string, string>;
      matchExpressions?: { key: string; values: string[] }[];
    }
    const policies = ofKind('NetworkPolicy').map((each) =>
      specOf<{ podSelector: Selector; policyTypes: string[] }>(each),
    );
    for (const { podSelector } of policies) {
      expect(fits(podSelector.matchLabels).length).toBeGreaterThan(0);
      for (const { key, values } of podSelector.matchExpressions ?? [])
        for (const value of values) expect(fits({ [key]: value }).length).toBe(1);
    }
    // One that closes both ways for all of them; the others open.
    expect(
      policies.some(
        ({ podSelector, policyTypes }) =>
          fits(podSelector.matchLabels).length === all.length && policyTypes.length === 2,
      ),
    ).toBe(true);
    const closed = ofKind('NetworkPolicy').find(({ metadata }) => metadata.name === 'assent')!;
    expect(closed['spec']).not.toHaveProperty('ingress');
  });
});
