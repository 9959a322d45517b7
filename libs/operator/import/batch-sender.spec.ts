import { describe, expect, it } from '@jest/globals';
import { CommandFailed, EXIT, failed } from '../cli/failure.js';
import { batchSender } from './batch-sender.js';
import type { ImportRecord } from './mapping/import-record.js';

const record = (key: string): ImportRecord => ({
  kind: 'consent',
  subject: 'user_id:1',
  about: 'a',
  decision: 'GRANTED',
  bytes: 100,
  body: { idempotencyKey: key },
});
const refused = (status: number, retryAfterSeconds: number | null = null): CommandFailed =>
  new CommandFailed({ code: 'c', message: 'busy.', hint: 'h', issues: [] }, EXIT.failed, { status, retryAfterSeconds });
const rejected = (code: string) => ({ status: 'REJECTED', error: { code, message: 'm', hint: 'h', issues: [] } });

/** Answers one after the other; an error is thrown. */
function sending(answers: unknown[]): { sent: string[][]; rested: number[]; send: () => Promise<unknown> } {
  const [sent, rested]: [string[][], number[]] = [[], []];
  const send = batchSender({
    server: {
      post: <T>(_: string, body: unknown): Promise<T> => {
        sent.push(
          (body as { records: { idempotencyKey: string }[] }).records.map(({ idempotencyKey }) => idempotencyKey),
        );
        const answer = answers.length > 1 ? answers.shift() : answers[0];
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve({ results: answer } as T);
      },
    },
    pathOf: () => '/v1/consent/batch',
    dryRun: false,
    onWait: () => undefined,
    pause: (ms) => Promise.resolve(rested.push(ms)),
  });
  return { sent, rested, send: () => send('consent', [record('1'), record('2')]) };
}

describe('a batch', () => {
  it('is sent again with its keys where it may pass, and waits as long as it is asked to', async () => {
    const { sent, rested, send } = sending([
      failed('unreachable', 'm', 'h'),
      refused(429, 7),
      refused(503),
      [
        { status: 'RECORDED', record: { appliedToState: false } },
        { status: 'REPLAYED', record: { changes: [{ appliedToState: true }] } },
      ],
    ]);
    expect(await send()).toEqual([
      { status: 'RECORDED', appliedToState: false },
      { status: 'REPLAYED', appliedToState: true },
    ]);
    expect(sent).toEqual(Array.from({ length: 4 }, () => ['1', '2']));
    expect(rested).toEqual([500, 7000, 2000]);
  });

  it('repeats only the records that may pass', async () => {
    const { sent, send } = sending([
      [{ status: 'RECORDED' }, rejected('idempotency_in_progress')],
      [rejected('purpose_unknown')],
    ]);
    expect(await send()).toMatchObject([
      { status: 'RECORDED' },
      { status: 'REJECTED', error: { code: 'purpose_unknown' } },
    ]);
    expect(sent).toEqual([['1', '2'], ['2']]);
  });

  it('fails at once where waiting helps nothing', async () => {
    const { sent, send } = sending([refused(403)]);
    await expect(send()).rejects.toMatchObject({ answer: { status: 403 } });
    expect(sent).toHaveLength(1);
  });

  it('is given up after a while, and says how to go on', async () => {
    const { rested, send } = sending([failed('unreachable', 'It is away.', 'h')]);
    await expect(send()).rejects.toMatchObject({
      problem: { code: 'import_stopped', hint: expect.stringContaining('--resume') as unknown },
    });
    const minutes = rested.reduce((sum, ms) => sum + ms, 0) / 60_000;
    expect([minutes > 5, minutes < 15]).toEqual([true, true]);
  });
});
