import { randomBytes } from 'node:crypto';
import type { CommandBus } from '@nestjs/cqrs';
import { parseKey } from '../../access/context.js';
import { EVERY_SCOPE, PORTAL_TOKEN_SECONDS } from '../../access/index.js';
import type { DemoSettings } from '../../operator/context.js';
import { IssuePortalToken } from '../../portal/context.js';

/** A person whom the demo site knows. */
const PERSON = 'email:ada@demo.example';

/** A link to the portal of a person of the demo site, as the server of a site would make it. Good once, for an hour. */
export async function demoPortalUrl(commands: CommandBus, { site, secretKey }: DemoSettings): Promise<string> {
  const server = {
    kind: 'sk',
    operation: 'createPortalToken',
    keyId: parseKey(secretKey)!.id,
    site,
    env: 'test',
    scopes: [EVERY_SCOPE],
    origin: null,
    ip: null,
    userAgent: null,
    identity: null,
    identifierKinds: [],
    requestId: `start-${randomBytes(8).toString('hex')}`,
  } as const;
  const input = { subject: PERSON, expiresInSeconds: PORTAL_TOKEN_SECONDS.max };
  return (await commands.execute(new IssuePortalToken(server, input))).url;
}
