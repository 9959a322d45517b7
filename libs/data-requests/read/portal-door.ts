import type { PortalDoor } from '../../context/portal-door.js';
import type { Caller } from '../../http/caller.js';
import { CLOCK, maskedText, type Clock, type Position } from '../../kernel/index.js';
import { ArchiveRows } from '../archive/archive-rows.js';
import { OTHER_KINDS } from '../corrections.js';
import type { Correction } from '../events.js';
import { RequestViews } from '../request-views.js';
import { wasMadeUnder } from '../state.js';
import type { ArchiveOutlook, ListedDataRequest } from '../view.js';
import { RequestLists } from './request-lists.js';

/** A request, and what else its subject may see of it. */
export interface PortalRequest extends Omit<ListedDataRequest, 'assignee'> {
  /** What became of the archive that answered it; null: it has none, or none any more. */
  archive: ArchiveOutlook | null;
  /**
   * What is to be put right. Identifiers that the subject did not enter here are masked, as everywhere where no secret key
   * reads: a person who came by the session should not learn them.
   */
  corrections: readonly Correction[];
}

/** What the portal asks about data requests. Needs the role that reads. */
export interface PortalRequests {
  /**
   * Newest first, at most a hundred. From rows that reach `after`. `under`: an identifier, where only those are shown that
   * were made by who reads its mail.
   */
  requestsOf(caller: Caller, subjectId: string, after: Position | null, under: string | null): Promise<PortalRequest[]>;
}

const REQUESTS_MAX = 100;

export const portalRequests: PortalDoor<PortalRequests> = ({ modules, calling }) => ({
  requestsOf: async (caller, subjectId, after, under) => {
    const by = calling(caller, 'listDataRequests');
    const lists = modules.get(RequestLists, { strict: false });
    const query = { subject: `subject:${subjectId}`, order: 'NEWEST', limit: REQUESTS_MAX } as const;
    const { data: all } = await lists.list(by, query, after);
    const views = modules.get(RequestViews, { strict: false });
    const isShown = async ({ id }: { id: string }): Promise<boolean> => {
      const request = under === null ? null : await views.find(by, id);
      return under === null || (request !== null && wasMadeUnder(request, under));
    };
    const shown = await Promise.all(all.map(isShown));
    const data = all.filter((_, i) => shown[i]);
    const answered = data.filter(({ effect }) => effect?.kind === 'ARCHIVE').map(({ id }) => id);
    const at = modules.get<Clock>(CLOCK, { strict: false })();
    const archives = await modules.get(ArchiveRows, { strict: false }).outlook(answered, at);
    return Promise.all(
      data.map(async ({ assignee: _, ...request }) => {
        const corrections = request.type === 'RECTIFICATION' ? await shownCorrections(views, by, request.id) : [];
        return { ...request, archive: archives.get(request.id) ?? null, corrections };
      }),
    );
  },
});

/** What is to be put right, as the subject may see it. */
async function shownCorrections(views: RequestViews, by: Caller, requestId: string): Promise<readonly Correction[]> {
  const request = await views.find(by, requestId);
  if (!request) return [];
  const { corrections, source } = await views.of(request);
  const isEnteredHere = source === 'PORTAL' && request.texts.corrections === undefined;
  return isEnteredHere ? corrections : corrections.map(masked);
}

function masked(correction: Correction): Correction {
  const { kind, value, replaces } = correction;
  if ((OTHER_KINDS as readonly string[]).includes(kind)) return correction;
  return {
    kind,
    value: typeof value === 'string' ? maskedText(value) : value,
    ...(replaces !== undefined && { replaces: maskedText(replaces) }),
  };
}
