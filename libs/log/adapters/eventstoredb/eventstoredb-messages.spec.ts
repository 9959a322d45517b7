import { randomUUID } from 'node:crypto';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import { messageOf } from './eventstoredb-messages.js';

const { ReadResp } = streams;
const { ReadEvent } = ReadResp;
const onTheWire = (response: InstanceType<typeof ReadResp>): Buffer => Buffer.from(response.serializeBinary());

const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const text = fc.string({ unit: 'binary' }).map((any) => any.toWellFormed());
const kept = fc.record({
  streamId: text,
  // The last one is that of a tombstone.
  revision: fc.oneof(fc.maxSafeNat(), fc.constant(2 ** 63)),
  position: uint64,
  id: fc.uuid(),
  type: text,
  data: text,
  metadata: text,
});

describe('A message of the server', () => {
  it("holds the event that the client's own encoding of it holds", () => {
    fc.assert(
      fc.property(kept, (event) => {
        const recorded = new ReadEvent.RecordedEvent()
          .setId(new shared.UUID().setString(event.id))
          .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(event.streamId)))
          .setStreamRevision(event.revision === 2 ** 63 ? `${2n ** 63n - 1n}` : `${event.revision}`)
          .setPreparePosition(`${event.position / 2n}`)
          .setCommitPosition(`${event.position}`)
          .setData(Buffer.from(event.data))
          .setCustomMetadata(Buffer.from(event.metadata));
        recorded
          .getMetadataMap()
          .set('content-type', 'application/json')
          .set('type', event.type)
          .set('created', '17693712000000000');
        const response = new ReadResp().setEvent(
          new ReadEvent().setEvent(recorded).setLink(new ReadEvent.RecordedEvent()).setCommitPosition('7'),
        );
        expect(messageOf(onTheWire(response))).toEqual({ tells: 'event', event });
      }),
    );
  });

  it('holds how far the server has looked, which is the position of the commit', () => {
    fc.assert(
      fc.property(uint64, uint64, (commit, prepare) => {
        const checkpoint = new ReadResp.Checkpoint().setCommitPosition(`${commit}`).setPreparePosition(`${prepare}`);
        const message = messageOf(onTheWire(new ReadResp().setCheckpoint(checkpoint)));
        expect(message).toEqual({ tells: 'checkpoint', position: commit });
      }),
    );
  });

  it.each([
    ['confirmation', new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation().setSubscriptionId('one'))],
    ['caught up', new ReadResp().setCaughtUp(new ReadResp.CaughtUp())],
    ['something else', new ReadResp().setFellBehind(new ReadResp.FellBehind())],
    ['something else', new ReadResp().setLastStreamPosition('5')],
    ['something else', new ReadResp()],
  ])('is distinguished: %s', (tells, response) => {
    expect(messageOf(onTheWire(response))).toEqual({ tells });
  });

  it('is read where it stands, beside other messages in the same memory', () => {
    const checkpoint = (commit: string) =>
      onTheWire(new ReadResp().setCheckpoint(new ReadResp.Checkpoint().setCommitPosition(commit)));
    const [before, it, after] = [checkpoint('1'), checkpoint('300'), checkpoint('2')];
    const together = Buffer.concat([before, it, after]);
    const message = messageOf(together.subarray(before.length, before.length + it.length));
    expect(message).toEqual({ tells: 'checkpoint', position: 300n });
  });

  it('that is cut off is refused', () => {
    const name = new shared.StreamIdentifier().setStreamName(Buffer.from(`subject-${randomUUID()}`));
    const recorded = new ReadEvent.RecordedEvent().setStreamIdentifier(name);
    const whole = onTheWire(new ReadResp().setEvent(new ReadEvent().setEvent(recorded)));
    expect(() => messageOf(whole.subarray(0, whole.length - 9))).toThrow();
  });
});
