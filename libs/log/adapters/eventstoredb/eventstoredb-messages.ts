import type { Position } from '../../../kernel/index.js';
import { ProtobufWire } from './protobuf-wire.js';

/** An event as the server keeps it. Data and metadata are the stored bytes, read as UTF-8. */
export interface KeptEvent {
  streamId: string;
  revision: number;
  position: Position;
  id: string;
  type: string;
  data: string;
  metadata: string;
}

/** A message of the server to a subscription. */
export type Message =
  | { tells: 'event'; event: KeptEvent }
  | { tells: 'checkpoint'; position: Position }
  | { tells: 'confirmation' | 'caught up' | 'something else' };

/** Field numbers from the client's `streams.proto` and `shared.proto`. */
const RESPONSE = { event: 1, confirmation: 2, checkpoint: 3, caughtUp: 8 } as const;
const READ_EVENT = { event: 1 } as const;
const RECORDED = { id: 1, stream: 2, revision: 3, commit: 5, described: 6, metadata: 7, data: 8 } as const;
const CHECKPOINT = { commit: 1 } as const;
const UUID = { text: 2 } as const;
const STREAM = { name: 3 } as const;
const ENTRY = { key: 1, value: 2 } as const;

/**
 * Decodes a `ReadResp`. The client's own decoder makes four objects of an event, each with arrays of its fields, copies
 * the bytes twice and parses both texts. It takes 15 µs for each event of a subscription, and this takes 1.
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
  // Protobuf leaves out fields that are 0 or empty.
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
        // A tombstone has the largest revision; a number holds it nearly.
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

/** Reads one entry of the server's own metadata of an event, of which only the type is needed. */
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
