import { randomBytes } from 'node:crypto';
import { decideOnce } from '../../commands/decide-on-stream.js';
import type { Codec } from '../../streams/codec.js';
import type { EventLog } from '../../log/port.js';
import { Stream } from '../../streams/stream.js';
import type { StreamFold } from '../../streams/stream-fold.js';
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
} from '../../kernel/index.js';
import type { KeyType } from '../../context/scopes.js';
import { hashOfSecret, identityMacKey, lastFour, mintKey } from '../callers/api-key.js';
import type { BrandChange } from './brand.js';
import {
  decideSite,
  unknownKey,
  type ChangeOrigins,
  type Overlap,
  type RotateKey,
  type SiteCommand,
  type WantedSettings,
} from '../decide.js';
import type { SiteEvent } from '../events.js';
import type { ChangedBy } from '../../commands/commands.js';
import { EVERY_SCOPE, type GrantedScope } from '../../context/scopes.js';
import { identityKeyPurpose, type Sealer } from '../tokens/sealer.js';
import { siteFold, type SiteState } from '../state.js';

export interface KeyRequest {
  type: KeyType;
  env: Environment;
  name: string;
  /** Default: all scopes of the key's type. */
  scopes?: readonly GrantedScope[];
  allowedOrigins?: readonly string[] | null;
  expiresAt?: Instant | null;
}

/**
 * `position`: where the log stands afterwards for a reader of the site; null in an empty stream. `events`:
 * what was done, now or under the same key before; empty where nothing was there to do.
 */
export type SiteDone = { refused: false; state: SiteState; position: Position | null; events: readonly SiteEvent[] };
/** `text` is the key itself, which is stored nowhere. */
export type KeyIssued = SiteDone & { keyId: string; text: string };

const SITE_STREAM_FOLD: StreamFold<SiteState, SiteEvent> = {
  ...siteFold,
  contended: () => refusal('state_conflict', 'Others are changing the site at the same time.', 'Try again.'),
};

/** Writes the streams of sites. */
export class Sites {
  private readonly streams: Stream<SiteState, SiteEvent>;

  constructor(
    private readonly log: EventLog,
    private readonly codec: Codec,
    private readonly sealer: Sealer,
    private readonly clock: Clock = systemClock,
    private readonly random: RandomBytes = randomBytes,
  ) {
    this.streams = new Stream(log, codec, SITE_STREAM_FOLD);
  }

  /** The same sites, written at the time of another clock. */
  at(clock: Clock): Sites {
    return new Sites(this.log, this.codec, this.sealer, clock, this.random);
  }

  register(site: string, settings: WantedSettings, by: ChangedBy): Promise<SiteDone | Refusal> {
    return this.carryOut(site, { type: 'registerSite', site, settings }, by);
  }

  /** `logo`: the bytes of a picture; null removes it. */
  changeBrand(
    site: string,
    { logo, ...change }: BrandChange & { logo?: Buffer | null },
    by: ChangedBy,
  ): Promise<SiteDone | Refusal> {
    return this.carryOut(site, { type: 'changeBrand', change, ...(logo !== undefined && { logo }) }, by);
  }

  changeOrigins(site: string, change: Omit<ChangeOrigins, 'type'>, by: ChangedBy): Promise<SiteDone | Refusal> {
    return this.carryOut(site, { type: 'changeOrigins', ...change }, by);
  }

  async issueKey(site: string, request: KeyRequest, by: ChangedBy): Promise<KeyIssued | Refusal> {
    const { type, env, name, scopes = [EVERY_SCOPE], allowedOrigins = null, expiresAt = null } = request;
    const { text, stored } = await this.mint(type, env, by);
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

  /** Issues the successor of a key; the key itself works until the overlap ends. */
  async rotateKey(
    site: string,
    keyId: string,
    overlap: Overlap,
    reason: string | null,
    by: ChangedBy,
  ): Promise<KeyIssued | Refusal> {
    // For its type and environment, which never change; whether it may be rotated is decided on what stands then.
    const key = (await this.streams.load(siteStream(site))).state.keys.get(keyId);
    if (!key) return unknownKey();
    const { text, stored } = await this.mint(key.type, key.env, by);
    const done = await this.carryOut(
      site,
      { type: 'rotateKey', keyId, successor: stored, overlap, at: this.clock(), reason },
      by,
    );
    return isRefusal(done) ? done : { ...done, keyId: stored.keyId, text };
  }

  revokeKey(site: string, keyId: string, reason: string | null, by: ChangedBy): Promise<SiteDone | Refusal> {
    return this.carryOut(site, { type: 'revokeKey', keyId, at: this.clock(), reason }, by);
  }

  /** `stored` is what may be kept of it. */
  private async mint(
    type: KeyType,
    env: Environment,
    by: ChangedBy,
  ): Promise<{ text: string; stored: RotateKey['successor'] }> {
    const key = mintKey(type, env, by.key?.random ?? this.random);
    const sealedIdentityKey =
      type === 'sk' ? await this.sealer.seal(identityKeyPurpose(key.id), identityMacKey(key.text)) : null;
    return {
      text: key.text,
      stored: { keyId: key.id, secretHash: hashOfSecret(key.secret), last4: lastFour(key), sealedIdentityKey },
    };
  }

  private async carryOut(site: string, command: SiteCommand, by: ChangedBy): Promise<SiteDone | Refusal> {
    const done = await decideOnce(this.streams, {
      ...{ stream: siteStream(site), by, clock: this.clock },
      decide: (state) => decideSite(command, state),
    });
    if (isRefusal(done)) return done;
    const { before, events, stands } = done;
    return { refused: false, state: fold(siteFold, events, before), position: stands, events };
  }
}
