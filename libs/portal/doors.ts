import type { Collection, ConsentStateView } from '../consent/index.js';
import type { ArchiveOutlook, Correction, ListedDataRequest } from '../data-requests/index.js';
import type { Instant, Position, Reference, Work } from '../kernel/index.js';
import type { Caller } from '../http/caller.js';
import type { Whereabouts } from '../policy/index.js';
import type { PreferencesView } from '../preferences/index.js';
import type { Changes } from './pages/preferences-form.js';

/** Injection token of the PortalDoors. */
export const PORTAL_DOORS = Symbol('PortalDoors');

/** Whom an address belongs to. */
export interface AddressOwner {
  subjectId: string;
  identifierId: string;
  /** Whether who reads its mail has shown to be the subject: false where others of the subject are verified and it is not. */
  isProven: boolean;
}

/** A decision that somebody takes on the page. */
export interface PortalDecision {
  purpose: string;
  purposeVersion: number;
  decision: 'GRANTED' | 'WITHDRAWN' | 'OBJECTED';
  collection: Collection;
}

export interface PortalRecord {
  receiptId: string;
  position: Position;
}

/** What somebody said, and which topics of it wait for a confirmation, by their full paths. */
export interface PortalPreferences extends PortalRecord {
  pending: string[];
}

/** Topics that wait, and where the click of the mail leads. */
export interface PendingWish {
  fields: readonly string[];
  redirectUrl: string;
  locale: string;
}

/** A request, and what else its subject may see of it. */
export interface PortalRequest extends ListedDataRequest {
  /** What became of the archive that answered it; null: it has none, or none any more. */
  archive: ArchiveOutlook | null;
  /**
   * What is to be put right. Identifiers that the subject did not enter here are masked, as everywhere where no secret key
   * reads: whoever came by the session should not learn them.
   */
  corrections: readonly Correction[];
}

/** A record that has a receipt. */
export interface ListedReceipt {
  receiptId: string;
  /** Keys of purposes, paths of preferences; `globalOptOut`. */
  about: string[];
  /** What the person said, as a code; null: several things, or a value. */
  answer: string | null;
  at: Instant;
}

/** A receipt, and what anybody who has the key set can say of it. */
export interface ShownReceipt {
  receipt: object;
  jws: string;
  isValid: boolean;
  kid: string | null;
}

/**
 * What the portal asks of other contexts: their own commands and queries, as their operations use them, each under the scope
 * that the operation demands. Whoever knows all contexts provides it. Rejects with Refused as the operations do, with
 * `scope_missing` where the caller lacks the scope.
 */
export interface PortalDoors {
  /**
   * The id of the subject that a reference names, merges followed; a person who is new is made, an id must be known.
   * Rejects with `subject_not_found` or `subject_erased`. Needs the role that writes.
   */
  subjectOf(caller: Caller, reference: Reference): Promise<string>;
  /** The same for an address to which a code was mailed. */
  ownerOf(caller: Caller, address: Reference): Promise<AddressOwner>;
  /** Needs the role that reads; never misses an acknowledged write. So do the next two. */
  preferencesOf(caller: Caller, subjectId: string, work: Work): Promise<PreferencesView>;
  consentOf(
    caller: Caller,
    subjectId: string,
    seen: { place: Whereabouts | null; gpc: boolean },
    work: Work,
  ): Promise<ConsentStateView>;
  receipt(caller: Caller, receiptId: string): Promise<ShownReceipt>;
  /** All receipts of the subject and of those merged into it, newest first, page by page; `next`: where the page after goes on. */
  receiptsOf(
    caller: Caller,
    subjectId: string,
    before: string | null,
  ): Promise<{ data: ListedReceipt[]; next: string | null }>;
  /**
   * Newest first, at most a hundred. From rows that reach `after`. `under`: an identifier, where only those are shown that
   * were made by who reads its mail. Needs the role that reads.
   */
  requestsOf(caller: Caller, subjectId: string, after: Position | null, under: string | null): Promise<PortalRequest[]>;
  /** Needs the role that writes. So does the next one. */
  setPreferences(
    caller: Caller,
    subjectId: string,
    changes: Changes,
    collection: Collection,
  ): Promise<PortalPreferences>;
  /**
   * Mails the person links by which they confirm topics that wait for it. Where they have no address, or no mail can go to it
   * now, the topics go on waiting. Needs the role that writes.
   */
  askToConfirm(caller: Caller, subjectId: string, wish: PendingWish): Promise<void>;
  recordConsent(caller: Caller, subjectId: string, decision: PortalDecision, gpc: boolean): Promise<PortalRecord>;
}
