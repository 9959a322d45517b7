import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { DECISIONS } from '../../libs/consent/events.js';
import { startWorld, type World } from '../support/world.js';

/*
 * Dashboard and alert rules are files beside the documentation. What they ask for is there, by name, type and label, and
 * everything that the service tells is named as Prometheus wants it (prometheus.io/docs/practices/naming).
 */

interface Metric {
  type: string;
  help: string;
  /** Of the series that are there. */
  labels: Set<string>;
  values: Map<string, Set<string>>;
}

const DASHBOARD = JSON.parse(readFileSync('docs/operating/grafana-dashboard.json', 'utf8')) as {
  panels: {
    id: number;
    title: string;
    gridPos: { x: number; y: number; w: number; h: number };
    targets?: { expr: string; legendFormat: string }[];
  }[];
  templating: { list: { name: string; query: string | { query: string } }[] };
};
const { groups } = parse(readFileSync('docs/operating/alerts.yml', 'utf8')) as {
  groups: {
    name: string;
    rules: {
      alert: string;
      expr: string;
      for?: string;
      labels: Record<string, string>;
      annotations: Record<string, string>;
    }[];
  }[];
};
const rules = groups.flatMap((group) => group.rules);
const expressions = [
  ...DASHBOARD.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...rules.map(({ expr }) => expr),
];
/** Put there by Prometheus itself. */
const FROM_PROMETHEUS = ['job', 'instance', 'le'];

let world: World;
let metrics: Map<string, Metric>;

