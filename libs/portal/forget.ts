import type { ErasedSubjects, ForgettingEngines } from '../context/define-context.js';
import { addressesIn } from '../engines/mail/mail.js';
import { forgetCodes } from './codes/code-rows.js';
import { addressDigest } from './codes/mailed-codes.js';
import { forgetOptOuts } from './intake/opt-outs.js';

/**
 * What people asked for before anybody looked up who they are is sealed with the master key and not with theirs: it is
 * found by what they are known by.
 */
export async function forgetAsked(
  { database, master }: ForgettingEngines,
  { scope, subjectIds, references }: ErasedSubjects,
): Promise<void> {
  await forgetCodes(
    database,
    addressesIn(references).map((address) => addressDigest(master, scope, address)),
  );
  const byId = subjectIds.map((value) => ({ kind: 'subject', value }) as const);
  await forgetOptOuts({ database, master }, scope, [...references, ...byId]);
}
