import { randomUUID } from 'node:crypto';
import type { ResolvedEvent } from '@eventstore/db-client';
import fc from 'fast-check';
import { serialiseAppend } from '../../append-limits.js';
import { NO_STREAM, NOT_JSON, type EventMetadata, type RecordedEvent } from '../../port.js';
import { recorded, storedForm, streamOf, unparsed } from './eventstoredb-events.js';
import type { KeptEvent } from './eventstoredb-messages.js';
import { StreamNames } from './eventstoredb-names.js';

const STREAM = 'subject-shop.test.sub_01';
const names = new StreamNames('');
const kept = (given: Partial<KeptEvent>): KeptEvent => ({
  streamId: STREAM,
  revision: 4,
  position: 12_345n,
  id: randomUUID(),
  type: 'Counted',
  data: '{"n":1}',
  metadata: '',
  ...given,
});
/** The same event as the client's reads answer it. */
const resolved = ({ streamId, revision, position, id, type, data, metadata }: KeptEvent): ResolvedEvent =>
  ({
    event: {
      streamId,
      revision: BigInt(revision),
      position: { commit: position, prepare: position },
      id,
      type,
      data: JSON.parse(data) as unknown,
      metadata: metadata === '' ? undefined : (JSON.parse(metadata) as unknown),
    },
  }) as ResolvedEvent;
const looked = ({ stream, revision, position, id, type, data, metadata }: RecordedEvent) => ({
  stream,
  revision,
  position,
  id,
  type,
  data,
  metadata,
});
const metadata = fc.record(
  {
    schemaVersion: fc.integer({ min: 1, max: 20 }),
    actor: fc.string(),
    requestId: fc.string(),
    recordedAt: fc.constant('2026-01-01T00:00:00.000Z'),
  },
  { requiredKeys: ['schemaVersion', 'actor', 'recordedAt'] },
);

describe('An event that a subscription is sent', () => {
  it('is the one that a read answers, whatever was appended', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.jsonValue(), metadata, (id, data, of) => {
        const event = { id, type: 'Counted', data, metadata: of as EventMetadata };
        const stored = storedForm(serialiseAppend(STREAM, NO_STREAM, [event]).events[0]!);
        const sent = kept({
          data: JSON.stringify(stored.data),
          metadata: Buffer.from(stored.metadata as Uint8Array).toString('utf8'),
        });
        const followed = unparsed(sent, STREAM);
        expect(looked(followed)).toEqual(looked(recorded(resolved(sent), names)!));
        expect(followed.id).toBe(id);
        expect(followed.schemaVersion).toBe(of.schemaVersion);
      }),
    );
  });

  it.each([
    ['none', ''],
    ['no own id', '{"schemaVersion":1,"actor":"somebody"}'],
    ['an own id that does not stand in front', `{"schemaVersion":1,"eventId":"${randomUUID()}"}`],
    ['nothing but an own id', `{"eventId":"${randomUUID()}"}`],
    ['blanks before its own id', `{ "eventId": "${randomUUID()}", "schemaVersion": 1 }`],
  ])('that another application wrote is the one that a read answers: its metadata are %s', (_, written) => {
    const sent = kept({ metadata: written });
    expect(looked(unparsed(sent, STREAM))).toEqual(looked(recorded(resolved(sent), names)!));
  });

  it('that is no JSON can be followed past', () => {
    expect(looked(unparsed(kept({ data: 'none', metadata: 'none' }), STREAM))).toMatchObject({
      data: NOT_JSON,
      metadata: { schemaVersion: 0 },
    });
  });

  it.each([
    ['by its type', { type: '$metadata' }],
    ['by its stream', { streamId: '$$subject-1' }],
    ["as another installation's", { streamId: 'shop.subject-1' }],
  ])('is known as not ours %s', (_, given) => {
    expect(streamOf(kept(given), names)).toBeNull();
    expect(recorded(resolved(kept(given)), names)).toBeNull();
  });
});
