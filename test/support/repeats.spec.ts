import { judgeRepeats, ON_IDLE_MAX, SHARE_MAX } from './repeats.mjs';

const SPEC = 'test/acceptance/a.spec.ts';
const sent = (requests: number, repeats: number, onIdle: number) => ({ requests, repeats, onIdle });

describe('what a run says of requests that were sent again', () => {
  it('is nothing where none was', () => {
    expect(judgeRepeats({})).toEqual({ lines: [], fault: null });
    expect(judgeRepeats({ [SPEC]: sent(300, 0, 0) })).toEqual({ lines: [], fault: null });
  });

  it('is a line for each spec that had some, and how many there were in all', () => {
    const counted = { [SPEC]: sent(300, 2, 1), quiet: sent(80, 0, 0), 'b.spec.ts': sent(70, 1, 0) };
    expect(judgeRepeats(counted)).toEqual({
      lines: [
        'sent again after a 503:',
        `  ${SPEC}: 2 times beside 300 requests, 1 while the machine had time`,
        '  b.spec.ts: 1 time beside 70 requests, 0 while the machine had time',
        '  in all 3 times, 1 while the machine had time',
      ],
      fault: null,
    });
  });

  it('is a fault above the bound while the machine had time', () => {
    expect(judgeRepeats({ [SPEC]: sent(10_000, ON_IDLE_MAX, ON_IDLE_MAX) }).fault).toBeNull();
    const half = Math.ceil((ON_IDLE_MAX + 1) / 2);
    const { fault } = judgeRepeats({ [SPEC]: sent(10_000, half, half), b: sent(10_000, half, half) });
    expect(fault).toContain(`503 to ${2 * half} requests while the machine had time`);
  });

  it('is a fault above a share of all requests, however busy the machine was, once there are many', () => {
    expect(judgeRepeats({ [SPEC]: sent(10_000, SHARE_MAX * 10_000, 0) }).fault).toBeNull();
    expect(judgeRepeats({ [SPEC]: sent(10_000, SHARE_MAX * 10_000 + 1, 0) }).fault).toContain('501 of 10000');
    expect(judgeRepeats({ [SPEC]: sent(40, 20, 0) }).fault).toBeNull();
  });

  it('is no fault where a campaign stops engines on purpose', () => {
    const { lines, fault } = judgeRepeats({ 'test/faults/kill.spec.ts': sent(1_000, 900, 900) });
    expect(lines).toHaveLength(3);
    expect(fault).toBeNull();
  });
});
