import { Histogram, Registry } from 'prom-client';
import { RequestTimes } from './request-times.js';

const BUCKETS = [0.001, 0.01, 0.1, 1];

describe('the times of answers', () => {
  it('read as the histogram of prom-client does, at the edges of buckets and beyond them too', async () => {
    const [ours, theirs] = [new Registry(), new Registry()];
    const times = new RequestTimes(ours, BUCKETS);
    const histogram = new Histogram({
      name: times.name,
      help: 'Time to answer, by operation and status class.',
      labelNames: ['operation', 'status'],
      buckets: BUCKETS,
      registers: [theirs],
    });
    expect(await ours.metrics()).toBe(await theirs.metrics());
    const observed = [0, 0.0005, 0.001, 0.0011, 0.01, 0.5, 1, 1.5, 60].flatMap((seconds) => [
      { operation: 'getPolicy', status: 200, seconds },
      { operation: 'getPolicy', status: 304, seconds: seconds / 2 },
      { operation: 'none', status: 404, seconds },
    ]);
    for (const { operation, status, seconds } of observed) {
      times.observe(operation, status, seconds);
      histogram.observe({ operation, status: `${Math.floor(status / 100)}xx` }, seconds);
    }
    const lines = (text: string): string[] => text.split('\n').sort();
    expect(lines(await ours.metrics())).toEqual(lines(await theirs.metrics()));
  });
});
