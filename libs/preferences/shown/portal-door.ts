import type { Collection } from '../../consent/index.js';
import { FRESH, type PortalDoor } from '../../context/portal-door.js';
import type { Caller } from '../../http/caller.js';
import { Refused, type Position, type Work } from '../../kernel/index.js';
import { SubjectLookup } from '../../subjects/services.js';
import type { FieldValue } from '../events.js';
import { GetPreferences } from '../read/get-preferences.handler.js';
import type { PreferencesView } from '../view.js';
import { RequestConfirmation } from '../write/request-confirmation.handler.js';
import { SetPreferences } from '../write/set-preferences.handler.js';

/** What a person changed on the page. */
export interface WantedPreferences {
  values: { field: string; value?: FieldValue; frequency?: string | null; pausedUntil?: string | null }[];
  globalOptOut?: boolean;
}

/** What a person said, and which topics of it wait for a confirmation, by their full paths. */
export interface PortalPreferences {
  receiptId: string;
  position: Position;
  pending: string[];
}

/** Topics that wait, and where the click of the mail leads. */
export interface PendingWish {
  fields: readonly string[];
  redirectUrl: string;
  locale: string;
}

/** What the portal asks about preferences. */
export interface PortalWishes {
  /** Needs the role that reads; never misses an acknowledged write. */
  preferencesOf(caller: Caller, subjectId: string, work: Work): Promise<PreferencesView>;
  /** Needs the role that writes. So does the next one. */
  setPreferences(
    caller: Caller,
    subjectId: string,
    wanted: WantedPreferences,
    collection: Collection,
  ): Promise<PortalPreferences>;
  /**
   * Mails the person links by which they confirm topics that wait for it. Where they have no address, or no mail can go to it
   * now, the topics go on waiting.
   */
  askToConfirm(caller: Caller, subjectId: string, wish: PendingWish): Promise<void>;
}

export const portalWishes: PortalDoor<PortalWishes> = ({ commands, queries, modules, calling }) => ({
  preferencesOf: async (caller, subjectId, work) => {
    const by = calling(caller, 'getPreferences');
    return (await queries.execute(new GetPreferences(by, `subject:${subjectId}`, { ...FRESH, work }))).view!;
  },
  setPreferences: async (caller, subjectId, wanted, collection) => {
    const by = calling(caller, 'setPreferences');
    const input = { subject: `subject:${subjectId}`, ...wanted, collection };
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
      const asking = new RequestConfirmation(by, { subject: `subject:${subjectId}`, values, to, ...wish }, null);
      await commands.execute(asking).catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error;
      });
    }
  },
});
