import type { Door } from './door.js';
import { Ledger } from './ledger.js';
import { ProtocolServer, type Member } from './protocol-server.js';

/**
 * Nodes that speak EventStoreDB's protocol and tell of each other by gossip. They hold the same events at any moment:
 * what replication may lose or delay is not played here. What is: a leader that freezes, the time in which the others
 * still name it or name none, and the election of another. When each of these comes is for the test to say.
 */
export class ProtocolCluster {
  readonly nodes: ProtocolServer[] = [];
  private leading = 0;
  private readonly frozen = new Set<ProtocolServer>();
  /** Nodes that gossip tells dead. */
  private readonly missed = new Set<ProtocolServer>();

  private constructor(readonly ledger: Ledger) {}

  static async start(size = 3, door: Door = {}): Promise<ProtocolCluster> {
    const cluster = new ProtocolCluster(new Ledger());
    const membership = { members: () => cluster.members(), leader: () => cluster.answeringLeader() };
    for (let i = 0; i < size; i++)
      cluster.nodes.push(await ProtocolServer.start({ ledger: cluster.ledger, membership, ...door }));
    return cluster;
  }

  get leader(): ProtocolServer {
    return this.nodes[this.leading]!;
  }

  /** All nodes by their addresses. */
  get url(): string {
    return `esdb://${this.nodes.map(({ wire }) => `127.0.0.1:${wire.port}`).join(',')}?tls=false`;
  }

  /** One address, the last node's, from which the others are found. */
  get discoverUrl(): string {
    return `esdb+discover://127.0.0.1:${this.nodes.at(-1)!.wire.port}?tls=false`;
  }

  /** The leader stands still, as a stopped process or behind a wire that swallows: its connections stay open. */
  freezeLeader(): ProtocolServer {
    const { leader } = this;
    leader.wire.freeze();
    this.frozen.add(leader);
    return leader;
  }

  /** Gossip tells that the leader is dead; none is elected yet. A real cluster is there after some 2 s. */
  missLeader(): void {
    this.missed.add(this.leader);
  }

  /** The next node that is alive leads. A real cluster is there after some 5 s. */
  elect(): ProtocolServer {
    this.missed.add(this.leader);
    do this.leading = (this.leading + 1) % this.nodes.length;
    while (this.frozen.has(this.leader));
    return this.leader;
  }

  /** A node that was frozen comes to itself: it was deposed, ends, is started again by its operator, and follows. */
  async wake(node: ProtocolServer): Promise<void> {
    await node.kill();
    node.wire.thaw();
    this.frozen.delete(node);
    this.missed.delete(node);
    await node.restart();
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
  }

  private members(): Member[] {
    return this.nodes.map((node) => {
      const alive = !this.missed.has(node);
      return { port: node.wire.port, state: !alive ? 'unknown' : node === this.leader ? 'leader' : 'follower', alive };
    });
  }

  private answeringLeader(): ProtocolServer | null {
    return this.frozen.has(this.leader) || this.missed.has(this.leader) ? null : this.leader;
  }
}
