import type { Position } from '../../../kernel/index.js';
import { ProtobufWire } from './protobuf-wire.js';

/** An event as the server keeps it. Data and metadata are whatever bytes were stored, read as UTF-8. */
export interface KeptEvent {
  streamId: string;
  revision: number;
  position: Position;
  id: string;
  type: string;
  data: string;
  metadata: string;
}

/** What the server tells a subscription. */
export type Message =
  | { tells: 'event'; event: KeptEvent }
  | { tells: 'checkpoint'; position: Position }
  | { tells: 'confirmation' | 'caught up' | 'something else' };

/** Numbers of the fields that are read, as `streams.proto` and `shared.proto` of the client have them. */
const RESPONSE = { event: 1, confirmation: 2, checkpoint: 3, caughtUp: 8 } as const;
const READ_EVENT = { event: 1 } as const;
const RECORDED = { id: 1, stream: 2, revision: 3, commit: 5, described: 6, metadata: 7, data: 8 } as const;
const CHECKPOINT = { commit: 1 } as const;
const UUID = { text: 2 } as const;
const STREAM = { name: 3 } as const;
const ENTRY = { key: 1, value: 2 } as const;

/**
 * Reads a `ReadResp` off the wire. The client's own way makes four objects of an event, each with arrays of its fields,
 * copies its bytes twice and parses both texts: 15 µs where this takes 1, for every event that a subscription is sent.
 */
export function messageOf(bytes: Buffer): Message {
  const response = new ProtobufWire(bytes);
  let message: Message = { tells: 'something else' };
  for (let field; (field = response.next());) {
    if (field === RESPONSE.event) message = { tells: 'event', event: eventOf(response.message()) };
    else if (field === RESPONSE.checkpoint) message = { tells: 'checkpoint', position: commitOf(response.message()) };
    else {
      if (field === RESPONSE.confirmation) message = { tells: 'confirmation' };
      else if (field === RESPONSE.caughtUp) message = { tells: 'caught up' };
      response.skip();
    }
  }
  return message;
}

function eventOf(read: ProtobufWire): KeptEvent {
  // What is 0 or empty is not on the wire.
  const event = { streamId: '', revision: 0, position: 0n, id: '', type: '', data: '', metadata: '' };
  for (let field; (field = read.next());)
    if (field === READ_EVENT.event) fill(event, read.message());
    else read.skip();
  return event;
}

function fill(event: KeptEvent, recorded: ProtobufWire): void {
  for (let field; (field = recorded.next());)
    switch (field) {
      case RECORDED.id:
        event.id = textOf(recorded.message(), UUID.text);
        break;
      case RECORDED.stream:
        event.streamId = textOf(recorded.message(), STREAM.name);
        break;
      case RECORDED.revision:
        // A tombstone has the largest that there is, which a number holds nearly.
        event.revision = Number(recorded.uint64());
        break;
      case RECORDED.commit:
        event.position = recorded.uint64();
        break;
      case RECORDED.described:
        describe(event, recorded.message());
        break;
      case RECORDED.metadata:
        event.metadata = recorded.text();
        break;
      case RECORDED.data:
        event.data = recorded.text();
        break;
      default:
        recorded.skip();
    }
}

/** An entry of what the server itself says of an event: of that only the type is wanted. */
function describe(event: KeptEvent, entry: ProtobufWire): void {
  let key = '';
  for (let field; (field = entry.next());)
    if (field === ENTRY.key) key = entry.text();
    else if (field === ENTRY.value && key === 'type') event.type = entry.text();
    else entry.skip();
}

function textOf(message: ProtobufWire, wanted: number): string {
  let text = '';
  for (let field; (field = message.next());)
    if (field === wanted) text = message.text();
    else message.skip();
  return text;
}

function commitOf(checkpoint: ProtobufWire): Position {
  let position: Position = 0n;
  for (let field; (field = checkpoint.next());)
    if (field === CHECKPOINT.commit) position = checkpoint.uint64();
    else checkpoint.skip();
  return position;
}
