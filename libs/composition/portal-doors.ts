import { Global, Module } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { grants, type GrantedScope } from '../access/index.js';
import { ConsentReader } from '../consent/read/reader.js';
import { GetConsentState } from '../consent/read/get-consent-state.handler.js';
import { RecordConsentCommand } from '../consent/write/record-consent.handler.js';
import { ArchiveRows } from '../data-requests/archive/archive-rows.js';
import { OTHER_KINDS } from '../data-requests/corrections.js';
import type { Correction } from '../data-requests/index.js';
import { RequestLists } from '../data-requests/read/request-lists.js';
import { wasMadeUnder } from '../data-requests/state.js';
import { RequestViews } from '../data-requests/request-views.js';
import type { JoinedEvent } from '../streams/joined-history.js';
import { CLOCK, isRefusal, maskedText, referenceText, Refused, type Clock } from '../kernel/index.js';
import type { Caller } from '../http/caller.js';
import { historyPageOf, readHistoryCursor } from '../http/list.js';
import { refused } from '../http/errors/refused.js';
import { Vault } from '../vault/vault.js';
import { PORTAL_DOORS, type ListedReceipt, type PortalDoors } from '../portal/doors.js';
import { GetPreferences } from '../preferences/read/get-preferences.handler.js';
import { RequestConfirmation } from '../preferences/write/request-confirmation.handler.js';
import { SetPreferences } from '../preferences/write/set-preferences.handler.js';
import { keysAtHand, verdictOn } from '../receipts/index.js';
import { GetReceipt } from '../receipts/read/get-receipt.handler.js';
import { SigningKeys } from '../receipts/signing-keys.js';
import { provesSubject } from '../subjects/index.js';
import { SubjectLookup } from '../subjects/lookup.js';
import { CreateSubject } from '../subjects/write/create-subject.handler.js';
import { Resolver } from '../subjects/write/resolver.js';
import { COMPOSITION } from './contexts.js';

/** Somebody who calls an operation from the portal: held against its scope, as the guard does with a token. */
function calling(caller: Caller, id: string): Caller {
  const { scope } = COMPOSITION.operations.of(id)!;
  if (scope !== null && !grants('pk', caller.scopes as readonly GrantedScope[], scope)) throw refused('scope_missing');
  return { ...caller, operation: id };
}

const FRESH = { fresh: true, after: null, ifNoneMatch: undefined } as const;
const REQUESTS_MAX = 100;
const RECEIPTS_A_PAGE = 20;
const ref = (subjectId: string): string => `subject:${subjectId}`;

/** What an event says that has a receipt; null: it has none. */
function listedReceipt({ event, subjectId }: JoinedEvent): ListedReceipt | null {
  const { position, type, metadata } = event;
  const { recordedAt } = metadata;
  const { timeline } = COMPOSITION;
  const entries = timeline.entriesOf({
    position: String(position),
    recordedAt,
    type,
    subjectId,
    event: timeline.known(event),
  });
  const [first] = entries;
  if (!first?.receipt) return null;
  const answers = new Set(entries.map(({ answer }) => answer));
  return {
    receiptId: first.receipt,
    about: [...new Set(entries.map(({ about }) => about))],
    answer: answers.size === 1 ? first.answer : null,
    at: first.givenAt ?? first.recordedAt,
  };
}

/** What is to be put right, as the subject may see it. */
async function shownCorrections(views: RequestViews, by: Caller, requestId: string): Promise<readonly Correction[]> {
  const request = await views.find(by, requestId);
  if (!request) return [];
  const { corrections, source } = await views.of(request);
  const isEnteredHere = source === 'PORTAL' && request.texts.corrections === undefined;
  return isEnteredHere ? corrections : corrections.map(masked);
}

const masked = (correction: Correction): Correction => {
  const { kind, value, replaces } = correction;
  if ((OTHER_KINDS as readonly string[]).includes(kind)) return correction;
  return {
    kind,
    value: typeof value === 'string' ? maskedText(value) : value,
    ...(replaces !== undefined && { replaces: maskedText(replaces) }),
  };
};

