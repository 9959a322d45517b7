import type { Codec } from '../../streams/codec.js';
import { FollowedProjection } from '../../following/projections/followed-projection.js';
import type { Follower } from '../../following/follower.js';
import type { EventLog } from '../../log/port.js';
import { BEGINNING, type Position } from '../../kernel/index.js';
import type { Queries } from '../../engines/database/database.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import type { SiteEvent } from '../events.js';
import { siteStateProjection, type ProjectedSite } from './site-projection.js';
import { originsListed, type KeyState, type SiteState } from '../state.js';

/** How far behind the log the directory may be before it says so: a revocation must hold everywhere within this. */
export { STALE_AFTER_MS } from '../../following/follower.js';

/** Longest look into the log for what another instance may have written a moment ago. */
const LOOK_WITHIN_MS = 250;
/**
 * The same before something is called unknown. EventStoreDB needs half a second to tell that nothing of what is followed
 * came; a request is refused within two.
 */
const SURE_WITHIN_MS = 1_500;

export interface KnownKey {
  key: KeyState;
  site: SiteState;
}

export interface KeyDirectoryOptions {
  /** Where the rows of `read.site_state` are; absent: all is read from the log. */
  rows?: Queries | undefined;
  /** A clock that is never set, in ms. */
  nowMs?: () => number;
}

/**
 * Every site and key in memory: an operator made each of them by hand and a site has at most 200 live keys, so some
 * megabytes hold them all. It begins with the rows of `read.site_state` and follows the log from there.
 *
 * It follows the log, normally milliseconds behind. While the log cannot be reached nothing can be revoked either, yet
 * a revocation made just before may be missing: keys are still served, and `staleForMs` tells readiness.
 *
 * There is no notice of revocations through Redis: the log itself pushes, and another instance refuses a revoked key
 * 6 ms (median; 25 ms at most of 30, busy machine) after the one that revoked it answers, and up to 25 ms later where
 * others write all the time to a log in Postgres. A notice could only say "look at the log" so much sooner, and where the
 * push is lost the log is looked at every second anyway.
 */
export class KeyDirectory {
  /** Neither revoked nor unknown; may have expired. */
  private readonly keys = new Map<string, KnownKey>();
  private readonly revoked = new Set<string>();
  private origins = new Set<string>();
  private readonly known: FollowedProjection<ProjectedSite, SiteEvent>;
  private readonly follower: Follower;

  constructor(log: EventLog, codec: Codec, { rows, nowMs }: KeyDirectoryOptions = {}) {
    this.known = new FollowedProjection({
      log,
      codec,
      projection: siteStateProjection,
      rows,
      nowMs,
      changed: (sites) => this.index(sites),
    });
    this.follower = this.known.follower;
  }

  start(): void {
    this.follower.start();
  }

  stop(): Promise<void> {
    return this.follower.stop();
  }

  /** The key, unless it is unknown or revoked. */
  find(keyId: string): KnownKey | undefined {
    return this.keys.get(keyId);
  }

  site(site: string): SiteState | undefined {
    return this.known.get(site)?.state;
  }

  sites(): SiteState[] {
    return [...this.known.all()].map(({ state }) => state);
  }

  /** Whether a live public key of any site may be used from this origin. */
  listsOrigin(origin: string): boolean {
    return this.origins.has(origin);
  }

  get isReady(): boolean {
    return this.follower.isReady;
  }

  get failure(): unknown {
    return this.follower.failure;
  }

  /** Milliseconds for which a revocation may have been missed; null while that is within bounds. */
  get staleForMs(): number | null {
    return this.follower.staleForMs;
  }

  /** Milliseconds since it last came further. */
  get stillForMs(): number {
    return this.follower.stillForMs;
  }

  /** See Follower. */
  holdsAll(head: Position, askedMsAgo: number, timeoutMs: number): Promise<boolean> {
    return this.follower.holdsAll(head, askedMsAgo, timeoutMs);
  }

  /** Up to where all events of sites have been taken in. */
  get position(): Position {
    return this.follower.position;
  }

  /** Where the newest change stands that is known of a site, or of any; BEGINNING where none is. */
  changedAt(site?: string): Position {
    if (site !== undefined) return this.known.get(site)?.position ?? BEGINNING;
    let newest = BEGINNING;
    for (const { position } of this.known.all()) if (position > newest) newest = position;
    return newest;
  }

  /**
   * Before a key is called unknown: another instance may have issued it a moment ago. A revoked one is known. Rejects with
   * DependencyUnavailable where it cannot be said in time whether there is such a key.
   */
  async lookForKey(keyId: string): Promise<boolean> {
    const isKnown = (): boolean => this.keys.has(keyId) || this.revoked.has(keyId);
    if (isKnown()) return false;
    await this.sureOf(isKnown);
    return this.keys.has(keyId);
  }

  /** The same of a site. */
  async lookForSite(site: string): Promise<boolean> {
    const isKnown = (): boolean => this.site(site) !== undefined;
    await this.sureOf(isKnown);
    return isKnown();
  }

  /** Before a site is shown or changed: it was perhaps changed by another instance a moment ago. */
  async lookForChanges(): Promise<void> {
    await this.follower.lookFor(() => false, LOOK_WITHIN_MS);
  }

  private async sureOf(isKnown: () => boolean): Promise<void> {
    if (!(await this.follower.lookFor(isKnown, SURE_WITHIN_MS))) throw new DependencyUnavailable('event log');
  }

  /** Rejects with DependencyUnavailable when it takes longer. */
  ready(timeoutMs: number): Promise<void> {
    return this.follower.ready(timeoutMs);
  }

  /** Resolves when the directory reflects at least this position. Rejects with DependencyUnavailable after the time. */
  async waitFor(position: Position, timeoutMs: number): Promise<void> {
    if (!(await this.follower.reached(position, timeoutMs))) throw new DependencyUnavailable('event log');
  }

  private index(sites: ReadonlySet<string>): void {
    for (const name of sites) {
      const site = this.site(name)!;
      for (const key of site.keys.values()) {
        if (key.revokedAt === null) this.keys.set(key.keyId, { key, site });
        else {
          this.keys.delete(key.keyId);
          this.revoked.add(key.keyId);
        }
      }
    }
    this.origins = new Set(this.sites().flatMap((site) => [...originsListed(site)]));
  }
}
