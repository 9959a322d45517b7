import { plusMs, refusal, type Environment, type Instant, type Refusal, type Scope } from '../../kernel/index.js';
import type { BannerButton } from './definition.js';
import type { Presentation, ShownPurpose } from './presentation.js';

/** `typ` of the JWS: no other statement that is signed with the same key can pass as a presentation token. */
export const PRESENTATION_TYPE = 'consent-presentation+jws';
/** Characters: enough for a banner with some 120 purposes. The service makes no token for a larger one. */
export const PRESENTATION_TOKEN_LENGTH_MAX = 16_384;

const DAY_MS = 24 * 3_600_000;
/** How far the clock that dates a choice may lag behind the server's. */
const LAG_MS = 5 * 60_000;

type ShownButton = [action: BannerButton['action'], layer: number, emphasis: BannerButton['emphasis']];
/** The language, if it differs from the banner's. */
type StatedPurpose = [key: string, version: number, hash: string, standing: ShownPurpose['default'], locale?: string];

/** Content of a token: a presentation, in short form, since a page sends it with each choice. Hashes are base64url. */
export interface PresentationClaims {
  site: string;
  env: Environment;
  shownAt: Instant;
  expiresAt: Instant;
  banner: Omit<Presentation['banner'], 'contentHash'> & { hash: string };
  buttons: ShownButton[];
  policy: Presentation['policy'];
  purposes: StatedPurpose[];
}

export function claimsOf({ site, env }: Scope, presentation: Presentation): PresentationClaims {
  const { shownAt, banner, buttons, policy, purposes } = presentation;
  const { contentHash, ...shown } = banner;
  return {
    site,
    env,
    shownAt,
    expiresAt: plusMs(shownAt, DAY_MS),
    banner: { ...shown, hash: short(contentHash) },
    buttons: buttons.map(({ action, layer, emphasis }) => [action, layer, emphasis]),
    policy: { ...policy, fingerprint: short(policy.fingerprint) },
    purposes: purposes.map((purpose): StatedPurpose => {
      const stated = [purpose.key, purpose.version, short(purpose.contentHash), purpose.default] as const;
      return purpose.locale === banner.locale ? [...stated] : [...stated, purpose.locale];
    }),
  };
}

/** The presentation of claims that this service signed. */
function presentationBy({ shownAt, banner, buttons, policy, purposes }: PresentationClaims): Presentation {
  const { hash, ...shown } = banner;
  return {
    shownAt,
    banner: { ...shown, contentHash: long(hash) },
    buttons: buttons.map(([action, layer, emphasis]) => ({ action, layer, emphasis })),
    policy: { ...policy, fingerprint: long(policy.fingerprint) },
    purposes: purposes.map(([key, version, contentHash, standing, locale = banner.locale]) => ({
      key,
      version,
      locale,
      contentHash: long(contentHash),
      default: standing,
    })),
  };
}

const SHA256 = 'sha256:';
const short = (hash: string): string => Buffer.from(hash.slice(SHA256.length), 'hex').toString('base64url');
const long = (hash: string): string => `${SHA256}${Buffer.from(hash, 'base64url').toString('hex')}`;

/** The signed statement; null: the text is none of this service. */
export type Signed = { env: Environment; content: unknown } | null;

/**
 * The presentation that a token proves for a choice made at `chosenAt`, or a refusal. The token counts for choices made
 * within a day. Such a choice may arrive later, for example from a device that was offline.
 */
export function presentationIn(signed: Signed, { site, env }: Scope, chosenAt: Instant): Presentation | Refusal {
  if (!signed) return presentationRefusals.invalid();
  const claims = signed.content as PresentationClaims;
  if (signed.env !== env || claims.env !== env || claims.site !== site) return presentationRefusals.foreign();
  if (chosenAt >= claims.expiresAt) return presentationRefusals.expired(claims.expiresAt);
  if (claims.shownAt > plusMs(chosenAt, LAG_MS))
    return presentationRefusals.mismatch('givenAt', 'lies before what the presentation token says was shown');
  return presentationBy(claims);
}

/** What a choice states about the page that asked for it. */
export interface ClaimedShown {
  purposeVersion?: number | undefined;
  bannerVersion?: number | undefined;
}

/** The purpose as the page showed it, or why a token does not prove that. `path`: of the record, with its dot. */
export function shownPurpose(
  { purposes, banner }: Presentation,
  key: string,
  claimed: ClaimedShown,
  keyPath = 'purpose',
): ShownPurpose | Refusal {
  const { mismatch } = presentationRefusals;
  const shown = purposes.find((purpose) => purpose.key === key);
  if (!shown) return mismatch(keyPath, 'is not among the purposes that were shown');
  if (claimed.purposeVersion !== undefined && claimed.purposeVersion !== shown.version)
    return mismatch('purposeVersion', `is not the version that was shown, ${shown.version}`);
  return sameBanner({ banner }, claimed) ?? shown;
}

/** Refuses a token that does not fit the banner that a choice names. */
export const sameBanner = (
  { banner }: Pick<Presentation, 'banner'>,
  { bannerVersion }: Pick<ClaimedShown, 'bannerVersion'>,
): Refusal | null =>
  bannerVersion === undefined || bannerVersion === banner.version
    ? null
    : presentationRefusals.mismatch('collection.bannerVersion', `is not the version that was shown, ${banner.version}`);

const TOKEN = 'collection.presentationToken';

export const presentationRefusals = {
  invalid: (): Refusal =>
    refusal(
      'presentation_token_invalid',
      'The presentation token was not signed by this service, or is not what was signed.',
      'Send presentationToken as GET /v1/banner answered it, to the letter; or leave it out.',
      [{ path: TOKEN, message: 'is no presentation token of this service' }],
    ),
  foreign: (): Refusal =>
    refusal(
      'presentation_token_foreign',
      'The presentation token is of another site or environment.',
      'Send the token of the banner that was asked for with a key of the same site and environment.',
      [{ path: TOKEN, message: 'is of another site or environment' }],
    ),
  expired: (at: Instant): Refusal =>
    refusal(
      'presentation_token_expired',
      'The presentation token has expired: it counts for choices that are made within a day.',
      'Show the banner anew, and send the token that came with it.',
      [{ path: TOKEN, message: `expired at ${at}` }],
    ),
  mismatch: (path: string, message: string): Refusal =>
    refusal(
      'presentation_mismatch',
      'The presentation token says that something else was shown.',
      'Send with each choice the token of the banner that it was made on; leave the token out where the choice was made elsewhere.',
      [{ path, message }],
    ),
  changed: (): Refusal =>
    refusal(
      'presentation_changed',
      'What is on the screen is not what would be shown now.',
      'Ask again without contentHash, and show what is answered in its place.',
      [{ path: 'contentHash', message: 'is not the hash of what would be shown' }],
    ),
} as const;
