import { GOOGLE_CONSENT_TYPES, type PurposeDefinition } from './purpose-definition.js';

type GoogleType = (typeof GOOGLE_CONSENT_TYPES)[number];
export type GoogleConsent = Record<GoogleType, 'granted' | 'denied'>;
type Mapped = Pick<PurposeDefinition, 'category' | 'frameworks'>;

/**
 * For types that no purpose names: the purposes of IAB TCF that must all be allowed, as Google's tags read TC strings.
 */
const BY_TCF: Readonly<Partial<Record<GoogleType, readonly number[]>>> = {
  ad_storage: [1],
  ad_user_data: [1, 7],
  ad_personalization: [3, 4],
};
/** Types that need no consent if the site has strictly necessary purposes. */
const NECESSARY: readonly GoogleType[] = ['functionality_storage', 'security_storage'];

/**
 * The seven types of Google's consent mode. A type is granted if every purpose that names it is allowed. If none names
 * it, the purposes of IAB TCF decide; if none of these is mapped either, the type is denied.
 */
export function googleConsent<P extends Mapped>(
  purposes: readonly P[],
  isAllowed: (purpose: P) => boolean,
): GoogleConsent {
  const areAll = (carriers: readonly P[]): boolean => carriers.length > 0 && carriers.every(isAllowed);
  const isGranted = (type: GoogleType): boolean => {
    const carriers = purposes.filter(({ frameworks }) => frameworks.google.includes(type));
    if (carriers.length > 0) return areAll(carriers);
    const needed = BY_TCF[type];
    if (needed)
      return needed.every((id) => areAll(purposes.filter(({ frameworks }) => frameworks.tcf.purposes.includes(id))));
    return NECESSARY.includes(type) && areAll(purposes.filter(({ category }) => category === 'NECESSARY'));
  };
  return Object.fromEntries(
    GOOGLE_CONSENT_TYPES.map((type) => [type, isGranted(type) ? 'granted' : 'denied']),
  ) as GoogleConsent;
}
