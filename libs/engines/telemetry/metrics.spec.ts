import { Registry } from 'prom-client';
import { EventCounts, type CountedEvent } from './event-counts.js';
import { Metrics, type ProjectionGauges } from './metrics.js';

describe('counts of events', () => {
  const said: CountedEvent = {
    type: 'Said',
    metric: 'said_total',
    help: 'What was said.',
    labels: ['word', 'tone'],
    of: ({ word, tone }: { word: string; tone: string }) => ({ word, tone }),
  };

  it('go by what stands in them, leave others out, and stay bounded however many words there are', async () => {
    const registry = new Registry();
    const counts = new EventCounts([said], registry);
    for (let n = 0; n < 1000; n++) counts.add({ type: 'Said', data: { word: `w${n}`, tone: 'low' } });
    for (let n = 0; n < 3; n++) counts.add({ type: 'Said', data: { word: 'w0', tone: 'low' } });
    counts.add({ type: 'Unsaid', data: {} });
    const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('said_total{'));
    expect(lines.length).toBe(201);
    expect(lines).toContain('said_total{word="w0",tone="low"} 4');
    expect(lines).toContain('said_total{word="other",tone="other"} 800');
  });
});

describe('the metrics', () => {
  it('tell lag as the age of the oldest event that is missing, in events too where the log counts them, and what was folded as a counter', async () => {
    let head = 5n;
    let isThere = true;
    const log = {
      countsEvents: true,
      head: () => (isThere ? Promise.resolve(head) : Promise.reject(new Error('away'))),
      ageAfter: (position: bigint) => Promise.resolve(position < head ? 2_500 : null),
    };
    const projection: ProjectionGauges = { name: 'rows', position: 5n, folded: 3, running: true };
    const metrics = new Metrics(
      {
        log: () => log,
        isLogThere: () => isThere,
        logLosses: () => 2,
        writesRefused: () => 3,
        firstTokenUses: () => 2,
        isLogAccepted: () => false,
        projections: () => [projection],
        deliveries: () => Promise.resolve([]),
        receivers: () => Promise.resolve(null),
        pools: () => ({ requests: { used: 2, idle: 1, max: 10, waiting: 4 } }),
      },
      [],
      '1.2.3',
    );
    const sampleOf = async (name: string): Promise<number> =>
      Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(await metrics.text())?.[1]);
    expect(await sampleOf('assent_log_accepted')).toBe(0);
    expect(await sampleOf('assent_projection_lag_seconds')).toBe(0);
    expect(await sampleOf('assent_projection_folded_events_total')).toBe(3);
    head = 9n;
    projection.folded = 4;
    expect(await sampleOf('assent_projection_lag_events')).toBe(4);
    expect(await sampleOf('assent_projection_lag_seconds')).toBe(2.5);
    log.countsEvents = false;
    expect(await metrics.text()).not.toMatch(/^assent_projection_lag_events\{/m);
    isThere = false;
    expect(await metrics.text()).not.toMatch(/^assent_projection_lag_seconds\{/m);
    expect(await sampleOf('assent_log_up')).toBe(0);
    isThere = true;
    expect(await sampleOf('assent_log_up')).toBe(1);
    expect(await sampleOf('assent_log_losses_total')).toBe(2);
    expect(await sampleOf('assent_writes_refused_total')).toBe(3);
    expect(await sampleOf('assent_projection_folded_events_total')).toBe(4);
    projection.position = 9n;
    expect(await sampleOf('assent_projection_lag_seconds')).toBe(0);
    expect(await metrics.text()).toMatch(/^assent_build_info\{version="1\.2\.3",node_version="v\d[^"]*"\} 1$/m);
    expect(await metrics.text()).toMatch(/^assent_database_connections\{pool="requests",state="used"\} 2$/m);
    expect(await sampleOf('assent_database_connections_max')).toBe(10);
    expect(await sampleOf('assent_database_waiting')).toBe(4);
    expect(await metrics.text()).not.toMatch(/^nodejs_active_\w+_total/m);
  });
});
