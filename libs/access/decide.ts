import {
  canonicalJson,
  epochMs,
  happened,
  instantOf,
  plusMs,
  refusal,
  type Decision,
  type Environment,
  type Instant,
  type Issue,
  type Refusal,
} from '../kernel/index.js';
import { changedBrand, issuesOfBrand, NO_BRAND, type BrandChange } from './sites/brand.js';
import type { ApiKeyIssued, SiteEvent, SiteSettings } from './events.js';
import { changedFrameworks, NO_FRAMEWORKS, type FrameworkChange } from './sites/framework-settings.js';
import { issuesOfKey, issuesOfOrigins, issuesOfSite } from './sites/issues.js';
import { readLogo } from './sites/logo.js';
import { conditionOf, DEFAULT_SETTINGS, isLive, type SiteState } from './state.js';

/** Settings with parts. A change may name one part alone. */
type OfParts = 'allowedOrigins' | 'rateLimits' | 'evidence';
/** A change of settings. A setting or part that is left out keeps its value. */
export type WantedSettings = Partial<Omit<SiteSettings, OfParts | 'frameworks'>> & {
  [Setting in OfParts]?: Partial<SiteSettings[Setting]>;
} & { frameworks?: FrameworkChange };

/** Registers a site, or changes the named settings of one; the others keep their value. */
export interface RegisterSite {
  type: 'registerSite';
  site: string;
  settings: WantedSettings;
}

/**
 * Adds origins to a list and removes others. The decision changes the list of the current state instead of replacing it,
 * so that two operators who change it at once both succeed.
 */
export interface ChangeOrigins {
  type: 'changeOrigins';
  env: Environment;
  add: readonly string[];
  remove: readonly string[];
}

/** Changes the look of a site's pages and mails. */
export interface ChangeBrand {
  type: 'changeBrand';
  change: BrandChange;
  /** The bytes of a picture; null: remove it; left out: keep the present one. */
  logo?: Buffer | null;
}

/** The caller minted the key and sealed its MAC key: a decision has no randomness and no secrets. */
export interface IssueKey {
  type: 'issueKey';
  key: ApiKeyIssued['data'];
}

/** The caller minted the successor, for the type and environment of the rotated key. */
export interface RotateKey {
  type: 'rotateKey';
  keyId: string;
  successor: Pick<ApiKeyIssued['data'], 'keyId' | 'secretHash' | 'last4' | 'sealedIdentityKey'>;
  overlap: Overlap;
  at: Instant;
  reason: string | null;
}

export interface RevokeKey {
  type: 'revokeKey';
  keyId: string;
  at: Instant;
  reason: string | null;
}

export type SiteCommand = RegisterSite | ChangeOrigins | ChangeBrand | IssueKey | RotateKey | RevokeKey;

/** Instants compare as text only while a year has four digits. */
const LAST_MS = epochMs('9998-12-31T23:59:59.999Z');

