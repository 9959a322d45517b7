import { BY_SECRET_KEY, KB, type OperationDeclaration } from '../../access/index.js';
import { IssuePortalTokenDto, PORTAL_TOKEN_EXAMPLE, PortalTokenDto } from './dto.js';
import { TO_HELP_PERSONS } from '../../context/roles.js';

export const PORTAL_TOKEN_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_SECRET_KEY,
    id: 'createPortalToken',
    roles: TO_HELP_PERSONS,
    method: 'POST',
    path: '/v1/portal-tokens',
    scope: 'portal-tokens:write',
    subject: { in: 'body', name: 'subject' },
    bodyLimit: 4 * KB,
    tag: 'Portal',
    summary: 'Let a person into their portal',
    description:
      'Signs in a person whom your server knows: send the browser to `url`. The same token can be sent as `Consent-Identity` beside a public key; it then reaches this one person as `subject:<id>`, within its scopes. It ends at `expiresAt`, and with the secret key that asked for it. Nothing is stored.',
    body: {
      contract: IssuePortalTokenDto,
      examples: {
        all: { subject: 'email:ada@example.org' },
        preferencesOnly: {
          subject: 'email:ada@example.org',
          scopes: ['preferences:read', 'preferences:write'],
          expiresInSeconds: 300,
          redirectUrl: 'https://demo.example/account',
          locale: 'de',
        },
      },
    },
    answers: [
      {
        status: 201,
        description: 'The token.',
        contract: PortalTokenDto,
        example: PORTAL_TOKEN_EXAMPLE,
        headers: { 'Cache-Control': 'Always `no-store`.' },
      },
    ],
    refusals: [
      'subject_ref_invalid',
      'identifier_kind_unknown',
      'subject_not_found',
      'subject_erased',
      'scope_missing',
      'redirect_url_not_allowed',
      'validation_failed',
    ],
  },
];
