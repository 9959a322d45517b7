import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { KB, PORTAL_SCOPES, portalReference, PortalTokens } from '../../access/index.js';
import { CATALOGUE, templateInForce, type Catalogue } from '../../catalogue/index.js';
import { DATA_REQUESTS, type DataRequests } from '../../data-requests/services.js';
import { DATA_REQUEST_TYPES, type DataRequestType } from '../../data-requests/index.js';
import { isRefusal, parseReference, Refused, type Reference } from '../../kernel/index.js';
import { isForm, readFormBody } from '../../http/contract/body.js';
import type { CalledRequest } from '../../http/caller.js';
import { sendDownload } from '../../http/answers/download.js';
import { hasGpc } from '../../http/gpc.js';
import { Operation } from '../../http/contract/operation.js';
import { formatPosition } from '../../http/position.js';
import { invalid, refused } from '../../http/errors/refused.js';
import { readReference } from '../../http/registered-kind.js';
import { CodeRows } from '../codes/code-rows.js';
import { MailedCodes } from '../codes/mailed-codes.js';
import { PORTAL_DOORS, type PortalDoors } from '../doors.js';
import { unprovenBy, wantedOf, type Shown } from '../intake/asked.js';
import { correctionsIn, kindsAsked, type CorrectionsRead } from './corrections-form.js';
import type { NoticeWord } from './frame.js';
import type { PortalPlace } from './place.js';
import { PortalPlaces } from './places.js';
import { changesIn, fieldRefused } from './preferences-form.js';
import { DETAILS_LENGTH_MAX, draftPosted, requestAgainPage } from './request-form.js';
import { sendPage } from '../../pages/send.js';
import { isOfPortalSession, PortalSessions, type BegunSession, type PortalSession } from './sessions.js';
import { codePage, signInPage } from './sign-in.js';
import { siteNames } from './site-names.js';

const FORM_BYTES_MAX = 64 * KB;
/** See other: the browser gets the page by itself. */
const SEE_OTHER = 303;

type Fields = Readonly<Record<string, string>>;
type PortalRequest = Request & CalledRequest;

/** What a person does on a page of the portal. Every answer is a page, or leads to one that shows what came of it. */
@Controller('portal/:site/:env')
export class PortalPostController {
  constructor(
    private readonly places: PortalPlaces,
    private readonly sessions: PortalSessions,
    private readonly codes: MailedCodes,
    private readonly rows: CodeRows,
    @Inject(PORTAL_DOORS) private readonly doors: PortalDoors,
    @Inject(DATA_REQUESTS) private readonly requests: DataRequests,
    @Inject(PortalTokens) private readonly tokens: PortalTokens | null,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
  ) {}

  /** Apart from the others, since how many codes one caller may ask for is limited. */
  @Post('code')
  @Operation('postPortalCode')
  async sendCode(@Req() request: PortalRequest, @Res() response: Response): Promise<void> {
    const { place, fields } = await this.read(request);
    const reference = addressOf(fields['email']);
    if (!reference) return sendPage(response, signInPage(place, 'checkEntry'), 422);
    const { scope, language, brand } = place;
    const content = { subject: reference };
    try {
      const sent = await this.codes.send({
        ...{ scope, language, brand, content },
        purpose: 'SIGN_IN',
        address: reference.value,
      });
      sendPage(response, codePage(place, sent, reference.value, null), 200);
    } catch (error) {
      if (!(error instanceof Refused) || error.refusal.code !== 'rate_limited') throw error;
      response.setHeader('Retry-After', error.headers['Retry-After'] ?? '60');
      sendPage(response, signInPage(place, 'tooMany'), 429);
    }
  }

  @Post()
  @Operation('postPortal')
  async post(@Req() request: PortalRequest, @Res() response: Response): Promise<void> {
    const { place, fields } = await this.read(request);
    const { session } = place;
    const { action } = fields;
    if (action === 'enter-token') return this.enterToken(request, place, fields, response);
    if (action === 'enter-code') return this.enterCode(request, place, fields, response);
    if (!session) return sendBack(response, place, 'sessionOver');
    if (!isOfPortalSession(session, fields['form']))
      throw refused('origin_not_allowed', 'The page is from another session. Open it again.');
    switch (action) {
      case 'sign-out':
        response.setHeader('Set-Cookie', await this.sessions.end(session));
        return response.redirect(SEE_OTHER, place.path);
      case 'preferences':
        return this.savePreferences(request, place, session, fields, response);
      case 'consent':
        return this.saveConsent(request, place, session, fields, response);
      case 'archive':
        return this.handOutArchive(place, session, fields, response);
      case 'request':
        return this.makeRequest(request, place, session, fields, response);
      default:
        throw invalid([{ path: 'action', message: 'is none of this page' }]);
    }
  }

