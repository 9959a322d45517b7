import { randomBytes, randomUUID } from 'node:crypto';
import {
  LogUnavailable,
  NO_STREAM,
  type AppendOutcome,
  type EventLog,
  type NewEvent,
  type RecordedEvent,
} from '../event-log/port.js';
import {
  type Position,
  fold,
  isRefusal,
  refusal,
  siteStream,
  systemClock,
  type Clock,
  type Environment,
  type Instant,
  type RandomBytes,
  type Refusal,
} from '../kernel/index.js';
import { hashOfSecret, identityMacKey, lastFour, mintKey, type KeyType } from './api-key.js';
import { decideSite, unknownKey, type Overlap, type RotateKey, type SiteCommand } from './decide.js';
import { SITE_EVENTS_SCHEMA_VERSION, type SiteEvent, type SiteSettings } from './events.js';
import { EVERY_SCOPE, type GrantedScope } from './scopes.js';
import { identityKeyPurpose, type Sealer } from './sealer.js';
import { siteFold, type SiteState } from './state.js';

/** Who did it, for the event's metadata. */
export interface By {
  /** `operator`, or `system:<what>`. */
  actor: string;
  requestId?: string;
}

export interface KeyRequest {
  type: KeyType;
  env: Environment;
  name: string;
  /** Default: whatever the key's type can hold. */
  scopes?: readonly GrantedScope[];
  allowedOrigins?: readonly string[] | null;
  expiresAt?: Instant | null;
}

/** `position`: where the log stands afterwards for a reader of the site; null where nothing was there to change. */
export type SiteDone = { refused: false; state: SiteState; position: Position | null };
/** `text` is the key itself, and exists nowhere else from here on. */
export type KeyIssued = SiteDone & { keyId: string; text: string };

const ATTEMPTS = 5;
const PAGE = 1000;

/** Writes the streams of sites: load, fold, decide, append at exactly the revision that was read. */
export class Sites {
  constructor(
    private readonly log: EventLog,
    private readonly sealer: Sealer,
    private readonly clock: Clock = systemClock,
    private readonly random: RandomBytes = randomBytes,
  ) {}

  register(site: string, settings: Partial<SiteSettings>, by: By): Promise<SiteDone | Refusal> {
    return this.carryOut(site, { type: 'registerSite', site, settings }, by);
  }

  async issueKey(site: string, request: KeyRequest, by: By): Promise<KeyIssued | Refusal> {
    const { type, env, name, scopes = [EVERY_SCOPE], allowedOrigins = null, expiresAt = null } = request;
    const { text, stored } = await this.mint(type, env);
    const done = await this.carryOut(
      site,
      {
        type: 'issueKey',
        key: { ...stored, type, env, scopes, allowedOrigins, name, expiresAt, issuedAt: this.clock() },
      },
      by,
    );
    return isRefusal(done) ? done : { ...done, keyId: stored.keyId, text };
  }

  /** Issues the successor of a key; the key itself goes on for the overlap. */
  async rotateKey(
    site: string,
    keyId: string,
    overlap: Overlap,
    reason: string | null,
    by: By,
  ): Promise<KeyIssued | Refusal> {
    // For its type and environment, which never change; whether it may be rotated is decided on what stands then.
    const key = (await this.load(site)).state.keys.get(keyId);
    if (!key) return unknownKey();
    const { text, stored } = await this.mint(key.type, key.env);
    const done = await this.carryOut(
      site,
      { type: 'rotateKey', keyId, successor: stored, overlap, at: this.clock(), reason },
      by,
    );
    return isRefusal(done) ? done : { ...done, keyId: stored.keyId, text };
  }

  revokeKey(site: string, keyId: string, reason: string | null, by: By): Promise<SiteDone | Refusal> {
    return this.carryOut(site, { type: 'revokeKey', keyId, at: this.clock(), reason }, by);
  }

  /** `stored` is what may be kept of it. */
  private async mint(type: KeyType, env: Environment): Promise<{ text: string; stored: RotateKey['successor'] }> {
    const key = mintKey(type, env, this.random);
    const sealedIdentityKey =
      type === 'sk' ? await this.sealer.seal(identityKeyPurpose(key.id), identityMacKey(key.text)) : null;
    return {
      text: key.text,
      stored: { keyId: key.id, secretHash: hashOfSecret(key.secret), last4: lastFour(key), sealedIdentityKey },
    };
  }

  /** Ids are made once, so that an append whose answer was lost is found again instead of being made twice. */
  private async carryOut(site: string, command: SiteCommand, by: By): Promise<SiteDone | Refusal> {
    const ids = [randomUUID(), randomUUID()];
    for (let attempt = 1; ; attempt++) {
      const { state, last } = await this.load(site);
      const decision = decideSite(command, state);
      if (isRefusal(decision)) return decision;
      if (decision.events.length === 0) return { refused: false, state, position: last?.position ?? null };
      const events = decision.events.map((event, i): NewEvent => ({
        ...event,
        id: ids[i]!,
        metadata: {
          schemaVersion: SITE_EVENTS_SCHEMA_VERSION,
          actor: by.actor,
          recordedAt: this.clock(),
          ...(by.requestId ? { requestId: by.requestId } : {}),
        },
      }));
      const outcome = await this.append(site, last?.revision ?? NO_STREAM, events);
      if (outcome.outcome === 'appended')
        return {
          refused: false,
          state: fold(siteFold, events as unknown as SiteEvent[], state),
          position: outcome.position,
        };
      if (outcome.outcome === 'unknown' && attempt === ATTEMPTS)
        throw new LogUnavailable('the event log did not say what became of the change', true);
      if (outcome.outcome === 'deleted') throw new Error(`the stream of site ${site} was deleted`);
      if (attempt === ATTEMPTS)
        return refusal('state_conflict', 'Others are changing the site at the same time.', 'Try again.');
    }
  }

  /** An answer that was lost is not guessed at: the stream is read again, and the decision then finds it done or not. */
  private async append(
    site: string,
    expected: number,
    events: NewEvent[],
  ): Promise<AppendOutcome | { outcome: 'unknown' }> {
    try {
      return await this.log.append(siteStream(site), expected, events);
    } catch (error) {
      if (error instanceof LogUnavailable && error.outcomeUnknown) return { outcome: 'unknown' };
      throw error;
    }
  }

  private async load(site: string): Promise<{ state: SiteState; last: RecordedEvent | undefined }> {
    let state = siteFold.initial();
    let last: RecordedEvent | undefined;
    for (;;) {
      const page = await this.log.read(siteStream(site), {
        direction: 'forwards',
        from: last ? last.revision + 1 : 0,
        limit: PAGE,
      });
      state = fold(siteFold, page as unknown as SiteEvent[], state);
      last = page.at(-1) ?? last;
      if (page.length < PAGE) return { state, last };
    }
  }
}
