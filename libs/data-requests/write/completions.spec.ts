import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startWriteDatabase, type WriteDatabase } from '../../../test/support/write-database.js';
import { until } from '../../../test/support/timing.js';
import { MemoryEventLog } from '../../log/adapters/memory.js';
import { ServedProjection } from '../../following/generations/generations.js';
import { Stream } from '../../streams/stream.js';
import { epochMs, isRefusal, newId, systemClock, type Refusal } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { idBytes } from '../../engines/id-bytes.js';
import { Works } from '../../commands/works.js';
import { MasterKey } from '../../vault/master-key.js';
import { Vault } from '../../vault/vault.js';
import { ruleAt } from '../../policy/index.js';
import { COMPOSITION } from '../../composition/contexts.js';
import { termsOfRequest } from '../dates.js';
import { receiveRequest } from '../decide.js';
import { subjectsDue } from '../../context/subjects-due.js';
import { dueRequests } from '../due-requests.js';
import type { RequestEffect } from '../events.js';
import { dataRequestsProjection } from '../read/projection.js';
import { RequestViews } from '../request-views.js';
import { requestStream, type DataRequest } from '../state.js';
import { REQUEST_STREAM_FOLD } from '../stream-fold.js';
import { Completions } from './completions.js';
import type { Effect } from './effects/effect.js';
import { HandleDueRequests, HandleDueRequestsHandler } from './handle-due-requests.handler.js';
import { OperatorMails } from './operator-mails.js';
import { RequestChanges, type RequestDone } from './request-changes.js';
import { RequestIndex } from './request-index.js';

const SCOPE = { site: 'shop', env: 'test' } as const;
/** Long ago, so that whatever was begun then is due to be looked after. */
const T0 = '2026-11-01T12:00:00.000Z';
const MADE: RequestEffect = { kind: 'ARCHIVE', archive: { sha256: 'ab'.repeat(32), bytes: 1 } };

let world: WriteDatabase;
let log: MemoryEventLog;
let projecting: ServedProjection<unknown, never>;
let carriedOut: string[];
let subjectId: string;

beforeAll(async () => {
  world = await startWriteDatabase();
  log = new MemoryEventLog();
  projecting = new ServedProjection({
    log,
    database: world.database,
    codec: COMPOSITION.codec,
    projection: dataRequestsProjection,
  }) as unknown as typeof projecting;
  await projecting.start();
});
afterAll(async () => {
  await projecting.stop();
  await world.stop();
});
beforeEach(() => {
  carriedOut = [];
  subjectId = newId('sub', epochMs(T0), idBytes);
});

/** A process that completes requests, and takes as long as `working` does. */
function startProcess(name: string, working: Promise<void> = Promise.resolve()) {
  const database = new Database(world.url, { max: 4, budgetMs: 20_000 });
  const master = new MasterKey(Buffer.alloc(32, 5));
  const vault = new Vault(database, master);
  const streams = new Stream(log, COMPOSITION.codec, REQUEST_STREAM_FOLD);
  const views = new RequestViews(streams, vault, systemClock);
  const changes = new RequestChanges(streams, vault, () => T0);
  const index = new RequestIndex(database);
  const mails = new OperatorMails(database, master, null, { name: '', address: 'no-reply@shop.example' }, false);
  const effect: Effect = {
    plan: async () => ({ kind: 'ARCHIVE' }),
    carryOut: async () => {
      carriedOut.push(name);
      await working;
      return MADE;
    },
  };
  const completions = new Completions(changes, { of: () => effect }, views, new Works(database), vault);
  const handler = new HandleDueRequestsHandler(index, views, changes, completions, mails, systemClock);
  return {
    complete: (id: string) => completions.complete(SCOPE, id, { outcome: 'COMPLETED' }, { actor: name }),
    lookAfterWhatIsDue: () => handler.execute(new HandleDueRequests(SCOPE, subjectId)),
    shown: (id: string) => views.find(SCOPE, id),
    close: () => database.close(),
  };
}

