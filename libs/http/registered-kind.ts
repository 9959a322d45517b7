import { isRefusal, parseReference, refusal, type Reference, type Refusal } from '../kernel/index.js';

/** The setting of a site that decides which references its callers may use. */
export interface ByKinds {
  /** `custom.<slug>` kinds that the site has registered. */
  identifierKinds: readonly string[];
}

/** Why a kind cannot be used by a site; null where it can. Kinds that are not custom are every site's. */
export const unregisteredKind = (kind: string, { identifierKinds }: ByKinds): Refusal | null =>
  !kind.startsWith('custom.') || identifierKinds.includes(kind)
    ? null
    : refusal(
        'identifier_kind_unknown',
        'That identifier kind is not registered for this site.',
        `Register it with: assent sites register <site> --name <name> --identifier-kind ${kind}, beside the kinds that are registered already.`,
      );

/** Reads a reference as `parseReference` does, and refuses custom kinds that the site of the caller has not registered. */
export function readReference(text: string, by: ByKinds): Reference | Refusal {
  const reference = parseReference(text);
  return isRefusal(reference) ? reference : (unregisteredKind(reference.kind, by) ?? reference);
}
