import { randomUUID } from 'node:crypto';
import type { ServerHttp2Stream } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import featuresStubs from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import gossipStubs from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import wireWords from '@eventstore/db-client/generated/shared_pb.js';
import grpcStatus from '@eventstore/db-client/generated/status_pb.js';
import streamsStubs from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import {
  Metadata,
  Server,
  status,
  type sendUnaryData,
  type ServerDuplexStream,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
} from '@grpc/grpc-js';
import anyMessage from 'google-protobuf/google/protobuf/any_pb.js';
import emptyMessage from 'google-protobuf/google/protobuf/empty_pb.js';
import type * as StreamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { Message } from 'google-protobuf';
import { credentialsOf, keepersOf, type Door } from './door.js';
import { Ledger, type Appended, type Expected, type Proposed, type Stored } from './ledger.js';
import { answerWrongVersion } from './wrong-version.js';
import { Wire } from './wire.js';

/** The position that servers up to 24.10.4 report where nothing matched: the end of everything, never to be stored. */
export const END_POSITION = 18446744073709551615n;
/** How many calls one connection carries at a time, as the real server allows. */
const CALLS_PER_CONNECTION = 100;
/** Messages of a subscription that may wait for the socket. */
const ON_THEIR_WAY_MAX = 64;
/** Beside a load everything takes longer. */
const HOLDS_WITHIN_MS = 240_000;
/** Most events that one page of a filtered subscription holds. */
const PAGE_MATCHES = 32;

export type Rpc = 'append' | 'batchAppend' | 'read' | 'subscribe' | 'tombstone' | 'delete' | 'features' | 'gossip';

/** How one call goes wrong. */
export type Fault =
  /** The work is done, the answer never comes. */
  | 'swallow-answer'
  /** The work is done, then every connection is cut instead of answering. */
  | 'cut-after'
  /** Nothing is done and nothing answered. */
  | 'hang'
  /** Answered as UNAVAILABLE without doing anything, as around start and stop. */
  | 'not-ready'
  /** The server gave up waiting for its own write: ABORTED, although the work was done. */
  | 'timeout-after'
  | 'unknown'
  /** Another node leads, at the same address here; nothing is done. */
  | 'not-leader'
  | { delayMs: number };

/** A node as gossip tells of it. */
export interface Member {
  port: number;
  state: 'leader' | 'follower' | 'unknown';
  alive: boolean;
}

/** What a node of a cluster knows of the others. */
export interface Membership {
  members(): Member[];
  /** Null while none is elected, or the one that was does not answer the others: then no write is taken. */
  leader(): ProtocolServer | null;
}

export interface ServerOptions extends Door {
  /** Where it keeps its events over a restart; default in memory. */
  file?: string;
  /** Default one that is free. */
  port?: number;
  /** The events of a cluster, which all its nodes have. */
  ledger?: Ledger;
  membership?: Membership;
}