/** A request that may be completed. */
async function received(): Promise<string> {
  const requestId = (await new RequestIndex(world.database).reserve(SCOPE, subjectId, 'ACCESS', T0))!;
  const stream = new Stream(log, COMPOSITION.codec, REQUEST_STREAM_FOLD);
  const cipher = await new Vault(world.database, new MasterKey(Buffer.alloc(32, 5))).cipherOf(subjectId);
  const decided = receiveRequest(
    {
      type: 'receive',
      requestId,
      subjectId,
      requestType: 'ACCESS',
      regulation: null,
      regulationOfPlace: null,
      jurisdiction: null,
      terms: termsOfRequest('ACCESS', ruleAt({ country: 'DE', region: null }, T0)),
      receivedAt: T0,
      source: 'API',
      requester: { type: 'SELF' },
      verifiedBy: 'OPERATOR',
    },
    null,
    T0,
  );
  if (isRefusal(decided)) throw new Error(decided.code);
  const metadata = { actor: 'test', recordedAt: T0 };
  await stream.execute(requestStream(SCOPE, requestId), cipher, () => ({
    append: decided.events.map((event) => ({ event, id: crypto.randomUUID(), metadata })),
    answer: () => ({}),
  }));
  return requestId;
}

const requestOf = (done: RequestDone | Refusal): DataRequest => {
  if (isRefusal(done)) throw new Error(done.message);
  return done.request;
};
const completionsIn = async (id: string): Promise<number> =>
  (await log.read(requestStream(SCOPE, id), { direction: 'forwards', limit: 100 })).filter(
    ({ type }) => type === 'DataRequestCompleted',
  ).length;
const msLeft = async (id: string): Promise<number> => {
  const [lease] = await world.database.run<{ ms: string }>(
    `select extract(epoch from leased_until - clock_timestamp()) * 1000 as ms from write.work where id = $1`,
    [id],
  );
  return Number(lease!.ms);
};
/** As though so much more time had gone by since the lease was renewed. */
const age = (id: string, ms: number): Promise<unknown> =>
  world.database.run(
    `update write.work set leased_until = leased_until - make_interval(secs => $2::float / 1000) where id = $1`,
    [id, ms],
  );
const due = async (): Promise<string[]> =>
  (await subjectsDue(world.database, dueRequests, 10, [])).map((each) => each.subjectId);
const isListed = async (id: string, what: string): Promise<boolean> =>
  (await world.database.run(`select 1 from read.data_requests where id = $1 and ${what}`, [id])).length === 1;

describe('a completion', () => {
  it('that takes long is left to whoever is at it, and a repeat is answered with what it came to', async () => {
    let end = (): void => {};
    const slow = startProcess('slow', new Promise((resolve) => (end = resolve)));
    const other = startProcess('other');
    const id = await received();

    const completing = slow.complete(id);
    await until(() => carriedOut.length === 1);
    await until(() => isListed(id, 'next_chore_at < now()'));
    await age(id, 1_000);
    const before = await msLeft(id);
    await until(async () => (await msLeft(id)) > before);

    expect(await due()).toEqual([]);
    await other.lookAfterWhatIsDue();
    const repeat = other.complete(id);
    expect((await other.shown(id))!.completing).not.toBeNull();
    end();

    const first = requestOf(await completing);
    expect([first.state, first.effect]).toEqual(['COMPLETED', MADE]);
    expect(requestOf(await repeat)).toEqual(first);
    expect([carriedOut, await completionsIn(id)]).toEqual([['slow'], 1]);
    expect(await world.database.run('select from write.work where finished_at is null')).toEqual([]);
    await Promise.all([slow.close(), other.close()]);
  });

  it('of a process that died is taken over once its lease has run out', async () => {
    let end = (): void => {};
    const killed = startProcess('killed', new Promise((resolve) => (end = resolve)));
    const other = startProcess('other');
    const id = await received();

    const completing = killed.complete(id);
    await until(() => carriedOut.length === 1);
    await until(() => isListed(id, 'next_chore_at < now()'));
    // From here on it renews nothing any more.
    await killed.close();
    await other.lookAfterWhatIsDue();
    expect(carriedOut).toEqual(['killed']);

    await age(id, 60_000);
    expect(await due()).toEqual([subjectId]);
    await other.lookAfterWhatIsDue();
    expect((await other.shown(id))!.effect).toEqual(MADE);
    await until(() => isListed(id, `state = 'COMPLETED'`));
    expect(await due()).toEqual([]);

    end();
    await expect(completing).rejects.toMatchObject({ name: 'DependencyUnavailable' });
    expect([carriedOut, await completionsIn(id)]).toEqual([['killed', 'other'], 1]);
    await other.close();
  });
});
