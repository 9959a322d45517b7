import { needsVerification, type DataRequestType, type Unproven } from '../../data-requests/index.js';
import type { OpenedRequest, WantedRequest } from '../../data-requests/services.js';
import type { Instant, Reference } from '../../kernel/index.js';
import type { AskDto, AskedDto } from './dto.js';

/** A request as a person made it on a page. */
export type AskedFor = Omit<AskDto, 'subject'> & { subject: Reference; receivedAt: Instant };

/** How a person showed to be the subject, or what they showed that is not enough. */
export type Shown = { verifiedBy: 'EMAIL_CODE' | 'IDENTITY_TOKEN' | 'PORTAL_TOKEN' } | { unproven: Unproven };

/** A code went to an address that may be another person's. */
export const unprovenBy = (identifierId: string): Shown => ({
  unproven: { reason: 'ADDRESS_NOT_VERIFIED', identifierId },
});

/** The same for the context of data requests. `shown`: null where nothing needs to be. */
export function wantedOf(
  { subject, type, jurisdiction, details, corrections, requester, locale, receivedAt }: AskedFor,
  shown: Shown | null,
): WantedRequest {
  const isNeeded = needsVerification(type);
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
    ...(shown && (isNeeded || 'verifiedBy' in shown) && shown),
    ...(!isNeeded && { atOnce: true }),
  };
}

/** The answer to the page. `opened`: null where no proof was given. */
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
