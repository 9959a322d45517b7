import { isRefusal, parseReference, Refused, refusal, type Scope } from '../../kernel/index.js';
import type { Engines } from '../engines.js';

export const noSuchSubject = (): Refused =>
  new Refused(
    refusal(
      'subject_not_found',
      'The log holds nothing about that subject.',
      'Check the reference, --site and --env. After an erasure a subject is found by its id only: subject:sub_…',
    ),
  );

/** The id that a reference stands for. */
export async function subjectNamed(
  { vault }: Pick<Engines, 'vault'>,
  { subject, scope }: { subject: string; scope: Scope },
): Promise<string> {
  const reference = parseReference(subject);
  if (isRefusal(reference)) throw new Refused(reference);
  const found = await vault.find(scope, reference);
  // The vault may have forgotten a subject whose decisions are kept.
  if (!found && reference.kind !== 'subject') throw noSuchSubject();
  return found?.subjectId ?? reference.value;
}
