import { needsVerification, type DataRequestType } from '../../data-requests/index.js';
import type { OpenedRequest, WantedRequest } from '../../data-requests/intake.js';
import type { Instant, Reference } from '../../kernel/index.js';
import type { AskDto, AskedDto } from './dto.js';

/** A request as somebody made it on a page. */
export type AskedFor = Omit<AskDto, 'subject'> & { subject: Reference; receivedAt: Instant };

/** The same for the context of data requests. `verifiedBy`: how somebody showed to be the subject; null: they need not. */
export function wantedOf(
  { subject, type, jurisdiction, details, corrections, requester, locale, receivedAt }: AskedFor,
  verifiedBy: 'EMAIL_CODE' | 'IDENTITY_TOKEN' | 'PORTAL_TOKEN' | null,
): WantedRequest {
  return {
    subject,
    type,
    source: 'PORTAL',
    receivedAt,
    ...(jurisdiction && { jurisdiction }),
    ...(details !== undefined && { details }),
    ...(corrections && { corrections }),
    ...(requester && { requester }),
    ...(locale !== undefined && { locale }),
    ...(verifiedBy !== null && { verifiedBy }),
    ...(!needsVerification(type) && { atOnce: true }),
  };
}

/** What the page is told. `opened`: null where nobody has shown to be the subject. */
export function askedView(type: DataRequestType, opened: Pick<OpenedRequest, 'status' | 'request'> | null): AskedDto {
  return {
    object: 'portal_request',
    type,
    status: 'ACCEPTED',
    verification: null,
    request: opened && {
      id: opened.request.id,
      type: opened.request.type,
      state: opened.request.state,
      regulation: opened.request.regulation,
      receivedAt: opened.request.receivedAt,
      acknowledgeBy: opened.request.acknowledgeBy,
      dueAt: opened.request.dueAt,
      extendedDueAt: opened.request.extendedDueAt,
      duplicate: opened.status === 'DUPLICATE',
    },
  };
}
