import { Controller, Get, Inject, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isOfSession, KB, OperatorSessions, roleMissing, type OperatorSession } from '../../access/index.js';
import { mayAt, TO_BUILD } from '../../context/roles.js';
import { isId, parseInstant, Refused, type ReadProgress } from '../../kernel/index.js';
import { PUBLIC_URL } from '../../engines/config/public-url.js';
import { Database } from '../../engines/database/database.js';
import { isForm, readFormBody } from '../../http/contract/body.js';
import type { CalledRequest } from '../../http/caller.js';
import { prefixOf } from '../../http/docs/page.js';
import { Operation } from '../../http/contract/operation.js';
import { LOG_POSITION_HEADER, parsePosition } from '../../http/position.js';
import { invalid, refused } from '../../http/errors/refused.js';
import { MasterKey } from '../../vault/master-key.js';
import { Vault } from '../../vault/vault.js';
import { Answers } from '../deliveries/answers.js';
import { listDeliveries } from '../deliveries/listing.js';
import { webhookRefusals } from '../refusals.js';
import { WEBHOOKS_PROGRESS } from '../webhooks-progress.js';
import type { Call } from '../write/call.js';
import { EndpointRequests } from '../write/endpoint-requests.js';
import { SendingRequests } from '../write/sending-requests.js';
import { sendPage } from '../../pages/send.js';
import { endpointHealth, type EndpointHealth } from './overview.js';
import { DONE, endpointPage, endpointsPage, signInPage, type Done } from './pages.js';

const PATH = '/admin/webhooks';
const FORM_BYTES_MAX = 4 * KB;
const DELIVERIES_SHOWN = 50;
/** How long the page that follows a change waits for the rows that show it. */
const SHOWN_WITHIN_MS = 2_000;

type Fields = Record<string, string>;
type PostedRequest = Request & CalledRequest;

/** For operators in a browser: how webhooks are going, and what can be done about it. Who may see it is decided here. */
@Controller()
export class WebhookPagesController {
  private readonly path: string;
  private readonly answers: Answers;

  constructor(
    private readonly sessions: OperatorSessions,
    private readonly database: Database,
    private readonly master: MasterKey,
    private readonly endpoints: EndpointRequests,
    private readonly sending: SendingRequests,
    vault: Vault,
    @Inject(WEBHOOKS_PROGRESS) private readonly progress: ReadProgress,
    @Inject(PUBLIC_URL) publicUrl: string,
  ) {
    this.path = prefixOf(publicUrl) + PATH;
    this.answers = new Answers(vault);
  }

  @Get('admin/webhooks')
  @Operation('showWebhooksPage')
  async show(
    @Req() request: Request,
    @Res() response: Response,
    @Query('endpoint') id?: unknown,
    @Query('done') done?: unknown,
  ): Promise<void> {
    const session = await this.sessions.of(request.headers);
    if (!session) return sendPage(response, signInPage(this.path, false), 200);
    const place = { path: this.path, session };
    if (id === undefined)
      return sendPage(
        response,
        endpointsPage(place, await endpointHealth(this.database, this.master, null, session.operator.roles)),
        200,
      );
    const endpoint = await this.find(id, session);
    const newest = { before: null, limit: DELIVERIES_SHOWN };
    const deliveries = await listDeliveries(this.database, this.answers, endpoint.id, newest);
    sendPage(response, endpointPage(place, endpoint, deliveries, isDone(done) ? done : null), 200);
  }

  @Post('admin/webhooks')
  @Operation('postWebhooksPage')
  async post(@Req() request: PostedRequest, @Res() response: Response): Promise<void> {
    if (!this.sessions.isOwnForm(request.headers))
      throw refused('origin_not_allowed', 'Open the page at the address of this service, and use its own buttons.');
    if (!isForm(request)) throw refused('unsupported_media_type', 'Send the form of the page.');
    const fields = await readFormBody(request, { limitBytes: FORM_BYTES_MAX });
    if (fields['action'] === 'sign-in') return this.signIn(fields, request, response);
    const session = await this.sessions.of(request.headers);
    if (!session) return sendPage(response, signInPage(this.path, false), 200);
    if (!isOfSession(session, fields['form']))
      throw refused('origin_not_allowed', 'The page is from another session. Open it again.');
    if (fields['action'] === 'sign-out') {
      response.setHeader('Set-Cookie', await this.sessions.end(session, request.requestId ?? null));
      return response.redirect(303, this.path);
    }
    const endpoint = await this.find(fields['endpoint'], session);
    const done = await this.act(fields, endpoint, session, request, response);
    await this.isShown(response);
    response.redirect(303, `${this.path}?endpoint=${endpoint.id}&done=${done}`);
  }

  private async signIn({ token = '' }: Fields, { requestId }: PostedRequest, response: Response): Promise<void> {
    const cookie = await this.sessions.begin(token.trim(), requestId);
    if (cookie === null) return sendPage(response, signInPage(this.path, true), 403);
    response.setHeader('Set-Cookie', cookie);
    response.redirect(303, this.path);
  }

  /** As the operator could do it with the command line, under the name of the same token. */
  private async act(
    fields: Fields,
    { id, site, env }: EndpointHealth,
    { operator, id: session }: OperatorSession,
    request: PostedRequest,
    response: Response,
  ): Promise<Done> {
    if (!mayAt(operator.roles, TO_BUILD, { site, env })) throw roleMissing(TO_BUILD, { site, env });
    const caller = {
      ...request.caller!,
      kind: 'operator',
      keyId: operator.id,
      roles: operator.roles,
      session,
      site,
      env,
    } as const;
    const call = <T>(input: T): Call<T> => ({ caller, input, request, response });
    const { action } = fields;
    if (!isDone(action)) throw invalid([{ path: 'action', message: 'is none of this page' }]);
    if (action === 'retry') await this.sending.retry(call(null), fields['delivery'] ?? '');
    else if (action === 'replay') await this.sending.replay(call(beginningOf(fields['since'])), id);
    else await this.endpoints.update(call({ state: action === 'pause' ? 'PAUSED' : 'ENABLED' }), id);
    return action;
  }

  /** What was just written, the next page shows. */
  private async isShown(response: Response): Promise<void> {
    const written = response.getHeader(LOG_POSITION_HEADER);
    if (typeof written === 'string') await this.progress.reached(parsePosition(written)!, SHOWN_WITHIN_MS);
  }

  private async find(id: unknown, { operator }: OperatorSession): Promise<EndpointHealth> {
    const [endpoint] =
      typeof id === 'string' && isId('whe', id)
        ? await endpointHealth(this.database, this.master, id, operator.roles)
        : [];
    if (!endpoint) throw new Refused(webhookRefusals.endpointNotFound());
    return endpoint;
  }
}

const isDone = (text: unknown): text is Done => typeof text === 'string' && Object.hasOwn(DONE, text);

/** Browsers send a local time without seconds; the page asks for UTC. */
function beginningOf(since = ''): { fromSequence: number } | { since: string } {
  if (since === '') return { fromSequence: 0 };
  const at = parseInstant(`${since.length === 16 ? `${since}:00` : since}Z`);
  if (at === null) throw invalid([{ path: 'since', message: 'is no time' }]);
  return { since: at };
}
