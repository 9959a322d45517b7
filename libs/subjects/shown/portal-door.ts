import type { PortalDoor } from '../../context/portal-door.js';
import type { Caller } from '../../http/caller.js';
import { isRefusal, referenceText, Refused, type Reference } from '../../kernel/index.js';
import { Vault } from '../../vault/vault.js';
import { SubjectLookup } from '../lookup.js';
import { provesSubject } from '../proof.js';
import { CreateSubject } from '../write/create-subject.handler.js';
import { Resolver } from '../write/resolver.js';

/** Whom an address belongs to. */
export interface AddressOwner {
  subjectId: string;
  identifierId: string;
  /** Whether who reads its mail has shown to be the subject: false where others of the subject are verified and it is not. */
  isProven: boolean;
}

/** What the portal asks about subjects. Needs the role that writes. */
export interface PortalSubjects {
  /**
   * The id of the subject that a reference names, merges followed; a person who is new is made, an id must be known.
   * Rejects with `subject_not_found` or `subject_erased`.
   */
  subjectOf(caller: Caller, reference: Reference): Promise<string>;
  /** The same for an address to which a code was mailed. */
  ownerOf(caller: Caller, address: Reference): Promise<AddressOwner>;
}

export const portalSubjects: PortalDoor<PortalSubjects> = ({ commands, modules }) => {
  const subjectOf: PortalSubjects['subjectOf'] = async (caller, reference) => {
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
  };
  return {
    subjectOf,
    ownerOf: async (caller, address) => {
      const subjectId = await subjectOf(caller, address);
      const identifierId = (await modules.get(Vault, { strict: false }).find(caller, address))!.identifierId;
      const { identifiers } = await modules.get(SubjectLookup, { strict: false }).view(caller, subjectId);
      return { subjectId, identifierId, isProven: provesSubject(identifiers, identifierId) };
    },
  };
};