function portalDoors(commands: CommandBus, queries: QueryBus, modules: ModuleRef): PortalDoors {
  const doors: PortalDoors = {
    subjectOf: async (caller, reference) => {
      const resolver = modules.get(Resolver, { strict: false });
      const found =
        reference.kind === 'subject'
          ? await resolver.resolve(caller, referenceText(reference), 'subject')
          : await resolver.find(caller, reference);
      if (isRefusal(found)) throw new Refused(found);
      if (found !== null) return found;
      const { kind, value } = reference;
      const { answer } = await commands.execute(new CreateSubject(caller, { identifiers: [{ kind, value }] }, null));
      return answer.subject.id;
    },
    ownerOf: async (caller, address) => {
      const subjectId = await doors.subjectOf(caller, address);
      const identifierId = (await modules.get(Vault, { strict: false }).find(caller, address))!.identifierId;
      const { identifiers } = await modules.get(SubjectLookup, { strict: false }).view(caller, subjectId);
      return { subjectId, identifierId, isProven: provesSubject(identifiers, identifierId) };
    },
    preferencesOf: async (caller, subjectId, work) => {
      const by = calling(caller, 'getPreferences');
      return (await queries.execute(new GetPreferences(by, ref(subjectId), { ...FRESH, work }))).view!;
    },
    consentOf: async (caller, subjectId, { place, gpc }, work) => {
      const by = calling(caller, 'getConsentState');
      const asked = { place: place?.country ? { ...place, by: 'PROXY' as const } : null, gpcOnRequest: gpc };
      const query = new GetConsentState(by, ref(subjectId), undefined, asked, { ...FRESH, work });
      return (await queries.execute(query)).view!;
    },
    receipt: async (caller, receiptId) => {
      const by = calling(caller, 'getReceipt');
      const { receipt, jws } = await queries.execute(new GetReceipt(by, receiptId, undefined, 'assent', null));
      const keys = keysAtHand({ keys: await modules.get(SigningKeys, { strict: false }).published() });
      const { verdict, kid } = verdictOn(JSON.stringify({ receipt, jws }), keys!);
      return { receipt, jws, isValid: verdict === 'VALID', kid };
    },
    receiptsOf: async (caller, subjectId, before) => {
      const by = calling(caller, 'getReceipt');
      const reader = modules.get(ConsentReader, { strict: false });
      const reference = { kind: 'subject', value: subjectId } as const;
      const after = before === null ? undefined : readHistoryCursor(before);
      const wanted = { after, limit: RECEIPTS_A_PAGE };
      const { data, nextCursor } = historyPageOf(await reader.history(by, reference, wanted, listedReceipt));
      return { data, next: nextCursor };
    },
    requestsOf: async (caller, subjectId, after, under) => {
      const by = calling(caller, 'listDataRequests');
      const lists = modules.get(RequestLists, { strict: false });
      const query = { subject: ref(subjectId), order: 'NEWEST', limit: REQUESTS_MAX } as const;
      const { data: all } = await lists.list(by, query, after);
      const views = modules.get(RequestViews, { strict: false });
      const isShown = async ({ id }: { id: string }): Promise<boolean> => {
        const request = under === null ? null : await views.find(by, id);
        return under === null || (request !== null && wasMadeUnder(request, under));
      };
      const shown = await Promise.all(all.map(isShown));
      const data = all.filter((_, i) => shown[i]);
      const answered = data.filter(({ effect }) => effect?.kind === 'ARCHIVE').map(({ id }) => id);
      const archives = await modules
        .get(ArchiveRows, { strict: false })
        .outlook(answered, modules.get<Clock>(CLOCK, { strict: false })());
      return Promise.all(
        data.map(async (request) => {
          const corrections = request.type === 'RECTIFICATION' ? await shownCorrections(views, by, request.id) : [];
          return { ...request, archive: archives.get(request.id) ?? null, corrections };
        }),
      );
    },
    setPreferences: async (caller, subjectId, changes, collection) => {
      const by = calling(caller, 'setPreferences');
      const input = { subject: ref(subjectId), ...changes, collection };
      const { answer, position } = await commands.execute(new SetPreferences(by, input, null));
      const pending = answer.changes.filter(({ state }) => state === 'PENDING').map(({ field }) => field);
      return { receiptId: answer.receiptId, position: position!, pending };
    },
    askToConfirm: async (caller, subjectId, { fields, ...wish }) => {
      const by = calling(caller, 'setPreferences');
      const { identifiers } = await modules.get(SubjectLookup, { strict: false }).view(caller, subjectId);
      const to = identifiers.find(({ kind }) => kind === 'email')?.value;
      if (typeof to !== 'string') return;
      const channelOf = (field: string): string => field.split('.')[1]!;
      // One link is about one channel.
      for (const channel of new Set(fields.map(channelOf))) {
        const topics = fields.filter((field) => channelOf(field) === channel);
        const values = topics.map((field) => ({ field, value: true }));
        const asking = new RequestConfirmation(by, { subject: ref(subjectId), values, to, ...wish }, null);
        await commands.execute(asking).catch((error: unknown) => {
          if (!(error instanceof Refused)) throw error;
        });
      }
    },
    recordConsent: async (caller, subjectId, decision, gpc) => {
      const by = calling(caller, 'recordConsent');
      const input = { subject: ref(subjectId), ...decision };
      const { view, position } = await commands.execute(new RecordConsentCommand(by, input, null, gpc));
      return { receiptId: view.receiptId, position };
    },
  };
  return doors;
}

/** What the portal may ask of the other contexts, by the commands and queries that their operations use. */
@Global()
@Module({
  providers: [{ provide: PORTAL_DOORS, inject: [CommandBus, QueryBus, ModuleRef], useFactory: portalDoors }],
  exports: [PORTAL_DOORS],
})
export class PortalDoorsModule {}