  private async read(request: PortalRequest): Promise<{ place: PortalPlace; fields: Fields }> {
    if (!this.sessions.isOwnForm(request.headers))
      throw refused('origin_not_allowed', 'Open the page at the address of this service, and use its own buttons.');
    if (!isForm(request)) throw refused('unsupported_media_type', 'Send the form of the page.');
    return {
      place: await this.places.of(request),
      fields: await readFormBody(request, { limitBytes: FORM_BYTES_MAX }),
    };
  }

  /** Once for each token: a later reader of a browser's history finds the link used. */
  private async enterToken(
    request: PortalRequest,
    place: PortalPlace,
    { token = '' }: Fields,
    response: Response,
  ): Promise<void> {
    const { scope } = place;
    const grant = await this.tokens?.verify(token, scope).catch(() => null);
    if (!grant) return sendBack(response, place, 'linkOver');
    const subjectId = await this.stillThere(request, place, portalReference(grant.subjectId));
    if (subjectId === null || !(await this.rows.useToken(grant.tokenId, grant.expiresAt)))
      return sendBack(response, place, 'linkOver');
    const { scopes, keyId, redirectUrl, locale } = grant;
    this.signIn(place, { subjectId, scopes, keyId, limitedTo: null, redirectUrl, locale }, response);
  }

  /** The subject that an id stands for now; null where it was erased since. */
  private async stillThere(request: PortalRequest, place: PortalPlace, reference: Reference): Promise<string | null> {
    try {
      return await this.doors.subjectOf(this.places.callerOf(request, place, null), reference);
    } catch (error) {
      if (error instanceof Refused && GONE.includes(error.refusal.code)) return null;
      throw error;
    }
  }

