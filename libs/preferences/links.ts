import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '../kernel/index.js';
import { PUBLIC_URL } from '../platform/config/public-url.js';
import { MasterKey } from '../platform/vault/master-key.js';

const CONFIRMATION = /^cft_[A-Za-z0-9_-]{43}$/;
const UNSUBSCRIBE = /^uft_([A-Za-z0-9_-]{40,1600})$/;
/** A header of a mail has room for some 900 characters, of which the address of the service needs some. */
const UNSUBSCRIBE_LENGTH_MAX = 760;

/** What a link to unsubscribe says: it is stored nowhere and does not expire, as mails are kept for years. */
export interface UnsubscribeClaim {
  scope: Scope;
  subjectId: string;
  channel: string;
  /** Null: whatever the channel has. */
  topics: readonly string[] | null;
  /** Of the page behind it. */
  locale: string;
}

export interface ConfirmationLink {
  token: string;
  tokenHash: string;
  url: string;
}

/** SHA-256, hex: all that is kept of a token; null where the text can be none. */
export const hashOfToken = (token: string): string | null =>
  CONFIRMATION.test(token) ? createHash('sha256').update(token).digest('hex') : null;

/** Makes and reads the links that mails carry. */
@Injectable()
export class PreferenceLinks {
  constructor(
    private readonly master: MasterKey,
    @Inject(PUBLIC_URL) private readonly at: string,
  ) {}

  /** The link of a request for confirmation; always the same one. */
  confirmation(requestId: string): ConfirmationLink {
    const token = `cft_${this.master.confirmationSecret(requestId).toString('base64url')}`;
    return { token, tokenHash: hashOfToken(token)!, url: `${this.at}/v1/preferences/confirm?token=${token}` };
  }

  /** Null where it names more topics than a header has room for. */
  unsubscribe({ scope, subjectId, channel, topics, locale }: UnsubscribeClaim): { token: string; url: string } | null {
    const clear = JSON.stringify([scope.site, scope.env, subjectId, channel, topics, locale]);
    const token = `uft_${this.master.sealLink(Buffer.from(clear)).toString('base64url')}`;
    return token.length > UNSUBSCRIBE_LENGTH_MAX
      ? null
      : { token, url: `${this.at}/v1/preferences/unsubscribe?token=${token}` };
  }

  /** Null where the token is not one of ours. */
  claimOf(token: string): UnsubscribeClaim | null {
    const sealed = UNSUBSCRIBE.exec(token)?.[1];
    if (sealed === undefined) return null;
    try {
      const [site, env, subjectId, channel, topics, locale] = JSON.parse(
        this.master.openLink(Buffer.from(sealed, 'base64url')).toString(),
      ) as [string, Scope['env'], string, string, string[] | null, string];
      return { scope: { site, env }, subjectId, channel, topics, locale };
    } catch {
      return null;
    }
  }
}