/** A promise that others fulfil, again and again. */
class Signal {
  private waiting: (() => void)[] = [];
  next(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }
  raise(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/**
 * Speaks EventStoreDB's protocol as version 24.2.0 does, from memory or a file, and misbehaves when asked to. What it
 * answers is held to a recording of the real server (see recorded.spec.ts). Clients reach it through a wire that can be
 * cut; the port stays the same over restarts.
 */
export class ProtocolServer {
  readonly wire: Wire;
  readonly calls: Record<Rpc, number> = {
    append: 0,
    batchAppend: 0,
    read: 0,
    subscribe: 0,
    tombstone: 0,
    delete: 0,
    features: 0,
    gossip: 0,
  };
  /** Events that subscriptions were given, whether or not they have arrived. */
  eventsSent = 0;
  /** Events that reads of streams were given. */
  eventsRead = 0;
  /** Credentials that came with the last append, null where none did. */
  lastAuthorization: string | null = null;
  /** Every call is refused with "Server Is Not Ready". */
  notReady = false;
  /** So long a read of a stream takes, in ms, as on a server whose readers are busy. One of `$all` is answered at once. */
  streamReadsTakeMs = 0;
  /** Subscriptions report the end of everything where nothing matched before they went live. */
  reportsEndPosition = false;
  /** How often `caughtUp` is said. */
  caughtUpTimes = 1;
  ledger!: Ledger;

  private readonly faults = new Map<Rpc, Fault[]>();
  private readonly changed = new Signal();
  private readonly advanced = new Signal();
  private readonly open = new Set<object>();
  private readonly stalled = new WeakSet<object>();
  private grpc: Server | null = null;
  private innerPort = 0;

  /** Null where it stands alone. */
  private readonly membership: Membership | null;

  private constructor(private readonly options: ServerOptions) {
    this.membership = options.membership ?? null;
    this.wire = new Wire(() => this.innerPort, options.port);
  }

  static async start(options: ServerOptions = {}): Promise<ProtocolServer> {
    const server = new ProtocolServer(options);
    await server.boot(options.ledger ?? new Ledger(options.file));
    await server.wire.open();
    return server;
  }

  get openSubscriptions(): number {
    return this.open.size;
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.wire.port}?tls=false`;
  }

  /** The next calls of one kind go wrong, in this order. */
  next(rpc: Rpc, ...faults: Fault[]): void {
    this.faults.set(rpc, [...(this.faults.get(rpc) ?? []), ...faults]);
  }

  /** The subscriptions that are open now go quiet; new ones are served. With a number, only the oldest so many. */
  stallSubscriptions(most = Infinity): void {
    for (const call of [...this.open].slice(0, most)) this.stalled.add(call);
    this.advanced.raise();
  }

  /** Resolves as soon as something holds, looking whenever a call comes or goes. */
  async until(holds: () => boolean): Promise<void> {
    const [looking, deadline] = [new AbortController(), Date.now() + HOLDS_WITHIN_MS];
    try {
      while (!holds()) {
        if (Date.now() > deadline)
          throw new Error(`it did not hold within ${HOLDS_WITHIN_MS / 1000} s: ${String(holds)}`);
        const late = pause(1_000, undefined, { signal: looking.signal }).catch(() => undefined);
        await Promise.race([this.changed.next(), late]);
      }
    } finally {
      looking.abort();
    }
  }

  /** Dies as by SIGKILL. What was written stays. */
  async kill(): Promise<void> {
    await this.wire.refuse();
    this.wire.cut();
    this.grpc?.forceShutdown();
    this.grpc = null;
  }

  /** Comes back on the same port: from the file, or from what it holds in memory. */
  async restart(): Promise<void> {
    const { file } = this.options;
    await this.boot(file ? new Ledger(file) : this.ledger);
    await this.wire.open();
  }

  async stop(): Promise<void> {
    await this.kill();
    await this.wire.close();
  }

  private async boot(ledger: Ledger): Promise<void> {
    this.ledger = ledger;
    ledger.watch(() => this.advanced.raise());
    const grpc = new Server({
      'grpc.max_concurrent_streams': CALLS_PER_CONNECTION,
      'grpc.max_receive_message_length': 17 * 1024 * 1024,
      interceptors: keepersOf(this.options),
    });
    grpc.addService(featuresStubs.ServerFeaturesService, {
      getSupportedMethods: this.unary('features', () => supportedMethods()),
    });
    grpc.addService(gossipStubs.GossipService, { read: this.unary('gossip', () => this.cluster()) });
    grpc.addService(streamsStubs.StreamsService, {
      append: (
        call: ServerReadableStream<StreamsPb.AppendReq, StreamsPb.AppendResp>,
        answer: sendUnaryData<StreamsPb.AppendResp>,
      ) => this.append(call, answer),
      batchAppend: (call: ServerDuplexStream<StreamsPb.BatchAppendReq, StreamsPb.BatchAppendResp>) =>
        this.batchAppend(call),
      read: (call: ServerWritableStream<StreamsPb.ReadReq, StreamsPb.ReadResp>) => void this.read(call),
      delete: this.unary<StreamsPb.DeleteReq, StreamsPb.DeleteResp>('delete', (request) => {
        const { stream, expected } = targetOf(request.getOptions()!);
        return deletionAnswer(
          new streams.DeleteResp(),
          new streams.DeleteResp.Position(),
          stream,
          expected,
          this.ledger.delete(stream, expected),
        );
      }),
      tombstone: this.unary<StreamsPb.TombstoneReq, StreamsPb.TombstoneResp>('tombstone', (request) => {
        const { stream, expected } = targetOf(request.getOptions()!);
        return deletionAnswer(
          new streams.TombstoneResp(),
          new streams.TombstoneResp.Position(),
          stream,
          expected,
          this.ledger.tombstone(stream, expected),
        );
      }),
    });
    this.innerPort = await new Promise<number>((resolve, reject) =>
      grpc.bindAsync('127.0.0.1:0', credentialsOf(this.options), (error, port) =>
        error ? reject(error) : resolve(port),
      ),
    );
    this.grpc = grpc;
  }

  /** Counts a call; answered is how it goes wrong, where it does. */
  private arrived(rpc: Rpc, metadata?: Metadata, kind?: 'write' | 'read'): Fault | Failure | undefined {
    this.calls[rpc]++;
    this.changed.raise();
    if (this.notReady) return 'not-ready';
    return this.faults.get(rpc)?.shift() ?? (metadata && kind && this.refusedByCluster(metadata, kind));
  }

  /** What a node does that does not lead its cluster: hand the call to who does, or, so asked, say who that is. */
  private refusedByCluster(metadata: Metadata, kind: 'write' | 'read'): Fault | Failure | undefined {
    const leader = this.membership?.leader();
    if (leader === undefined || leader === this) return undefined;
    if (metadata.get('requires-leader')[0] === 'true') return leader ? notLeader(leader.wire.port) : 'not-ready';
    // Nothing comes back from a leader who does not answer.
    return kind === 'write' && !leader ? 'hang' : undefined;
  }

  /** Does the work as its fault allows; what it throws is the answer too. */
  private async served<R>(
    fault: Fault | Failure | undefined,
    work: () => R | Promise<R>,
    answer: (failure: Failure | null, result?: R) => void,
  ): Promise<void> {
    if (fault === 'hang') return;
    if (isFailure(fault)) return answer(fault);
    if (fault === 'not-ready') return answer(failure(status.UNAVAILABLE, 'Server Is Not Ready'));
    if (fault === 'unknown') return answer(failure(status.UNKNOWN, 'Exception was thrown by handler.'));
    if (fault === 'not-leader') return answer(notLeader(this.wire.port));
    if (typeof fault === 'object') await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
    let result: R;
    try {
      result = await work();
    } catch (thrown) {
      if (!isFailure(thrown)) throw thrown;
      return answer(thrown);
    } finally {
      this.changed.raise();
    }
    if (fault === 'swallow-answer') return;
    if (fault === 'cut-after') return this.wire.cut();
    if (fault === 'timeout-after') return answer(failure(status.ABORTED, 'Operation timed out'));
    answer(null, result);
  }

  private unary<Q, R>(rpc: Rpc, work: (request: Q) => R | Promise<R>) {
    return (call: ServerUnaryCall<Q, R>, answer: sendUnaryData<R>) =>
      void this.served(
        this.arrived(rpc, call.metadata, rpc === 'tombstone' || rpc === 'delete' ? 'write' : undefined),
        () => work(call.request),
        (refused, result) => answer(refused, result),
      );
  }

  private append(
    call: ServerReadableStream<StreamsPb.AppendReq, StreamsPb.AppendResp>,
    answer: sendUnaryData<StreamsPb.AppendResp>,
  ): void {
    const fault = this.arrived('append', call.metadata, 'write');
    this.lastAuthorization = (call.metadata.get('authorization')[0] as string | undefined) ?? null;
    let target: { stream: string; expected: Expected } | null = null;
    const events: Proposed[] = [];
    call.on('error', () => undefined);
    call.on('data', (request: StreamsPb.AppendReq) => {
      const message = request.getProposedMessage();
      if (message) events.push(proposed(message));
      else target = targetOf(request.getOptions()!);
    });
    call.on('end', () => {
      // A call that was taken back is none. One that is ended too early and only then taken back cannot be told from one
      // that is whole: what has arrived is stored, as a real server may do.
      if (!target || wasReset(call)) return;
      const { stream, expected } = target;
      void this.served(
        fault,
        () => {
          if (stream === '') throw failure(status.UNKNOWN, 'Exception was thrown by handler.');
          const outcome = this.ledger.append(stream, expected, events);
          const response = new streams.AppendResp();
          switch (outcome.outcome) {
            case 'deleted':
              throw streamDeleted(stream);
            case 'too-big':
              throw failure(status.INVALID_ARGUMENT, `Maximum Append Size of ${outcome.most} Exceeded.`, {
                exception: 'maximum-append-size-exceeded',
                'maximum-append-size': `${outcome.most}`,
              });
            case 'wrong-version':
              return answerWrongVersion(outcome.current, expected);
            case 'success': {
              const success = new streams.AppendResp.Success();
              if (outcome.revision === null) success.setNoStream(new wireWords.Empty());
              else success.setCurrentRevision(`${outcome.revision}`);
              if (outcome.position === null) success.setNoPosition(new wireWords.Empty());
              else success.setPosition(positioned(new streams.AppendResp.Position(), outcome.position));
              return this.ledger.visibleSoFar().then(() => response.setSuccess(success));
            }
          }
        },
        (refused, response) => answer(refused, response),
      );
    });
  }

  private batchAppend(call: ServerDuplexStream<StreamsPb.BatchAppendReq, StreamsPb.BatchAppendResp>): void {
    const pending = new Map<string, { options: StreamsPb.BatchAppendReq.Options; events: Proposed[] }>();
    call.on('error', () => undefined);
    call.on('end', () => call.end());
    call.on('data', (request: StreamsPb.BatchAppendReq) => {
      const id = request.getCorrelationId()!;
      const entry = pending.get(id.getString()) ?? { options: request.getOptions()!, events: [] };
      pending.set(id.getString(), entry);
      entry.events.push(...request.getProposedMessagesList().map(proposed));
      if (!request.getIsFinal()) return;
      pending.delete(id.getString());
      const { stream, expected } = batchTargetOf(entry.options);
      const response = new streams.BatchAppendResp().setCorrelationId(id);
      void this.served(
        this.arrived('batchAppend', call.metadata, 'write'),
        () => {
          response.setStreamIdentifier(entry.options.getStreamIdentifier());
          const deadline = entry.options.getDeadline();
          if (deadline && deadline.toDate().getTime() < Date.now())
            return response.setError(packed(4, 'Timeout', 'Timeout', new wireWords.Timeout()));
          const outcome = this.ledger.append(stream, expected, entry.events);
          const answered = batchAnswer(response, entry.options, stream, outcome);
          return outcome.outcome === 'success' ? this.ledger.visibleSoFar().then(() => answered) : answered;
        },
        (refused, answered) => (refused ? call.emit('error', refused) : call.write(answered!)),
      );
    });
  }

  private async read(call: ServerWritableStream<StreamsPb.ReadReq, StreamsPb.ReadResp>): Promise<void> {
    const options = call.request.getOptions()!;
    const isSubscription = options.hasSubscription();
    call.on('error', () => undefined);
    const fault = this.arrived(isSubscription ? 'subscribe' : 'read', call.metadata, 'read');
    const isSlow = !isSubscription && options.hasStream() && this.streamReadsTakeMs > 0;
    await this.served(
      fault ?? (isSlow ? { delayMs: this.streamReadsTakeMs } : undefined),
      () => (isSubscription ? null : options.hasStream() ? this.readStream(options) : this.readAll(options)),
      (refused, responses) => {
        if (refused) return call.emit('error', refused);
        if (responses) {
          for (const response of responses) call.write(response);
          return call.end();
        }
        void this.subscription(call, options).catch((thrown: unknown) => call.emit('error', thrown as Error));
      },
    );
  }

  private readStream(options: StreamsPb.ReadReq.Options): StreamsPb.ReadResp[] {
    const { stream, count } = {
      stream: nameOf(options.getStream()!.getStreamIdentifier()!),
      count: Number(options.getCount()),
    };
    const forwards = options.getReadDirection() === 0;
    if (count === 0 || (forwards && options.getStream()!.hasEnd()))
      throw failure(status.UNKNOWN, 'Unexpected ReadStreamResult: Error');
    const held = this.ledger.visible(stream);
    if (held === 'deleted') throw streamDeleted(stream);
    if (held === 'not-found')
      return [
        new streams.ReadResp().setStreamNotFound(
          new streams.ReadResp.StreamNotFound().setStreamIdentifier(options.getStream()!.getStreamIdentifier()),
        ),
      ];
    const from = options.getStream()!.hasRevision()
      ? BigInt(options.getStream()!.getRevision())
      : forwards
        ? 0n
        : held.last;
    const events = forwards
      ? held.events.filter((event) => event.revision >= from).slice(0, count)
      : held.events
          .filter((event) => event.revision <= from)
          .reverse()
          .slice(0, count);
    this.eventsRead += events.length;
    const responses = events.map(eventResponse);
    if (forwards && events.length === 0)
      responses.push(new streams.ReadResp().setFirstStreamPosition(`${held.last + 1n}`));
    return [...responses, new streams.ReadResp().setLastStreamPosition(`${held.last}`)];
  }

  private readAll(options: StreamsPb.ReadReq.Options): StreamsPb.ReadResp[] {
    const all = options.getAll()!;
    const count = Number(options.getCount());
    const matches = filterOf(options);
    const forwards = options.getReadDirection() === 0;
    const from = all.hasPosition() ? this.startOf(all) : null;
    const events: Stored[] = [];
    if (forwards)
      for (
        let i = all.hasEnd() ? this.ledger.all.length : from === null ? 0 : this.ledger.indexOf(from);
        i < this.ledger.all.length && events.length < count;
        i++
      )
        pushIf(this.ledger.all[i]!);
    else
      for (
        let i = (all.hasEnd() || from === null ? this.ledger.all.length : this.ledger.indexOf(from)) - 1;
        i >= 0 && events.length < count;
        i--
      )
        pushIf(this.ledger.all[i]!);
    function pushIf(event: Stored): void {
      if (matches(event)) events.push(event);
    }
    return events.map(eventResponse);
  }

  private startOf(all: StreamsPb.ReadReq.Options.AllOptions): bigint {
    const position = BigInt(all.getPosition()!.getCommitPosition());
    if (!this.ledger.isBoundary(position)) throw failure(status.INVALID_ARGUMENT, `Invalid position ${position}`);
    return position;
  }

  /** Runs until the client goes. One loop reads the log by index: first what is there, then what comes. */
  private async subscription(
    call: ServerWritableStream<StreamsPb.ReadReq, StreamsPb.ReadResp>,
    options: StreamsPb.ReadReq.Options,
  ): Promise<void> {
    let cancelled = false;
    const gone = new Promise<void>((resolve) =>
      call.on('cancelled', () => {
        cancelled = true;
        this.open.delete(call);
        this.changed.raise();
        resolve();
      }),
    );
    // By `write` each message would wait until the one before has left: one event in each turn of the event loop, however
    // many there are. The real server sends them together.
    const { call: under } = call as unknown as Sending;
    let onTheirWay = 0;
    let hasRoom: () => void = () => undefined;
    const send = async (response: StreamsPb.ReadResp): Promise<void> => {
      if (cancelled) return;
      onTheirWay++;
      under.sendMessage(response, () => {
        onTheirWay--;
        hasRoom();
      });
      if (onTheirWay >= ON_THEIR_WAY_MAX)
        await Promise.race([new Promise<void>((resolve) => (hasRoom = resolve)), gone]);
    };
    const all = options.getAll();
    const single = options.getStream();
    const after = all?.hasPosition() ? this.startOf(all) : -1n;
    this.open.add(call);
    this.changed.raise();
    await send(
      new streams.ReadResp().setConfirmation(
        new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID()),
      ),
    );

    const ledger = this.ledger;
    const filter = options.getFilter();
    const window = filter ? filter.getMax() || 32 : PAGE_MATCHES;
    const interval = window * (filter?.getCheckpointintervalmultiplier() ?? 1);
    const afterRevision = single?.hasRevision() ? BigInt(single.getRevision()) : -1n;
    const matches = single
      ? (event: Stored) => event.stream === nameOf(single.getStreamIdentifier()!) && event.revision > afterRevision
      : filterOf(options);
    let next = (all ?? single)!.hasEnd() ? ledger.all.length : after < 0n ? 0 : ledger.indexOf(after);
    let considered = 0;
    let delivered = -1n;
    let checkpoint = -1n;
    const sendCheckpoint = async (commit: bigint, prepare: bigint): Promise<void> => {
      if (!filter) return;
      checkpoint = commit;
      await send(
        new streams.ReadResp().setCheckpoint(
          new streams.ReadResp.Checkpoint().setCommitPosition(`${commit}`).setPreparePosition(`${prepare}`),
        ),
      );
    };

    // Page by page, as the real one does: where nothing of a page matched, its checkpoint is where the page began.
    while (!cancelled && next < ledger.all.length) {
      if (this.stalled.has(call)) return gone;
      const begin = next === 0 ? 0n : ledger.all[next]!.position;
      let reached: bigint | null = null;
      let matched = 0;
      for (
        let looked = 0;
        looked < window && matched < PAGE_MATCHES && next < ledger.all.length && !cancelled;
        looked++, considered++, next++
      ) {
        const event = ledger.all[next]!;
        if (event.position <= after || !matches(event)) continue;
        matched++;
        delivered = reached = event.position;
        this.eventsSent++;
        await send(eventResponse(event));
      }
      if (considered < interval) continue;
      considered %= interval;
      await sendCheckpoint(reached ?? begin, reached ?? 0n);
    }
    if (delivered > checkpoint) await sendCheckpoint(delivered, delivered);
    else if (this.reportsEndPosition && delivered < 0n) await sendCheckpoint(END_POSITION, END_POSITION);
    for (let said = 0; said < this.caughtUpTimes; said++)
      await send(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()));

    for (considered = 0; !cancelled;) {
      if (this.stalled.has(call)) return gone;
      const event = ledger.all[next];
      if (!event) {
        await Promise.race([this.advanced.next(), gone]);
        continue;
      }
      next++;
      if (event.position <= after) continue;
      if (matches(event)) await send(eventResponse(event));
      if (++considered >= interval) {
        considered = 0;
        await sendCheckpoint(event.position, event.position);
      }
    }
  }

  private cluster(): InstanceType<typeof gossip.ClusterInfo> {
    const alone: Member = { port: this.wire.port, state: 'leader', alive: true };
    return new gossip.ClusterInfo().setMembersList((this.membership?.members() ?? [alone]).map(memberInfo));
  }
}

/** What a writable call writes to. `sent` is called when a message has left; never where the client has gone. */
interface Sending {
  call: { sendMessage(message: StreamsPb.ReadResp, sent: () => void): void };
}

const STATES = {
  leader: gossip.MemberInfo.VNodeState.LEADER,
  follower: gossip.MemberInfo.VNodeState.FOLLOWER,
  unknown: gossip.MemberInfo.VNodeState.UNKNOWN,
};

function memberInfo({ port, state, alive }: Member, nth: number): InstanceType<typeof gossip.MemberInfo> {
  const id = new wireWords.UUID().setStructured(
    new wireWords.UUID.Structured()
      .setMostSignificantBits(`${-7124867957519268650n + BigInt(nth)}`)
      .setLeastSignificantBits('-4798472509096343581'),
  );
  return new gossip.MemberInfo()
    .setInstanceId(id)
    .setTimeStamp(`${BigInt(Date.now()) * TICKS}`)
    .setState(STATES[state])
    .setIsAlive(alive)
    .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(port));
}

/**
 * Whether a client gave up. Node.js lets what came until then end as if it were all, and gRPC tells of it only later;
 * the stream below knows.
 */
function wasReset(call: object): boolean {
  let inner = (call as { call: { nextCall?: never; stream?: ServerHttp2Stream } }).call;
  while (inner.nextCall) inner = inner.nextCall;
  return inner.stream!.rstCode !== undefined && inner.stream!.rstCode !== 0;
}

const TICKS = 10_000n;

interface Failure extends Error {
  code: number;
  details: string;
  metadata: Metadata;
}
const isFailure = (thrown: unknown): thrown is Failure => thrown instanceof Error && 'details' in thrown;
function failure(code: number, details: string, trailers: Record<string, string> = {}): Failure {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return Object.assign(new Error(details), { code, details, metadata });
}
const streamDeleted = (stream: string): Failure =>
  failure(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

const notLeader = (leaderPort: number): Failure =>
  failure(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': '127.0.0.1',
    'leader-endpoint-port': `${leaderPort}`,
  });

const nameOf = (identifier: { getStreamName_asU8(): Uint8Array }): string =>
  Buffer.from(identifier.getStreamName_asU8()).toString('utf8');

function targetOf(
  options: StreamsPb.AppendReq.Options | StreamsPb.DeleteReq.Options | StreamsPb.TombstoneReq.Options,
): { stream: string; expected: Expected } {
  const stream = nameOf(options.getStreamIdentifier()!);
  const expected: Expected = options.hasAny()
    ? 'any'
    : options.hasNoStream()
      ? 'no-stream'
      : options.hasStreamExists()
        ? 'exists'
        : BigInt(options.getRevision());
  return { stream, expected };
}
function batchTargetOf(options: StreamsPb.BatchAppendReq.Options): { stream: string; expected: Expected } {
  const stream = nameOf(options.getStreamIdentifier()!);
  const expected: Expected = options.hasAny()
    ? 'any'
    : options.hasNoStream()
      ? 'no-stream'
      : options.hasStreamExists()
        ? 'exists'
        : BigInt(options.getStreamPosition());
  return { stream, expected };
}

function proposed(message: StreamsPb.AppendReq.ProposedMessage | StreamsPb.BatchAppendReq.ProposedMessage): Proposed {
  const named = message.getMetadataMap();
  return {
    id: message.getId()!.getString(),
    type: named.get('type')!,
    contentType: named.get('content-type')!,
    data: Buffer.from(message.getData_asU8()),
    metadata: Buffer.from(message.getCustomMetadata_asU8()),
  };
}

function positioned<
  P extends { setCommitPosition(value: string): unknown; setPreparePosition(value: string): unknown },
>(to: P, position: bigint): P {
  to.setCommitPosition(`${position}`);
  to.setPreparePosition(`${position}`);
  return to;
}

function deletionAnswer<
  R extends { setPosition(value?: P): unknown },
  P extends { setCommitPosition(value: string): unknown; setPreparePosition(value: string): unknown },
>(response: R, position: P, stream: string, expected: Expected, outcome: Appended): R {
  if (outcome.outcome === 'deleted') throw streamDeleted(stream);
  if (outcome.outcome !== 'success') {
    const current = outcome.outcome === 'wrong-version' ? (outcome.current ?? -1n) : -1n;
    const wanted = { any: -2n, 'no-stream': -1n, exists: -4n }[expected as 'any'] ?? expected;
    throw failure(
      status.FAILED_PRECONDITION,
      `Delete failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${wanted}, Actual version: ${current}`,
      {
        exception: 'wrong-expected-version',
        'stream-name': stream,
        'expected-version': `${wanted}`,
        'actual-version': `${current}`,
      },
    );
  }
  response.setPosition(positioned(position, outcome.position!));
  return response;
}

function packed(code: number, message: string, type: string, details: Message): InstanceType<typeof grpcStatus.Status> {
  const any = new anyMessage.Any();
  any.setTypeUrl(`type.googleapis.com/event_store.client.${type}`);
  any.setValue(details.serializeBinary());
  return new grpcStatus.Status().setCode(code).setMessage(message).setDetails(any);
}

function batchAnswer(
  response: StreamsPb.BatchAppendResp,
  options: StreamsPb.BatchAppendReq.Options,
  stream: string,
  outcome: Appended,
): StreamsPb.BatchAppendResp {
  switch (outcome.outcome) {
    case 'deleted': {
      const identifier = new wireWords.StreamIdentifier().setStreamName(Buffer.from(stream));
      return response.setError(
        packed(5, 'StreamDeleted', 'StreamDeleted', new wireWords.StreamDeleted().setStreamIdentifier(identifier)),
      );
    }
    case 'too-big':
      return response.setError(
        packed(
          3,
          'MaximumAppendSizeExceeded',
          'MaximumAppendSizeExceeded',
          new wireWords.MaximumAppendSizeExceeded().setMaxappendsize(outcome.most),
        ),
      );
    case 'wrong-version': {
      const wrong = new wireWords.WrongExpectedVersion();
      if (outcome.current === null) wrong.setCurrentNoStream(new emptyMessage.Empty());
      else wrong.setCurrentStreamRevision(`${outcome.current}`);
      if (options.hasNoStream()) wrong.setExpectedNoStream(new emptyMessage.Empty());
      else if (options.hasAny()) wrong.setExpectedAny(new emptyMessage.Empty());
      else if (options.hasStreamExists()) wrong.setExpectedStreamExists(new emptyMessage.Empty());
      else wrong.setExpectedStreamPosition(options.getStreamPosition());
      return response.setError(packed(6, 'WrongExpectedVersion', 'WrongExpectedVersion', wrong));
    }
    case 'success': {
      const success = new streams.BatchAppendResp.Success();
      if (outcome.revision === null) success.setNoStream(new emptyMessage.Empty());
      else success.setCurrentRevision(`${outcome.revision}`);
      if (outcome.position === null) success.setNoPosition(new emptyMessage.Empty());
      else success.setPosition(positioned(new wireWords.AllStreamPosition(), outcome.position));
      return response.setSuccess(success);
    }
  }
}

function eventResponse(event: Stored): StreamsPb.ReadResp {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new wireWords.UUID().setString(event.id))
    .setStreamIdentifier(new wireWords.StreamIdentifier().setStreamName(Buffer.from(event.stream)))
    .setStreamRevision(`${event.revision}`)
    .setPreparePosition(`${event.position}`)
    .setCommitPosition(`${event.position}`)
    .setData(event.data)
    .setCustomMetadata(event.metadata);
  recorded
    .getMetadataMap()
    .set('type', event.type)
    .set('created', `${event.created}`)
    .set('content-type', event.contentType);
  return new streams.ReadResp().setEvent(
    new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(`${event.position}`),
  );
}

function filterOf(options: StreamsPb.ReadReq.Options): (event: Stored) => boolean {
  const filter = options.getFilter();
  if (!filter) return () => true;
  const expression = filter.getStreamIdentifier() ?? filter.getEventType()!;
  const text = filter.hasStreamIdentifier() ? (event: Stored) => event.stream : (event: Stored) => event.type;
  const prefixes = expression.getPrefixList();
  const regex = new RegExp(expression.getRegex());
  return prefixes.length > 0
    ? (event) => prefixes.some((prefix) => text(event).startsWith(prefix))
    : (event) => regex.test(text(event));
}

/** What 24.2.0 lists; the client looks for batchAppend. */
function supportedMethods(): InstanceType<typeof features.SupportedMethods> {
  const listed: [service: string, methods: string[], has?: string[]][] = [
    [
      'persistent_subscriptions.persistentsubscriptions',
      ['create', 'update', 'delete', 'read', 'getinfo', 'replayparked', 'list', 'restartsubsystem'],
      ['stream', 'all'],
    ],
    ['users.users', ['create', 'update', 'delete', 'disable', 'enable', 'details', 'changepassword', 'resetpassword']],
    ['streams.streams', ['read'], ['position', 'events']],
    ['streams.streams', ['append', 'delete', 'tombstone']],
    ['streams.streams', ['batchappend'], ['deadline_duration']],
    [
      'operations.operations',
      [
        'startscavenge',
        'stopscavenge',
        'shutdown',
        'mergeindexes',
        'resignnode',
        'setnodepriority',
        'restartpersistentsubscriptions',
      ],
    ],
    ['gossip.gossip', ['read']],
    ['monitoring.monitoring', ['stats']],
    ['server_features.serverfeatures', ['getsupportedmethods']],
    ['redaction.redaction', ['geteventpositions', 'switchchunks']],
  ];
  const methods = listed.flatMap(([service, names, has = []]) =>
    names.map((name) =>
      new features.SupportedMethod()
        .setServiceName(`event_store.client.${service}`)
        .setMethodName(name)
        .setFeaturesList(has),
    ),
  );
  return new features.SupportedMethods().setMethodsList(methods).setEventStoreServerVersion('24.2.0');
}
