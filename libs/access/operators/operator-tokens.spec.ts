import { ADMIN_EVERYWHERE } from '../../context/roles.js';
import { MemoryEventLog } from '../../log/adapters/memory.js';
import { instantOf, isRefusal, plusMs, type Instant, type Refusal } from '../../kernel/index.js';
import { mintOperatorToken, parseOperatorToken } from '../callers/api-key.js';
import { FIRST_TOKEN_ID, LIVE_TOKENS_MAX } from './operator-token-state.js';
import { OPERATOR_TOKENS_STREAM } from './operator-token-events.js';
import { OperatorTokens, type TokensDone } from './operator-tokens.js';

const FIRST = `op_${'f'.repeat(43)}`;
const HOUR_MS = 3_600_000;
const by = { actor: 'operator:opt_first' };

let log: MemoryEventLog;
let now: Instant;
/** Two processes over one log. */
let [here, there]: [OperatorTokens, OperatorTokens] = [null!, null!];
beforeEach(() => {
  now = instantOf(Date.UTC(2026, 10, 22, 8));
  log = new MemoryEventLog();
  [here, there] = [new OperatorTokens(log, FIRST, () => now), new OperatorTokens(log, FIRST, () => now)];
});
afterEach(() => log.close());

function done(outcome: TokensDone | Refusal): TokensDone {
  if (isRefusal(outcome)) throw new Error(outcome.message);
  return outcome;
}
const issued = async (name = 'deploy', expiresAt: Instant | null = null): Promise<{ id: string; text: string }> => {
  const { tokenId, text } = done(await here.issue({ name, roles: ADMIN_EVERYWHERE, expiresAt }, by));
  return { id: tokenId, text: text! };
};

const idOf = async (process: OperatorTokens, text: string): Promise<string | null> =>
  (await process.verify(text))?.id ?? null;

describe('a token', () => {
  it('works everywhere from its issue to its revocation, which holds everywhere at once', async () => {
    const { id, text } = await issued();
    expect([await idOf(here, text), await idOf(there, text)]).toEqual([id, id]);
    await there.revoke(id, 'leaked', by);
    expect([await idOf(here, text), await idOf(there, text)]).toEqual([null, null]);
  });

  it('is stored nowhere: neither it nor its secret', async () => {
    const { text } = await issued();
    const events = JSON.stringify(
      await log.read(OPERATOR_TOKENS_STREAM, { direction: 'forwards', limit: 10 }),
      (_, v) => (typeof v === 'bigint' ? v.toString() : (v as unknown)),
    );
    expect(events).not.toContain(text);
    expect(events).not.toContain(parseOperatorToken(text)!.secret);
    expect(events).toContain(text.slice(-4));
  });

  it('that is mistyped in any place, or made up, belongs to no operator', async () => {
    const { text } = await issued();
    for (let i = 0; i < text.length; i++) {
      const other = text[i] === 'A' ? 'B' : 'A';
      expect(await idOf(here, text.slice(0, i) + other + text.slice(i + 1))).toBeNull();
    }
    const forged = mintOperatorToken((count) => Buffer.alloc(count, 7));
    for (const made of [forged.text, '', 'op_', `${text} `, FIRST.slice(1), `${FIRST}x`])
      expect(await idOf(here, made)).toBeNull();
  });

  it('ends at its term', async () => {
    const { id, text } = await issued('contractor', plusMs(now, HOUR_MS));
    expect(await idOf(here, text)).toBe(id);
    now = plusMs(now, HOUR_MS);
    expect(await idOf(here, text)).toBeNull();
    expect(await here.issue({ name: 'too late', roles: ADMIN_EVERYWHERE, expiresAt: now }, by)).toMatchObject({
      code: 'validation_failed',
    });
  });

  it('that is rotated works on for the overlap, and has one successor', async () => {
    const { id, text } = await issued();
    const successor = done(await here.rotate(id, '1h', 'yearly', by));
    expect([await idOf(there, text), await idOf(there, successor.text!)]).toEqual([id, successor.tokenId]);
    expect(successor.state.get(id)).toMatchObject({ replacedBy: successor.tokenId });
    expect(successor.state.get(successor.tokenId)).toMatchObject({ name: 'deploy', rotatedFrom: id });
    expect(await here.rotate(id, '1h', null, by)).toMatchObject({ code: 'state_conflict' });
    now = plusMs(now, HOUR_MS);
    expect([await idOf(there, text), await idOf(there, successor.text!)]).toEqual([null, successor.tokenId]);
  });

  it('that is rotated without overlap ends at once', async () => {
    const { id, text } = await issued();
    await here.rotate(id, '0', null, by);
    expect(await idOf(there, text)).toBeNull();
  });
});

describe('the token of the first start', () => {
  it('works without having been issued, and can be rotated and revoked like others', async () => {
    expect(await idOf(here, FIRST)).toBe(FIRST_TOKEN_ID);
    const { text } = await issued();
    await here.revoke(FIRST_TOKEN_ID, null, by);
    expect([await idOf(here, FIRST), await idOf(there, FIRST)]).toEqual([null, null]);
    expect(await idOf(there, text)).not.toBeNull();
  });

  it('is not revoked as long as no other operator could act, nor are others', async () => {
    expect(await here.revoke(FIRST_TOKEN_ID, null, by)).toMatchObject({ code: 'state_conflict' });
    await issued('contractor', plusMs(now, HOUR_MS));
    expect(await here.revoke(FIRST_TOKEN_ID, null, by)).toMatchObject({ code: 'state_conflict' });
    const { id } = await issued();
    done(await here.revoke(FIRST_TOKEN_ID, null, by));
    expect(await here.revoke(id, null, by)).toMatchObject({ code: 'state_conflict' });
    // Twice is once.
    expect(done(await here.revoke(FIRST_TOKEN_ID, null, by)).position).toBeNull();
  });
});

it('there are two hundred live tokens at most', async () => {
  for (let i = 1; i < LIVE_TOKENS_MAX; i++) await issued(`n${i}`);
  expect(await here.issue({ name: 'one more', roles: ADMIN_EVERYWHERE, expiresAt: null }, by)).toMatchObject({
    code: 'state_conflict',
  });
  expect(await here.revoke('opt_unknown', null, by)).toMatchObject({ code: 'operator_token_not_found' });
  expect(await here.rotate('opt_unknown', '0', null, by)).toMatchObject({ code: 'operator_token_not_found' });
});
