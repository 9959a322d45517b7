import type { Instant, Scope } from '../kernel/index.js';
import { maskedText, subjectStream } from '../kernel/index.js';
import type { Engines } from './engines.js';
import type { Operator } from './events.js';
import { noSuchSubject, subjectNamed } from './export/subject-named.js';
import { ciphersOf, eventsOf, familyOfSubject, opened } from '../subject-archive/index.js';
import { identifiersOf, saysIdentifiers, type ShownIdentifier } from '../subjects/index.js';
import { recordOperation } from './operations.js';
import { noteOperatorRead } from './operator-reads.js';

export interface SubjectWanted {
  /** A reference of any kind; `subject:sub_…` names erased subjects too. */
  subject: string;
  scope: Scope;
  /** MASKED: identifiers, and texts that people wrote, are shown so that they can be recognised but not used. */
  identifiers: 'MASKED' | 'CLEAR';
  /** Most events of the timeline. */
  most: number;
  by: Operator;
}

export interface ShownSubject extends Scope {
  id: string;
  /** Subjects that were merged with it. */
  family: string[];
  identifiers: ShownIdentifier[];
  consents: Record<string, unknown>[];
  preferences: Record<string, unknown>[];
  /** Newest first. */
  timeline: {
    position: string;
    at: Instant;
    type: string;
    what: string;
    actor: string;
    /** The member of the family in whose stream it stands. */
    subject: string;
  }[];
  /** Number of all events; the timeline holds the newest of them. */
  events: number;
}

/**
 * All that the service knows of one subject, for an operator who has to answer a question. Before it shows anything, it
 * records which operator looked at which subject, and whether identifiers were in clear. The current state comes from the
 * published views, some milliseconds behind the timeline, which comes from the log.
 */
export async function showSubject(
  engines: Engines,
  { subject, scope, identifiers, most, by }: SubjectWanted,
): Promise<ShownSubject> {
  const subjectId = await subjectNamed(engines, { subject, scope });
  const { log, codec, database, timeline: displays } = engines;
  const [first] = await log.read(subjectStream(scope, subjectId), { direction: 'forwards', limit: 1 });
  if (!first) throw noSuchSubject();
  await recordOperation(engines, { type: 'SubjectShown', data: { by, subjectId, ...scope, identifiers } });
  await noteOperatorRead(engines, { by, subjectId, ...scope, operation: 'subjects show' });
  const family = await familyOfSubject(engines, scope, subjectId);
  const id = family[0]!;
  const cipherOf = await ciphersOf(engines.vault, family);
  const mask = identifiers === 'CLEAR' ? (text: string) => text : maskedText;
  const known: Parameters<typeof identifiersOf>[0][number][] = [];
  let timeline: ShownSubject['timeline'] = [];
  let events = 0;
  for await (const page of eventsOf(engines, scope, family, await log.head())) {
    for (const event of page) {
      const member = event.stream.slice(event.stream.lastIndexOf('.') + 1);
      const cipher = cipherOf(member);
      const read = displays.known(cipher ? opened(codec, event, cipher, cipherOf) : null);
      if (read !== null && saysIdentifiers(read)) known.push(read);
      const { recordedAt: at, actor } = event.metadata;
      const what = displays.lineOf(read, mask);
      timeline.push({ position: String(event.position), at, type: event.type, what, actor, subject: member });
    }
    events += page.length;
    timeline = timeline.slice(-most);
  }
  const rows = async (view: string, columns: string): Promise<Record<string, unknown>[]> =>
    database.run(`select ${columns} from read.${view} where subject_id = $1 and site = $2 and env = $3 order by 1, 2`, [
      id,
      scope.site,
      scope.env,
    ]);
  return {
    id,
    ...scope,
    family: family.slice(1),
    identifiers: identifiersOf(known, mask),
    consents: await rows('current_consent', 'purpose, state, purpose_version, given_at, expires_at, gpc'),
    preferences: await rows('current_preferences', 'channel, topic, state, since, sendable, blocked_by'),
    timeline: timeline.reverse(),
    events,
  };
}
