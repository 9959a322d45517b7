import { randomBytes } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  grants,
  KeyDirectory,
  PORTAL_SCOPES,
  PORTAL_TOKEN_SECONDS,
  PORTAL_TOKEN_TYPE,
  portalClaims,
  type GrantedScope,
  type PortalGrant,
} from '../../access/index.js';
import { CLOCK, epochMs, instantOf, isRefusal, parseReference, Refused, type Clock } from '../../kernel/index.js';
import { PUBLIC_URL } from '../../engines/config/public-url.js';
import type { Caller } from '../../http/caller.js';
import { refused } from '../../http/errors/refused.js';
import { redirectNotAllowed, redirectUrl } from '../../preferences/services.js';
import { STATEMENT_SIGNER, type StatementSigner } from '../../receipts/index.js';
import { PORTAL_DOORS, type PortalDoors } from '../doors.js';
import type { IssuePortalTokenDto, PortalTokenDto } from './dto.js';

const TOKEN_ID_BYTES = 16;

/** Sign in a person whom the site's own server knows. */
export class IssuePortalToken extends Command<PortalTokenDto> {
  constructor(
    readonly caller: Caller,
    readonly input: IssuePortalTokenDto,
  ) {
    super();
  }
}

@CommandHandler(IssuePortalToken)
export class IssuePortalTokenHandler implements ICommandHandler<IssuePortalToken> {
  constructor(
    @Inject(STATEMENT_SIGNER) private readonly signer: StatementSigner,
    @Inject(PORTAL_DOORS) private readonly doors: PortalDoors,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    private readonly directory: KeyDirectory,
  ) {}

  async execute({ caller, input }: IssuePortalToken): Promise<PortalTokenDto> {
    const reference = parseReference(input.subject);
    if (isRefusal(reference)) throw new Refused(reference);
    const scopes = input.scopes ?? PORTAL_SCOPES.filter((scope) => has(caller, scope));
    const beyond = scopes.findIndex((scope) => !has(caller, scope));
    // Who signs hands on no more than they have.
    if (beyond >= 0)
      throw refused('scope_missing', 'Use a key that has these scopes itself, or ask for fewer.', [
        { path: `scopes[${beyond}]`, message: 'is no scope of the key' },
      ]);
    const { site, env } = caller;
    const backTo = this.wayBack(caller, input.redirectUrl);
    const subjectId = await this.doors.subjectOf(caller, reference);
    const issuedMs = Math.floor(epochMs(this.clock()) / 1000) * 1000;
    const grant: PortalGrant = {
      site,
      env,
      subjectId,
      scopes,
      keyId: caller.keyId!,
      tokenId: randomBytes(TOKEN_ID_BYTES).toString('base64url'),
      issuedAt: instantOf(issuedMs),
      expiresAt: instantOf(issuedMs + (input.expiresInSeconds ?? PORTAL_TOKEN_SECONDS.default) * 1000),
      redirectUrl: backTo,
      locale: input.locale ?? null,
    };
    const token = await this.signer.state(env, PORTAL_TOKEN_TYPE, portalClaims(grant));
    return { token, url: `${this.publicUrl}/portal/${site}/${env}#${token}`, expiresAt: grant.expiresAt };
  }

  private wayBack({ site, env }: Caller, asked: string | undefined): string | null {
    if (asked === undefined) return null;
    const allowed = redirectUrl(asked, this.directory.site(site)!.settings.domains, env);
    if (allowed === null) throw new Refused(redirectNotAllowed(env));
    return allowed;
  }
}

const has = ({ scopes }: Caller, scope: (typeof PORTAL_SCOPES)[number]): boolean =>
  grants('sk', scopes as readonly GrantedScope[], scope);
