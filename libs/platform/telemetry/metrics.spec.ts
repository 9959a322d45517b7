import { Registry } from 'prom-client';
import { EventCounts, type CountedEvent } from './event-counts.js';
import { Heads } from './heads.js';
import { Metrics, type ProjectionGauges } from './metrics.js';

describe('heads', () => {
  it('tell for how long a position has been behind, from the first look that showed more than it', () => {
    const heads = new Heads();
    expect(heads.beyondForMs(-1n, 500)).toBe(0);
    heads.saw(10n, 1_000);
    heads.saw(10n, 2_000);
    heads.saw(20n, 3_000);
    expect(heads.beyondForMs(20n, 9_000)).toBe(0);
    expect(heads.beyondForMs(15n, 9_000)).toBe(6_000);
    expect(heads.beyondForMs(10n, 9_000)).toBe(6_000);
    expect(heads.beyondForMs(9n, 9_000)).toBe(8_000);
  });

  it('stay few: of very many the oldest is forgotten last, and what is told is never too long', () => {
    const heads = new Heads();
    for (let n = 0; n <= 100_000; n++) heads.saw(BigInt(n), n * 1000);
    expect((heads as unknown as { seen: unknown[] }).seen.length).toBeLessThanOrEqual(720);
    expect(heads.beyondForMs(-1n, 100_000_000)).toBe(100_000_000);
    for (const position of [0n, 99n, 50_000n, 99_998n]) {
      const since = (Number(position) + 1) * 1000;
      expect(heads.beyondForMs(position, 100_000_000)).toBeLessThanOrEqual(100_000_000 - since);
      expect(heads.beyondForMs(position, 100_000_000)).toBeGreaterThanOrEqual(0);
    }
  });
});

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
  it('tell lag in positions and seconds, and what was folded as a counter', async () => {
    let head = 5n;
    const projection: ProjectionGauges = { name: 'rows', position: 5n, folded: 3, running: true };
    const metrics = new Metrics(
      {
        head: () => Promise.resolve(head),
        projections: () => [projection],
        deliveries: () => Promise.resolve([]),
        pools: () => ({ requests: { used: 2, idle: 1, max: 10, waiting: 4 } }),
      },
      [],
      '1.2.3',
    );
    const told = async (name: string): Promise<number> =>
      Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(await metrics.text())?.[1]);
    expect(await told('assent_projection_lag_seconds')).toBe(0);
    expect(await told('assent_projection_folded_events_total')).toBe(3);
    head = 9n;
    projection.folded = 4;
    expect(await told('assent_projection_lag_positions')).toBe(4);
    expect(await told('assent_projection_lag_seconds')).toBeGreaterThan(0);
    expect(await told('assent_projection_folded_events_total')).toBe(4);
    projection.position = 9n;
    expect(await told('assent_projection_lag_seconds')).toBe(0);
    expect(await metrics.text()).toMatch(/^assent_build_info\{version="1\.2\.3",node_version="v\d[^"]*"\} 1$/m);
    expect(await metrics.text()).toMatch(/^assent_database_connections\{pool="requests",state="used"\} 2$/m);
    expect(await told('assent_database_connections_max')).toBe(10);
    expect(await told('assent_database_waiting')).toBe(4);
    expect(await metrics.text()).not.toMatch(/^nodejs_active_\w+_total/m);
  });
});
