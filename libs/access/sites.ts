import { randomBytes, randomUUID } from 'node:crypto';
import { Codec } from '../event-log/codec.js';
import type { EventLog } from '../event-log/port.js';
import { Stream, type Happened, type Intent } from '../event-log/stream.js';
import type { StreamFold } from '../event-log/stream-fold.js';
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
import { SITE_EVENTS, type SiteEvent, type SiteSettings } from './events.js';
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

const SITE_STREAM_FOLD: StreamFold<SiteState, SiteEvent> = {
  ...siteFold,
  contended: () => refusal('state_conflict', 'Others are changing the site at the same time.', 'Try again.'),
};

/** Writes the streams of sites. */
export class Sites {
  private readonly streams: Stream<SiteState, SiteEvent>;

  constructor(
    log: EventLog,
    private readonly sealer: Sealer,
    private readonly clock: Clock = systemClock,
    private readonly random: RandomBytes = randomBytes,
  ) {
    this.streams = new Stream(log, new Codec(SITE_EVENTS), SITE_STREAM_FOLD);
  }

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
    const key = (await this.streams.load(siteStream(site))).state.keys.get(keyId);
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

  /** Ids are made once, so that every try appends the very same events. */
  private carryOut(site: string, command: SiteCommand, { actor, requestId }: By): Promise<SiteDone | Refusal> {
    const ids = [randomUUID(), randomUUID()];
    return this.streams.execute<SiteDone>(siteStream(site), undefined, ({ state, position }) => {
      const decided = decideSite(command, state);
      if (isRefusal(decided)) return decided;
      const metadata = { actor, recordedAt: this.clock(), ...(requestId && { requestId }) };
      return {
        append: decided.events.map((event, i): Intent => ({ event, id: ids[i]!, metadata })),
        answer: (appended) => ({
          refused: false,
          state: fold(siteFold, appended as Happened<SiteEvent>[], state),
          position: appended.at(-1)?.position ?? position,
        }),
      };
    });
  }
}
