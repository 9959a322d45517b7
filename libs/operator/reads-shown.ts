import { everyRead, type SubjectRead } from '../access/index.js';
import { isRefusal, parseReference, Refused, type Instant, type Scope } from '../kernel/index.js';
import type { Engines } from './engines.js';
import { subjectNamed } from './export/subject-named.js';
import { familyOfSubject } from '../subject-archive/index.js';

export interface ShownReadsWanted extends Scope {
  /** A reference of any kind; `subject:sub_…` names erased subjects too. Null: reads of all subjects. */
  subject: string | null;
  /** Id of a key, or `operator:<user>@<host>`; null: all readers. */
  reader: string | null;
  from: Instant | null;
  to: Instant | null;
  /** The newest of them. */
  most: number;
}

/** Reads of subjects, newest hour first, and whether there are more than the limit. */
export async function showReads(
  engines: Engines,
  { subject, most, ...wanted }: ShownReadsWanted,
): Promise<{ reads: SubjectRead[]; hasMore: boolean }> {
  const subjectIds = subject === null ? null : await familyNamed(engines, subject, wanted);
  const reads: SubjectRead[] = [];
  for await (const read of everyRead(engines.database, { ...wanted, subjectIds })) {
    if (reads.length === most) return { reads, hasMore: true };
    reads.push(read);
  }
  return { reads, hasMore: false };
}

async function familyNamed(engines: Engines, subject: string, { site, env }: Scope): Promise<string[]> {
  const reference = parseReference(subject);
  if (isRefusal(reference)) throw new Refused(reference);
  const scope = { site, env };
  return familyOfSubject(engines, scope, await subjectNamed(engines, { subject, scope }));
}