/** How long both keys work after a rotation, in ms. */
export const OVERLAPS_MS = { '0': 0, '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 } as const;
export type Overlap = keyof typeof OVERLAPS_MS;

/**
 * Most keys of a site that are neither revoked nor expired, over both environments: every process holds them all in
 * memory.
 */
export const LIVE_KEYS_MAX = 200;

export function decideSite(command: SiteCommand, state: SiteState): Decision<SiteEvent> {
  switch (command.type) {
    case 'registerSite':
      return registerSite(command, state);
    case 'changeOrigins':
      return changeOrigins(command, state);
    case 'changeBrand':
      return changeBrand(command, state);
    case 'issueKey':
      return issueKey(command, state);
    case 'rotateKey':
      return rotateKey(command, state);
    case 'revokeKey':
      return revokeKey(command, state);
  }
}

function registerSite({ site, settings }: RegisterSite, state: SiteState): Decision<SiteEvent> {
  // Older events have no setting of open ledgers or frameworks.
  const before: SiteSettings =
    state.site === null
      ? { ...DEFAULT_SETTINGS, name: site }
      : { ledger: 'CLOSED', frameworks: NO_FRAMEWORKS, ...state.settings };
  const { frameworks, ...others } = settings;
  const wanted: SiteSettings = {
    ...before,
    ...others,
    allowedOrigins: { ...before.allowedOrigins, ...settings.allowedOrigins },
    rateLimits: { ...before.rateLimits, ...settings.rateLimits },
    evidence: { ...before.evidence, ...settings.evidence },
    ...(frameworks && { frameworks: changedFrameworks(before.frameworks ?? NO_FRAMEWORKS, frameworks) }),
  };
  const issues = issuesOfSite(site, wanted);
  if (issues.length > 0) return invalid(issues);
  return state.site === null
    ? happened({ type: 'SiteRegistered', data: { site, ...wanted } })
    : changed({ ...state, settings: before }, wanted);
}

function changeOrigins({ env, add, remove }: ChangeOrigins, state: SiteState): Decision<SiteEvent> {
  if (state.site === null) return unknownSite();
  const { allowedOrigins } = state.settings;
  const both = remove.flatMap((origin, i) =>
    add.includes(origin) ? [{ path: `remove[${i}]`, message: 'is also to be added' }] : [],
  );
  const added = issuesOfOrigins(add, 'add', env);
  if (both.length + added.length > 0) return invalid([...both, ...added]);
  const listed = [...new Set([...allowedOrigins[env].filter((origin) => !remove.includes(origin)), ...add])];
  const wanted = { ...state.settings, allowedOrigins: { ...allowedOrigins, [env]: listed } };
  const issues = issuesOfSite(state.site, wanted);
  return issues.length > 0 ? invalid(issues) : changed(state, wanted);
}

/** The event names the changed settings, each whole. */
function changed({ settings }: SiteState, wanted: SiteSettings): Decision<SiteEvent> {
  const different = Object.entries(wanted).filter(
    ([field, value]) => canonicalJson(value) !== canonicalJson(settings[field as keyof SiteSettings]),
  );
  return different.length === 0
    ? happened()
    : happened({ type: 'SiteChanged', data: Object.fromEntries(different) as Partial<SiteSettings> });
}

function changeBrand({ change, logo: bytes }: ChangeBrand, state: SiteState): Decision<SiteEvent> {
  if (state.site === null) return unknownSite();
  const before = { brand: NO_BRAND, logo: null, ...state.settings };
  const brand = changedBrand(before.brand, change);
  const logo = bytes ? readLogo(bytes) : bytes === null ? null : before.logo;
  const issues = [...issuesOfBrand(brand), ...(typeof logo === 'string' ? [{ path: 'logo.data', message: logo }] : [])];
  if (typeof logo === 'string' || issues.length > 0) return invalid(issues);
  return changed({ ...state, settings: before }, { ...before, brand, logo });
}

function issueKey({ key }: IssueKey, state: SiteState): Decision<SiteEvent> {
  if (state.site === null) return unknownSite();
  const known = state.keys.get(key.keyId);
  if (known?.secretHash === key.secretHash) return happened();
  if (known) return idTaken();
  if (liveKeys(state, key.issuedAt) >= LIVE_KEYS_MAX) return tooManyKeys();
  const issues = issuesOfKey(key);
  return issues.length > 0 ? invalid(issues) : happened({ type: 'ApiKeyIssued', data: key });
}

/** The successor has the rights of the rotated key, and its life is as long as the key's was at its issue. */
function rotateKey({ keyId, successor, overlap, at, reason }: RotateKey, state: SiteState): Decision<SiteEvent> {
  const key = state.keys.get(keyId);
  if (state.site === null) return unknownSite();
  if (!key) return unknownKey();
  if (key.replacedBy === successor.keyId) return happened();
  if (key.replacedBy !== null)
    return refusal(
      'state_conflict',
      'The key was rotated already.',
      `Rotate its successor, ${key.replacedBy}; or revoke that one and issue a key.`,
    );
  const condition = conditionOf(key, at);
  if (condition !== 'live')
    return refusal('state_conflict', `The key is ${condition}: there is nothing to take over from.`, 'Issue a key.');
  if (state.keys.has(successor.keyId)) return idTaken();
  const ends = plusMs(at, OVERLAPS_MS[overlap]);
  const expiresAt = key.expiresAt !== null && key.expiresAt < ends ? key.expiresAt : ends;
  if (liveKeys(state, at) >= LIVE_KEYS_MAX && expiresAt > at) return tooManyKeys();
  const { type, env, scopes, allowedOrigins, name } = key;
  const lifetimeEnds =
    key.expiresAt === null
      ? null
      : instantOf(Math.min(epochMs(at) + epochMs(key.expiresAt) - epochMs(key.issuedAt), LAST_MS));
  return happened(
    {
      type: 'ApiKeyIssued',
      data: { ...successor, type, env, scopes, allowedOrigins, name, expiresAt: lifetimeEnds, issuedAt: at },
    },
    { type: 'ApiKeyRotated', data: { keyId, successorId: successor.keyId, expiresAt, at, reason } },
  );
}

function revokeKey({ keyId, at, reason }: RevokeKey, state: SiteState): Decision<SiteEvent> {
  const key = state.keys.get(keyId);
  if (state.site === null) return unknownSite();
  if (!key) return unknownKey();
  return key.revokedAt !== null ? happened() : happened({ type: 'ApiKeyRevoked', data: { keyId, at, reason } });
}

const liveKeys = (state: SiteState, at: Instant): number =>
  [...state.keys.values()].filter((key) => isLive(key, at)).length;

const invalid = (issues: Issue[]): Refusal =>
  refusal('validation_failed', 'The input is not valid.', 'Correct the fields named in issues.', issues);
const idTaken = (): Refusal =>
  refusal('state_conflict', 'A key with that id exists.', 'Try again: the key gets another id.');
const tooManyKeys = (): Refusal =>
  refusal('state_conflict', `The site has ${LIVE_KEYS_MAX} live keys.`, 'Revoke keys that are no longer used.');
export const unknownKey = (): Refusal =>
  refusal('key_not_found', 'The site has no such key.', 'List the keys of the site and send one of their ids.', [
    { path: 'id', message: 'names no key of this site' },
  ]);
const unknownSite = (): Refusal =>
  refusal('validation_failed', 'There is no such site.', 'Register the site first.', [
    { path: 'site', message: 'names no site' },
  ]);
