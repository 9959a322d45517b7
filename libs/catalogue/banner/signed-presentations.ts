import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Instant, Refusal, Scope } from '../../kernel/index.js';
import { STATEMENT_SIGNER, type SignedStatement, type StatementSigner } from '../../receipts/index.js';
import { claimsOf, PRESENTATION_TOKEN_LENGTH_MAX, PRESENTATION_TYPE, presentationIn } from './presentation-token.js';
import type { Presentation } from './presentation.js';
import type { Presentations } from './presentations.js';

/** Tokens whose signature was verified. Few exist at a time, since all visitors who see the same have the same token. */
const VERIFIED_MAX = 500;

/** Presentations signed with the key of their environment; its public half is in the key set. */
@Injectable()
export class SignedPresentations implements Presentations {
  private readonly verified = new LRUCache<string, SignedStatement>({ max: VERIFIED_MAX });

  constructor(@Inject(STATEMENT_SIGNER) private readonly signer: StatementSigner) {}

  async tokenOf(scope: Scope, presentation: Presentation): Promise<string | null> {
    const token = await this.signer.state(scope.env, PRESENTATION_TYPE, claimsOf(scope, presentation));
    return token.length <= PRESENTATION_TOKEN_LENGTH_MAX ? token : null;
  }

  async read(scope: Scope, token: string, chosenAt: Instant): Promise<Presentation | Refusal> {
    let signed = this.verified.get(token) ?? null;
    if (!signed) {
      signed = await this.signer.readStatement(PRESENTATION_TYPE, token);
      if (signed) this.verified.set(token, signed);
    }
    return presentationIn(signed, scope, chosenAt);
  }
}
