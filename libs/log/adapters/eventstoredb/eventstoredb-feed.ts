import type { Credentials, EventStoreDBClient } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import stubs, { type StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { BEGINNING, type Position } from '../../../kernel/index.js';
import { END_OF_ALL } from './eventstoredb-events.js';
import { messageOf, type KeptEvent, type Message } from './eventstoredb-messages.js';

/**
 * Events that the server passes between two checkpoints. With fewer it is slower to catch up past unwanted events: half a
 * second in 270,000 at its default of 32. With more, subscriptions that want few events read the log themselves while
 * others write, which costs the server far more than a checkpoint. With 64 they no longer do from 128 events a second on.
 */
const SEARCH_WINDOW = 64;
/** Every type but the server's own. */
const NO_SYSTEM_EVENTS = '^[^$].*';

export interface FeedOptions {
  /** Exclusive. */
  after: Position;
  /** Of the names of streams as they are on the server; none: everything but the server's own events. */
  prefixes: readonly string[];
  credentials: { credentials?: Credentials };
  /** Most events of one `take`. Twice as many wait on this side; then the server has to wait. */
  batchSize: number;
}

/** Callbacks of a feed. */
export interface FeedListener {
  /** A message of any kind came. */
  heard(): void;
  confirmed(): void;
  /** The first event after an empty feed came, a whole batch is there, a checkpoint came, or the feed has caught up. */
  wake(): void;
  /** The feed has ended. May be called several times. */
  ended(by: Error): void;
}

/** `$all` from a position on, filtered by the server, over one connection. Ends when the connection fails. */
export class Feed {
  /** Whether the server has sent all that was in the log at the beginning. Decides only how long batches may gather. */
  hasCaughtUp = false;
  /** The server has passed all events up to here, and every wanted one has arrived. */
  checkpoint: Position = BEGINNING;
  private readonly arrived: KeptEvent[] = [];
  private stream: MessageStream | null = null;
  private cancelled = false;

  constructor(
    client: EventStoreDBClient,
    private readonly options: FeedOptions,
    private readonly listener: FeedListener,
  ) {
    this.open(client).catch((error: Error) => listener.ended(error));
  }

  /** Whether a whole batch has arrived. */
  get hasBatch(): boolean {
    return this.arrived.length >= this.options.batchSize;
  }

  get isEmpty(): boolean {
    return this.arrived.length === 0;
  }

  /** What has arrived, the oldest first. */
  take(): KeptEvent[] {
    const taken = this.arrived.splice(0, this.options.batchSize);
    if (this.stream?.isPaused()) this.stream.resume();
    return taken;
  }

  cancel(): void {
    this.cancelled = true;
    const { stream } = this;
    // Not within a callback of the call itself: https://github.com/grpc/grpc-node/issues/1652
    setImmediate(() => stream?.cancel());
  }

  private async open(client: EventStoreDBClient): Promise<void> {
    const { options, listener } = this;
    const stream = await streamOf(client, requestOf(options), options.credentials);
    this.stream = stream;
    stream.on('error', (error) => listener.ended(error));
    stream.on('end', () => listener.ended(new Error('the subscription ended')));
    stream.on('close', () => listener.ended(new Error('the subscription was closed')));
    stream.on('data', (message) => this.receive(message));
    if (this.cancelled) this.cancel();
  }

  private receive(message: Message): void {
    if (this.cancelled) return;
    const { listener } = this;
    listener.heard();
    switch (message.tells) {
      case 'event':
        this.arrived.push(message.event);
        if (this.arrived.length === 2 * this.options.batchSize) this.stream!.pause();
        if (this.arrived.length === 1 || this.arrived.length === this.options.batchSize) listener.wake();
        break;
      case 'checkpoint':
        if (message.position === END_OF_ALL || message.position <= this.checkpoint) break;
        this.checkpoint = message.position;
        listener.wake();
        break;
      case 'confirmation':
        listener.confirmed();
        break;
      case 'caught up':
        this.hasCaughtUp = true;
        listener.wake();
        break;
      case 'something else':
    }
  }
}

type CallMetadata = NonNullable<Parameters<StreamsClient['read']>[1]>;
type CallOptions = NonNullable<Parameters<StreamsClient['read']>[2]>;

interface MessageStream {
  on(event: 'data', listener: (message: Message) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  isPaused(): boolean;
  pause(): unknown;
  resume(): unknown;
  cancel(): void;
}

/** Opens the call on the client's own connection, with its credentials and deadlines. */
function streamOf(
  client: EventStoreDBClient,
  request: InstanceType<typeof streams.ReadReq>,
  credentials: { credentials?: Credentials },
): Promise<MessageStream> {
  const { path, requestSerialize } = stubs.StreamsService.read;
  const inside = client as unknown as ClientInside;
  const [metadata, callOptions] = inside.callArguments(credentials, { deadline: Infinity });
  const call = (stub: StreamsClient): MessageStream =>
    stub.makeServerStreamRequest(path, requestSerialize, messageOf, request, metadata, callOptions) as MessageStream;
  return inside.GRPCStreamCreator(stubs.StreamsClient, 'subscribe', call)();
}

/** Members of the client that its types hide. Its public calls decode every message in their own, slower way. */
interface ClientInside {
  callArguments(own: { credentials?: Credentials }, options: { deadline: number }): [CallMetadata, CallOptions];
  GRPCStreamCreator(
    stub: typeof StreamsClient,
    name: string,
    call: (stub: StreamsClient) => MessageStream,
  ): () => Promise<MessageStream>;
}

function requestOf({ after, prefixes }: FeedOptions): InstanceType<typeof streams.ReadReq> {
  const { Options } = streams.ReadReq;
  const all = new Options.AllOptions();
  const position = `${after}`;
  if (after < 0n) all.setStart(new shared.Empty());
  else all.setPosition(new Options.Position().setCommitPosition(position).setPreparePosition(position));
  const filter = new Options.FilterOptions().setMax(SEARCH_WINDOW).setCheckpointintervalmultiplier(1);
  const expression = new Options.FilterOptions.Expression();
  if (prefixes.length > 0) filter.setStreamIdentifier(expression.setPrefixList([...prefixes]));
  else filter.setEventType(expression.setRegex(NO_SYSTEM_EVENTS));
  return new streams.ReadReq().setOptions(
    new Options()
      .setAll(all)
      .setSubscription(new Options.SubscriptionOptions())
      .setFilter(filter)
      .setUuidOption(new Options.UUIDOption().setString(new shared.Empty())),
  );
}
