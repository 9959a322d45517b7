import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { programAt } from '../support/debian.mjs';
import { freePort } from '../support/free-port.js';
import { keep } from '../support/keeper.mjs';
import { until } from '../support/timing.js';
import { startWorld, type World } from '../support/world.js';

/*
 * The dashboard for Grafana. Where the machine has Prometheus, that reads the metrics of a service which has just decided,
 * refused and delivered something, and every query of dashboard and alerts is asked of it. monitoring.spec.ts holds names,
 * types and labels against the metrics everywhere.
 */

interface Panel {
  type: string;
  title: string;
  description?: string;
  targets?: { expr: string }[];
}
const { panels } = JSON.parse(readFileSync('docs/operating/grafana-dashboard.json', 'utf8')) as { panels: Panel[] };
const shown = panels.filter(({ type }) => type !== 'row');
const page = readFileSync('docs/operating/dashboard.md', 'utf8');

test('each panel asks a question, and says what its answer means', () => {
  const titles = shown.map(({ title }) => title);
  expect(titles.filter((title) => !/^(Is|Does|Do|Are|How|Who|What|Which) .+\?$/.test(title))).toEqual([]);
  expect(new Set(titles).size).toBe(titles.length);
  for (const { title, description = '' } of shown)
    expect({ title, description }).toEqual({ title, description: expect.stringMatching(/^[A-Z1].{20,}\.$/) });
});

test('the page names questions that the dashboard asks', () => {
  const named = [...page.matchAll(/^\| \*\*(.+?)\*\* \|/gm)].map(([, title]) => title);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((title) => !shown.some((panel) => panel.title === title))).toEqual([]);
});

const prometheus = programAt('prometheus');
const asked = (): void => {
  let world: World;
  let address: string;
  let server: ChildProcess;
  let keeper: ReturnType<typeof keep>;
  let said = '';

  beforeAll(async () => {
    world = await startWorld({ own: true });
    const folder = mkdtempSync(join(tmpdir(), 'assent-prometheus-'));
    keeper = keep(folder);
    const alerts = join(process.cwd(), 'docs/operating/alerts.yml');
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    writeFileSync(
      join(folder, 'prometheus.yml'),
      JSON.stringify({
        global: { scrape_interval: '2s', evaluation_interval: '2s' },
        rule_files: [alerts],
        scrape_configs: [{ job_name: 'assent', static_configs: [{ targets: [new URL(world.url).host] }] }],
      }),
    );
    server = spawn(
      prometheus!,
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    keeper.watch(server.pid ?? null);
    server.stderr!.setEncoding('utf8').on('data', (text: string) => (said += text));
  });
  afterAll(async () => {
    if (server?.exitCode === null) {
      server.kill();
      await once(server, 'exit');
    }
    await keeper?.clean();
    await world?.stop();
  });

  interface Answer {
    status: string;
    data: {
      result: { metric: Record<string, string>; value: [number, string] }[];
      groups: { rules: { name: string; health: string }[] }[];
    };
  }
  const ask = async (path: string, query?: Record<string, string>): Promise<Answer | null> => {
    if (server.exitCode !== null) throw new Error(`Prometheus has ended:\n${said}`);
    const answer = await fetch(`${address}/api/v1/${path}?${new URLSearchParams(query).toString()}`).catch(() => null);
    // It starts.
    return answer?.status === 503 ? null : answer && ((await answer.json()) as Answer);
  };
  const found = async (expr: string): Promise<Answer['data']['result']> => {
    const answer = await ask('query', {
      query: expr.replaceAll('$job', 'assent').replaceAll('$__rate_interval', '1m'),
    });
    if (answer?.status !== 'success') throw new Error(`${expr}: ${JSON.stringify(answer)}`);
    return answer.data.result;
  };

  it('every query is answered, and those about what has happened have an answer', async () => {
    await until(async () => (await ask('query', { query: 'up{job="assent"} == 1' }))?.data?.result.length === 1);
    // Prometheus counts what a series grows by from the second time that it sees it.
    for (let rounds = 0; rounds < 2; rounds++) {
      for (const decision of ['GRANTED', 'DENIED', 'WITHDRAWN']) await world.recorded({ decision });
      const seen = rounds + 1;
      await until(
        async () =>
          (await found(`assent_consent_records_total{job="$job", decision="WITHDRAWN"} == ${seen}`)).length === 1,
      );
    }
    const empty: string[] = [];
    for (const { title, targets = [] } of shown)
      for (const { expr } of targets) if ((await found(expr)).length === 0) empty.push(title);
    // What has not happened here.
    expect(new Set(empty)).toEqual(
      new Set(['How many deliveries wait, and how long?', 'Do deliveries arrive?', 'Does work that is due fail?']),
    );
    const [no] = await found(shown.find(({ title }) => title === 'Who says no?')!.targets![0]!.expr);
    expect([no!.metric, Number(no!.value[1])]).toEqual([{ purpose: 'analytics' }, expect.closeTo(0.5, 1)]);
  });

  it('every alert is read and evaluated', async () => {
    const { groups } = parse(readFileSync('docs/operating/alerts.yml', 'utf8')) as { groups: { rules: object[] }[] };
    const rules = await until(async () => {
      const all = (await ask('rules'))?.data.groups.flatMap((group) => group.rules) ?? [];
      return all.length > 0 && all.every(({ health }) => health !== 'unknown') && all;
    });
    expect(rules).toHaveLength(groups.flatMap((group) => group.rules).length);
    expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
  });
};
if (prometheus) describe('with Prometheus', asked);
