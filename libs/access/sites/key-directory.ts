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

/**
 * How far the directory may be behind the log before it reports so: a revocation must take effect everywhere within
 * this.
 */
export { STALE_AFTER_MS } from '../../following/follower.js';

/** How long a read of the newest events may take, for what another process may have written a moment ago. */
const LOOK_WITHIN_MS = 250;
/**
 * The same before a key or site is called unknown. EventStoreDB needs half a second to report that no followed event
 * came; a request is refused within two.
 */
const SURE_WITHIN_MS = 1_500;

export interface KnownKey {
  key: KeyState;
  site: SiteState;
}

export interface KeyDirectoryOptions {
  /** Holds the rows of `read.site_state`; absent: the directory reads the whole log. */
  rows?: Queries | undefined;
  /** A monotonic clock, in ms. */
  nowMs?: () => number;
}

/**
 * Every site and key in memory: an operator made each of them by hand and a site has at most 200 live keys, so all of
 * them take some megabytes. The directory begins with the rows of `read.site_state` and follows the log from there.
 *
 * It is normally milliseconds behind the log. While the log cannot be reached, no operator can revoke a key, yet a
 * revocation made just before may be missing here: keys are still served, and `staleForMs` tells readiness.
 *
 * Redis carries no notice of revocations, because the log itself pushes: another process refuses a revoked key 6 ms
 * (median; 25 ms at most of 30, busy machine) after the revoking one answers, and up to 25 ms later where others write
 * all the time to a log in Postgres. A notice could only say "look at the log" so much sooner, and where the push is
 * lost the directory looks at the log every second anyway.
 */
export class KeyDirectory {
  /** Keys that are neither revoked nor unknown; they may have expired. */
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

  /** Milliseconds for which a revocation may have been missed; null while the directory is current. */
  get staleForMs(): number | null {
    return this.follower.staleForMs;
  }

  /** Milliseconds since its last progress. */
  get stillForMs(): number {
    return this.follower.stillForMs;
  }

  /** See Follower. */
  holdsAll(head: Position, askedMsAgo: number, timeoutMs: number): Promise<boolean> {
    return this.follower.holdsAll(head, askedMsAgo, timeoutMs);
  }

  /** Position up to which it holds all events of sites. */
  get position(): Position {
    return this.follower.position;
  }

  /** Position of the newest known change of a site, or of any site; BEGINNING if there is none. */
  changedAt(site?: string): Position {
    if (site !== undefined) return this.known.get(site)?.position ?? BEGINNING;
    let newest = BEGINNING;
    for (const { position } of this.known.all()) if (position > newest) newest = position;
    return newest;
  }

  /**
   * Reads the newest events before a key is called unknown: another process may have issued it a moment ago. True if
   * that has made it known; false for keys that were known or revoked before. Rejects with DependencyUnavailable if the
   * log does not answer in time.
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

  /** Reads the newest events before a site is shown or changed: another process may have changed it a moment ago. */
  async lookForChanges(): Promise<void> {
    await this.follower.lookFor(() => false, LOOK_WITHIN_MS);
  }

  private async sureOf(isKnown: () => boolean): Promise<void> {
    if (!(await this.follower.lookFor(isKnown, SURE_WITHIN_MS))) throw new DependencyUnavailable('event log');
  }

  /** Rejects with DependencyUnavailable after the time. */
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