function metricsOf(text: string): Map<string, Metric> {
  const found = new Map<string, Metric>();
  for (const [, name, help] of text.matchAll(/^# HELP (\S+) (.*)$/gm))
    found.set(name!, { type: '', help: help!, labels: new Set(), values: new Map() });
  for (const [, name, type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) found.get(name!)!.type = type!;
  for (const [, series, labels] of text.matchAll(/^(\w+)\{(.*)\} \S+$/gm)) {
    const metric = found.get(baseOf(series!, found))!;
    for (const [, label, value] of labels!.matchAll(/(\w+)="([^"]*)"/g)) {
      metric.labels.add(label!);
      metric.values.set(label!, (metric.values.get(label!) ?? new Set()).add(value!));
    }
  }
  return found;
}
/** A histogram is asked for by its parts. */
const baseOf = (name: string, known: ReadonlyMap<string, Metric>): string =>
  known.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');

beforeAll(async () => {
  world = await startWorld({ own: true });
  const subject = world.visitor();
  const headers = { 'Idempotency-Key': 'monitoring-1' };
  for (let n = 0; n < 2; n++) await world.recorded({ subject }, { headers });
  await world.recorded({ decision: 'DENIED' });
  await world.request('GET', '/v1/nowhere');
  await world.caughtUp();
  metrics = metricsOf((await world.request('GET', '/metrics', { key: null })).text);
});
afterAll(() => world?.stop());

describe('every metric', () => {
  it('is named by the conventions: a prefix, base units, _total for what only grows and for nothing else', () => {
    const wrong = [...metrics].filter(([name, { type, help }]) => {
      const isPlain = /^(assent|process|nodejs)_[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name);
      const isCounter = type === 'counter';
      const isScaled = /_(ms|milliseconds|micros|minutes|hours|kb|mb|kilobytes|megabytes|percent)(_|$)/.test(name);
      const isReserved = /_(bucket|sum|count|created)$/.test(name);
      // Of a heap the total is a size, and its name ends in its unit.
      return !isPlain || isCounter !== /_total$/.test(name) || isScaled || isReserved || help.length < 5;
    });
    expect(wrong.map(([name]) => name)).toEqual([]);
  });

  it('of a time is told in seconds, of a size in bytes', () => {
    for (const [name, { help }] of metrics)
      if (/\b(time|age|how long)\b/i.test(help) && name.startsWith('assent_')) expect(name).toMatch(/_seconds$/);
  });

  it('has labels from closed lists, with few values', () => {
    for (const [name, { labels, values }] of metrics) {
      if (!name.startsWith('assent_')) continue;
      expect({ name, labels: [...labels].filter((label) => !KNOWN_LABELS.includes(label)) }).toEqual({
        name,
        labels: [],
      });
      for (const [label, all] of values)
        if (label !== 'le') expect({ name, label, few: all.size <= 100 }).toEqual({ name, label, few: true });
    }
  });

  it('says what runs, how connections are used, and what was decided', () => {
    expect(metrics.get('assent_build_info')!.values.get('version')).toEqual(
      new Set([JSON.parse(readFileSync('package.json', 'utf8')).version]),
    );
    expect(metrics.get('assent_database_connections')!.values).toEqual(
      new Map([
        ['pool', new Set(['requests', 'background'])],
        ['state', new Set(['used', 'idle'])],
      ]),
    );
    expect(metrics.get('assent_consent_records_total')!.values).toEqual(
      new Map([
        ['purpose', new Set(['analytics'])],
        ['decision', new Set(['GRANTED', 'DENIED'])],
      ]),
    );
  });

  it('of decisions counts a repeated request once', async () => {
    const { text } = await world.request('GET', '/metrics', { key: null });
    expect(text).toMatch(/^assent_consent_records_total\{purpose="analytics",decision="GRANTED"\} 1$/m);
  });

  it('is documented where it is worth an alarm', () => {
    const page = readFileSync('docs/operating/health.md', 'utf8');
    const named = new Set(
      rules.flatMap(({ expr }) => expr.match(/assent_\w+/g) ?? []).map((name) => baseOf(name, metrics)),
    );
    expect([...named].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    const documented = [...page.matchAll(/`(assent_\w+)`/g)].map(([, name]) => name!);
    expect(documented.filter((name) => !metrics.has(name))).toEqual([]);
  });
});

const KNOWN_LABELS = [
  'operation',
  'status',
  'outcome',
  'result',
  'chore',
  'projection',
  'channel',
  'pool',
  'state',
  'purpose',
  'decision',
  'version',
  'node_version',
  'le',
];

describe('the dashboard and the alert rules', () => {
  it('ask for metrics that are there', () => {
    const asked = expressions.flatMap((expr) => expr.match(/\b(?:assent|process|nodejs)_\w+/g) ?? []);
    expect(asked.length).toBeGreaterThan(30);
    expect(asked.filter((name) => !metrics.has(baseOf(name, metrics)))).toEqual([]);
    const histograms = asked.filter((name) => !metrics.has(name));
    expect(histograms.filter((name) => metrics.get(baseOf(name, metrics))!.type !== 'histogram')).toEqual([]);
  });

  it('take rates of counters and histograms only, and quantiles of buckets', () => {
    for (const expr of expressions)
      for (const [, , name] of expr.matchAll(/\b(rate|increase)\((\w+)/g)) {
        const { type } = metrics.get(baseOf(name!, metrics))!;
        expect({ expr, type }).toEqual({ expr, type: expect.stringMatching(/^(counter|histogram)$/) });
      }
    for (const expr of expressions.filter((each) => each.includes('histogram_quantile'))) {
      expect(expr).toMatch(/_bucket\{/);
      expect(expr).toMatch(/sum by \(le[,)]/);
    }
  });

  it('ask for labels that these metrics have, and for values that exist', () => {
    for (const expr of expressions) {
      for (const [, name, matchers] of expr.matchAll(/\b(\w+)\{([^}]*)\}/g)) {
        const known = metrics.get(baseOf(name!, metrics));
        for (const [, label, operator, value] of matchers!.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)) {
          if (FROM_PROMETHEUS.includes(label!)) continue;
          expect(KNOWN_LABELS).toContain(label);
          // Not every outcome happens in a test; where there are series, they have the label.
          if (known!.labels.size > 0)
            expect({ expr, labels: [...known!.labels] }).toEqual({ expr, labels: expect.arrayContaining([label]) });
          if (label === 'state') expect(known!.values.get('state')).toContain(value);
          if (label === 'decision') expect(DECISIONS).toEqual(expect.arrayContaining(value!.split('|')));
          expect({ expr, several: value!.includes('|') }).toEqual({ expr, several: operator!.endsWith('~') });
        }
      }
      for (const [, labels] of expr.matchAll(/\bby \(([^)]*)\)/g)) {
        const names = (expr.match(/\b(?:assent|process|nodejs)_\w+/g) ?? []).map((name) =>
          metrics.get(baseOf(name, metrics))!,
        );
        for (const label of labels!.split(', '))
          if (!FROM_PROMETHEUS.includes(label) && names[0]!.labels.size > 0)
            expect({ expr, labels: [...names[0]!.labels] }).toEqual({ expr, labels: expect.arrayContaining([label]) });
      }
    }
  });

  it('are whole: closed brackets, panels that do not overlap, known variables, a summary and a severity for each alert', () => {
    for (const expr of expressions)
      for (const [open, close] of ['()', '{}', '[]']) expect(expr.split(open!).length).toBe(expr.split(close!).length);
    const { panels, templating } = DASHBOARD;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)}/${y + Math.floor(i / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24);
    const variables = [...templating.list.map(({ name }) => name), '__rate_interval'];
    expect(
      [...JSON.stringify(DASHBOARD).matchAll(/\$\{?(\w+)/g)]
        .map(([, name]) => name!)
        .filter((name) => !variables.includes(name)),
    ).toEqual([]);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, labels, annotations } of rules)
      expect({ alert, labels, annotations }).toEqual({
        alert,
        labels: { severity: expect.stringMatching(/^(page|ticket)$/) },
        annotations: { summary: expect.stringMatching(/\w/) },
      });
  });
});
