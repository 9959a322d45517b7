import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '../../kernel/index.js';
import { PUBLIC_URL } from '../../engines/config/public-url.js';
import { MasterKey } from '../../vault/master-key.js';

const CONFIRMATION = /^cft_[A-Za-z0-9_-]{43}$/;
const UNDO = /^rft_([A-Za-z0-9_-]{40,1600})$/;
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

/** What a capability to undo says. It is stored nowhere; until when it counts follows from the record. */
export interface UndoClaim {
  scope: Scope;
  /** Whose record it is; the subject may have been merged since. */
  subjectId: string;
  /** The record by a link that can be taken back. */
  recordId: string;
  /** Of the page that says so. */
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
    const said = this.opened(UNSUBSCRIBE.exec(token)?.[1]);
    if (!Array.isArray(said)) return null;
    const [site, env, subjectId, channel, topics, locale] = said as [
      string,
      Scope['env'],
      string,
      string,
      string[] | null,
      string,
    ];
    return { scope: { site, env }, subjectId, channel, topics, locale };
  }

  /** The capability to undo a record; always the same one. */
  undo({ scope, subjectId, recordId, locale }: UndoClaim): string {
    // An object, so that the content of one kind of link is never taken for that of another.
    const clear = JSON.stringify({ undo: [scope.site, scope.env, subjectId, recordId, locale] });
    return `rft_${this.master.sealLink(Buffer.from(clear)).toString('base64url')}`;
  }

  /** Null where the token is not one of ours. */
  undoClaimOf(token: string): UndoClaim | null {
    const said = this.opened(UNDO.exec(token)?.[1]) as { undo?: [string, Scope['env'], string, string, string] } | null;
    if (!said?.undo) return null;
    const [site, env, subjectId, recordId, locale] = said.undo;
    return { scope: { site, env }, subjectId, recordId, locale };
  }

  private opened(sealed: string | undefined): unknown {
    if (sealed === undefined) return null;
    try {
      return JSON.parse(this.master.openLink(Buffer.from(sealed, 'base64url')).toString());
    } catch {
      return null;
    }
  }
}
