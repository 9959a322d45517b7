import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SubjectReads } from '../../libs/access/index.js';
import { CATALOGUE } from '../../libs/catalogue/index.js';
import { ConsentAnswers } from '../../libs/consent/read/consent-answers.js';
import { GetConsentState, GetConsentStateHandler } from '../../libs/consent/read/get-consent-state.handler.js';
import { consentStateProjection } from '../../libs/consent/read/projection.js';
import { ConsentReader } from '../../libs/consent/read/reader.js';
import { ConsentRows } from '../../libs/consent/read/rows.js';
import { CONSENT_STREAMS } from '../../libs/consent/state.js';
import { PostgresEventLog } from '../../libs/log/adapters/postgres/postgres.js';
import { CheckpointProgress } from '../../libs/following/checkpoint-progress.js';
import { ServedProjection } from '../../libs/following/generations/generations.js';
import type { ProjectorOptions } from '../../libs/following/projections/projector.js';
import { CLOCK, UNCHARGED, type Reader } from '../../libs/kernel/index.js';
import { InProcessTagCache, TagsOfView } from '../../libs/engines/cache/tag-cache.js';
import { COMPOSITION } from '../../libs/composition/contexts.js';
import { isDone, SCOPE, WriteSide } from '../support/write-side.js';
import { startWriteDatabase, type WriteDatabase } from '../support/write-database.js';

/*
 * While releases change, the rows that are shown may be those of another version. Answers are then made by this
 * release's own rules from the stream, so that an ETag never stands for two answers.
 */

/** How another release folds: it counts no decision. */
const OTHER = {
  ...consentStateProjection,
  rows: (subjectId: string, consent: never) => rowsWithoutDecisions(subjectId, consent),
};
const rowsWithoutDecisions = (...known: Parameters<typeof consentStateProjection.rows>) =>
  consentStateProjection.rows(...known).map((row) => ({ ...row, state: { purposes: {}, gpc: null } }));
const CALLER: Reader = { ...SCOPE, kind: 'sk', keyId: 'key_laws', operation: 'getConsentState' };
type Served = ProjectorOptions<never, never>;

let world: WriteDatabase;
let log: PostgresEventLog;
let side: WriteSide;
beforeAll(async () => {
  world = await startWriteDatabase();
  log = new PostgresEventLog(world.database);
  side = new WriteSide({ log, database: world.database });
});
afterAll(async () => {
  await log?.close();
  await world?.stop();
});

/** A process that reads, and knows nothing yet. */
function reading() {
  const reader = new WriteSide({ log, database: world.database });
  const get = reader.get as (token: unknown) => never;
  const consent = new ConsentReader(
    get(CONSENT_STREAMS),
    reader.vault,
    get(CATALOGUE),
    get(CLOCK),
    new SubjectReads(null),
  );
  const answers = new ConsentAnswers(
    consent,
    new ConsentRows(world.database),
    new TagsOfView(new InProcessTagCache(), '', 1),
    new CheckpointProgress(world.database, consentStateProjection.name, null),
    { country: null, region: null },
  );
  const handler = new GetConsentStateHandler(answers, consent);
  return (ref: string, { fresh = false, ifNoneMatch }: { fresh?: boolean; ifNoneMatch?: string } = {}) => {
    const place = { place: null, gpcOnRequest: false };
    const options = { fresh, after: null, ifNoneMatch, work: UNCHARGED };
    return handler.execute(new GetConsentState(CALLER, ref, undefined, place, options));
  };
}

async function served(projection: unknown): Promise<ServedProjection<never, never>> {
  const options = { log, database: world.database, codec: COMPOSITION.codec, projection } as unknown as Served;
  const serving = new ServedProjection(options);
  await serving.start();
  expect(await serving.waitFor(await log.head(), 60_000)).toBe(true);
  return serving;
}
const rows = () => world.database.run<{ state: object }>('select state from read.consent_state');

describe.each([
  ['older', consentStateProjection.version - 1],
  ['newer', consentStateProjection.version + 1],
])('rows of an %s version', (which, version) => {
  it('are not answered from: the same ETag is the same answer, before and after the own rows take their place', async () => {
    const ref = `user_id:${which}`;
    expect(isDone(await side.record(ref, 'a', 'GRANTED'))).toBe(true);
    await world.database.run('truncate projection.generations cascade');
    const others = await served({ ...OTHER, version });
    expect((await rows())[0]!.state).toEqual({ purposes: {}, gpc: null });

    const whileOthers = await reading()(ref);
    expect(whileOthers.view!.purposes['a']!.state).toBe('GRANTED');
    expect(await reading()(ref, { fresh: true })).toMatchObject({ etag: whileOthers.etag });
    await others.stop();

    // The view never goes back by itself to an older version.
    if (which === 'newer') await world.database.run('delete from projection.generations');
    const own = await served(consentStateProjection);
    const fromOwn = await reading()(ref);
    expect(fromOwn.etag).toBe(whileOthers.etag);
    const { asOf: _, ...shown } = fromOwn.view!;
    expect(whileOthers.view).toMatchObject(shown);
    expect((await reading()(ref, { ifNoneMatch: whileOthers.etag })).view).toBeNull();
    await own.stop();
  });
});