  private async enterCode(
    request: PortalRequest,
    place: PortalPlace,
    { handle = '', code = '', email = '' }: Fields,
    response: Response,
  ): Promise<void> {
    let subject: Reference;
    try {
      ({ subject } = await this.codes.open<{ subject: Reference }>(place.scope, 'SIGN_IN', handle, code));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.refusal.code === 'token_expired') return sendBack(response, place, 'codeOver');
      return sendPage(response, codePage(place, { handle }, email.slice(0, ADDRESS_LENGTH_MAX), 'codeWrong'), 422);
    }
    if (!(await this.codes.use(handle))) return sendBack(response, place, 'codeOver');
    const owner = await this.doors.ownerOf(this.places.callerOf(request, place, null), subject);
    const { subjectId, identifierId, isProven } = owner;
    const allowed = isProven
      ? { scopes: PORTAL_SCOPES, limitedTo: null }
      : { scopes: LIMITED_SCOPES, limitedTo: identifierId };
    this.signIn(place, { subjectId, ...allowed, keyId: null, redirectUrl: null, locale: null }, response);
  }

  private signIn(place: PortalPlace, who: Omit<BegunSession, 'scope' | 'signedInAt'>, response: Response): void {
    const { scope, at, path } = place;
    response.setHeader('Set-Cookie', this.sessions.begin({ ...who, scope, signedInAt: at }));
    response.redirect(SEE_OTHER, path);
  }

  private async savePreferences(
    request: PortalRequest,
    place: PortalPlace,
    session: PortalSession,
    fields: Fields,
    response: Response,
  ): Promise<void> {
    const { template } = siteNames(this.catalogue, place);
    const changes = changesIn(fields, template);
    const page = `${place.path}/preferences`;
    if (changes.values.length === 0 && changes.globalOptOut === undefined)
      return response.redirect(SEE_OTHER, `${page}?done=saved`);
    const collection = {
      method: 'SAVE_CHOICES',
      surface: 'PREFERENCE_CENTER',
      url: this.places.addressOf(place, 'preferences'),
      locale: template.locale,
    } as const;
    try {
      const caller = this.places.callerOf(request, place, session);
      const { pending } = await this.doors.setPreferences(caller, session.subjectId, changes, collection);
      const redirectUrl = wayBack(place, session);
      if (pending.length > 0 && redirectUrl !== null) {
        const wish = { fields: pending, redirectUrl, locale: place.language };
        await this.doors.askToConfirm(caller, session.subjectId, wish);
      }
    } catch (error) {
      const wrong = error instanceof Refused ? fieldRefused(error.refusal.issues[0]?.path, changes, template) : null;
      if (wrong === null) throw error;
      return response.redirect(SEE_OTHER, `${page}?wrong=${encodeURIComponent(wrong)}#f-${encodeURIComponent(wrong)}`);
    }
    response.redirect(SEE_OTHER, `${page}?done=saved`);
  }

  private async makeRequest(
    request: PortalRequest,
    place: PortalPlace,
    session: PortalSession,
    fields: Fields,
    response: Response,
  ): Promise<void> {
    if (!session.scopes.includes('requests:write')) throw refused('scope_missing');
    const { type = '', details = '' } = fields;
    const read = type === 'RECTIFICATION' ? this.correctionsIn(fields, place) : { corrections: [] };
    if (!isType(type) || 'wrong' in read)
      return this.askAgain(place, fields, 'wrong' in read ? read.wrong : 'kind', response);
    const { corrections } = read;
    const asked = {
      subject: portalReference(session.subjectId),
      type,
      ...(details.trim() !== '' && { details: details.trim().slice(0, DETAILS_LENGTH_MAX) }),
      ...(corrections.length > 0 && { corrections }),
      locale: place.language,
      receivedAt: place.at,
    };
    const { keyId, limitedTo } = session;
    const verifiedBy = keyId === null ? 'EMAIL_CODE' : 'PORTAL_TOKEN';
    const shown: Shown = limitedTo === null ? { verifiedBy } : unprovenBy(limitedTo);
    const opened = await this.requests.open(place.scope, wantedOf(asked, shown), {
      actor: `subject:${verifiedBy.toLowerCase()}`,
      requestId: request.caller!.requestId,
    });
    if (isRefusal(opened)) throw new Refused(opened);
    const page = `${place.path}/requests`;
    if (opened.position !== null) return response.redirect(SEE_OTHER, `${page}?at=${formatPosition(opened.position)}`);
    // One that is open already may be another person's: who is limited does not learn of it.
    response.redirect(SEE_OTHER, limitedTo === null ? `${page}?done=open` : page);
  }

  private correctionsIn(fields: Fields, place: PortalPlace): CorrectionsRead {
    const { identifierKinds = [] } = place.settings;
    return correctionsIn(fields, {
      kinds: kindsAsked(identifierKinds),
      template: templateInForce(this.catalogue.of(place.scope), place.at),
      view: siteNames(this.catalogue, place).template,
      reference: (text) => readReference(text, { identifierKinds }),
    });
  }

  /** The form as it was sent, so that the person need not write it twice. `wrong`: id of the field that was not understood. */
  private askAgain(place: PortalPlace, fields: Fields, wrong: string | null, response: Response): void {
    const { template, names } = siteNames(this.catalogue, place);
    sendPage(response, requestAgainPage(place, draftPosted(fields, template, wrong), names), 422);
  }

  /** By one press: a person who is signed in needs no link. Once; where that was before, the page says so. */
  private async handOutArchive(
    place: PortalPlace,
    session: PortalSession,
    { request: requestId = '' }: Fields,
    response: Response,
  ): Promise<void> {
    if (!session.scopes.includes('requests:read')) throw refused('scope_missing');
    const fetched = await this.requests.fetchArchive(place.scope, requestId, session.subjectId, session.limitedTo);
    if (!isRefusal(fetched)) return sendDownload(response, fetched);
    const isSaidOnPage = fetched.code === 'token_used' || fetched.code === 'state_conflict';
    if (isSaidOnPage) return response.redirect(SEE_OTHER, `${place.path}/requests`);
    throw new Refused(fetched);
  }

  private async saveConsent(
    request: PortalRequest,
    place: PortalPlace,
    session: PortalSession,
    { purpose = '', version = '', decision = '', locale = '' }: Fields,
    response: Response,
  ): Promise<void> {
    if (!isOffered(decision)) throw invalid([{ path: 'decision', message: 'is none of this page' }]);
    const collection = {
      method: 'TOGGLE',
      surface: 'PREFERENCE_CENTER',
      url: this.places.addressOf(place, 'consents'),
      ...(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/.test(locale) && { locale }),
    } as const;
    await this.doors.recordConsent(
      this.places.callerOf(request, place, session),
      session.subjectId,
      { purpose, purposeVersion: Number(version), decision, collection },
      hasGpc(request.headers),
    );
    response.redirect(SEE_OTHER, `${place.path}/consents?done=saved`);
  }
}

/** What a person may do whose address is not known to be the subject's. */
const LIMITED_SCOPES = ['requests:read', 'requests:write'] as const;

/** Refusals of an id without a subject. */
const GONE: readonly string[] = ['subject_erased', 'subject_not_found'];

const isType = (text: string): text is DataRequestType => (DATA_REQUEST_TYPES as readonly string[]).includes(text);

const ADDRESS_LENGTH_MAX = 320;

const isOffered = (text: string): text is 'GRANTED' | 'WITHDRAWN' | 'OBJECTED' =>
  ['GRANTED', 'WITHDRAWN', 'OBJECTED'].includes(text);

/** Where the click of a mail leads: back to where the person came from, else to the site; null where it has no domain. */
function wayBack({ settings }: PortalPlace, { redirectUrl }: PortalSession): string | null {
  const domain = settings.domains.find((each) => !each.startsWith('*'));
  return redirectUrl ?? (domain === undefined ? null : `https://${domain}/`);
}

/** Null where it is no address. */
function addressOf(typed = ''): Reference | null {
  const reference = parseReference(`email:${typed.slice(0, ADDRESS_LENGTH_MAX)}`);
  return isRefusal(reference) ? null : reference;
}

/** To the page where one signs in, which says why. */
const sendBack = (response: Response, { path }: PortalPlace, wrong: NoticeWord): void =>
  response.redirect(SEE_OTHER, `${path}?wrong=${wrong}`);
