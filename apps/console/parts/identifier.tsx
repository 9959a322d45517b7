import { sites, type Place } from '../session.js';
import { frameWords as t } from '../frame/words.js';

const KINDS = ['email', 'phone', 'user_id', 'external_id', 'visitor_id', 'device_id', 'idfa', 'idfv', 'gaid'] as const;

/** Kinds by which a site knows persons: those of every site, its own, and the id of the service. */
export const identifierKindsOf = ({ site }: Place): readonly string[] => [
  ...KINDS,
  ...(sites.value.find((each) => each.site === site)?.identifierKinds ?? []),
  'subject',
];

/** Name of a kind of identifiers; of a site's own kinds, their name there. */
export const kindName = (kind: string): string =>
  kind === 'subject' || (KINDS as readonly string[]).includes(kind)
    ? t(`kind.${kind as (typeof KINDS)[number] | 'subject'}`)
    : kind.replace(/^custom\./, '').replace(/_/g, ' ');

/** `sub_01K…7RQ4`, for eyes. */
export const shortId = (id: string): string => (id.length > 16 ? `${id.slice(0, 7)}…${id.slice(-4)}` : id);
