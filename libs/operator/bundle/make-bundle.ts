import { createHash } from 'node:crypto';
import { subjectStream, type Position } from '../../kernel/index.js';
import type { BundleSigner } from '../../receipts/index.js';
import { noSuchSubject, subjectNamed } from '../export/subject-named.js';
import { familyOfSubject } from '../../subject-archive/index.js';
import { noteOperatorRead } from '../operator-reads.js';
import { recordOperation } from '../operations.js';
import { BundleFiles, type BundleContents, type BundleEngines } from './bundle-files.js';
import { Members } from './members.js';
import type { ProvenLedger } from './proofs.js';
import type { BundleWanted } from './question.js';

export interface Bundled extends BundleContents {
  files: number;
  bytes: number;
  /** Of the archive, in hex. */
  sha256: string;
}

/**
 * Makes the archive for an auditor, and passes it to `write`. The same question about the same log gives the same bytes:
 * all instants in it come from the log or the question. Needs disk space beside `folder` for the whole archive, and memory
 * for the texts and rules that its records name, not for the records. Calls `look` with the share, 0 to 1, and the events
 * so far.
 */
export async function makeBundle(
  engines: BundleEngines,
  { signer, proven }: { signer: BundleSigner; proven: ProvenLedger },
  wanted: BundleWanted,
  folder: string,
  write: (chunk: Uint8Array) => Promise<void>,
  look: (share: number, events: number) => void,
): Promise<Bundled> {
  const head = await engines.log.head();
  const through = wanted.through !== null && wanted.through < head ? wanted.through : head;
  const family = await familyAsked(engines, wanted);
  await record(engines, wanted, family, through);
  const members = await Members.in(folder);
  try {
    const made = await new BundleFiles(engines, signer, proven, wanted, family, through, members).make(look);
    const hash = createHash('sha256');
    let bytes = 0;
    await members.pack(async (chunk) => {
      hash.update(chunk);
      bytes += chunk.length;
      await write(chunk);
    });
    return { ...made, files: members.list().length, bytes, sha256: hash.digest('hex') };
  } finally {
    await members.remove();
  }
}

/** The subject of the question and all that were merged with it, the survivor first; null: the question is about all. */
async function familyAsked(engines: BundleEngines, { of, scope }: BundleWanted): Promise<string[] | null> {
  if (!('subject' in of)) return null;
  const subjectId = await subjectNamed(engines, { subject: of.subject, scope });
  const [first] = await engines.log.read(subjectStream(scope, subjectId), { direction: 'forwards', limit: 1 });
  if (!first) throw noSuchSubject();
  return familyOfSubject(engines, scope, subjectId);
}

/** Records which operator takes which data, before any of it is written. */
async function record(
  engines: BundleEngines,
  { of, scope, withPersonalData, by }: BundleWanted,
  family: string[] | null,
  through: Position,
): Promise<void> {
  const subjectId = family?.[0] ?? null;
  if (withPersonalData) {
    const since = 'since' in of ? of.since : null;
    const data = { by, subjectId, ...scope, since, through: String(through) };
    await recordOperation(engines, { type: 'AuditExported', data });
  } else if (subjectId !== null) {
    await recordOperation(engines, { type: 'SubjectShown', data: { by, subjectId, ...scope, identifiers: 'MASKED' } });
  }
  if (withPersonalData || subjectId !== null)
    await noteOperatorRead(engines, { by, subjectId, ...scope, operation: 'audit bundle' });
}
