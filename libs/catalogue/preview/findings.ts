import { contrast, type Instant, type Issue } from '../../kernel/index.js';
import type { PolicyView } from '../../policy/index.js';
import { breaches } from '../banner/compliance.js';
import { presentationFor } from '../banner/content.js';
import type { BannerDefinition, Colours } from '../banner/definition.js';
import { purposesOfBanner } from '../banner/disclosed-purposes.js';
import { BANNER } from '../banner/document.js';
import { COOKIES } from '../cookies/document.js';
import { documentInForce, isRetired, versionInForce, type CatalogueState } from '../state.js';

/** ERROR: it cannot be published so, or breaks the rule. WARNING: it breaks the rule as most read it. ADVICE: better so. */
export const SEVERITIES = ['ERROR', 'WARNING', 'ADVICE'] as const;

/**
 * The rules that a banner and what it shows are held against, with their sources. What only a browser can measure, such
 * as the size of a button, the elements judge on the screen.
 *
 * EDPB report: Report of the work undertaken by the Cookie Banner Taskforce, 17 January 2023, by paragraph.
 */
export const FINDING_RULES = {
  CATALOGUE_VALID: 'Files of the catalogue',
  BANNER_REQUIRED: 'Policy of the place: bannerRequired',
  EQUAL_CHOICE: 'GDPR art. 7(3); EDPB guidelines 05/2020; EDPB report 8, 17, 18',
  TEXT_CONTRAST: 'WCAG 2.2, 1.4.3; EDPB report 18',
  SHAPE_CONTRAST: 'WCAG 2.2, 1.4.11',
  NO_WALL: 'GDPR art. 7(4); EDPB guidelines 05/2020, 39 to 41; EDPB report 13',
  LANGUAGE_COMPLETE: 'GDPR art. 12(1); WP260 rev.01, 13',
  TEXT_OF_PLACE: 'Policy of the place: model',
  OPT_OUT_LINK: 'CCPA regulations, 11 CCR 7013 and 7015',
  PRIVACY_POLICY: 'GDPR art. 13; WP260 rev.01, 35 and 36',
  RETENTION: 'GDPR art. 13(2)(a)',
  LEGITIMATE_INTEREST: 'EDPB report 24; ePrivacy directive art. 5(3)',
  GRANT_LIFE: 'Policy of the place: consentValidityDays',
  ASKED_AGAIN: 'Policy of the place: refusalCooldownDays',
  COOKIE_PURPOSE: 'ePrivacy directive art. 5(3); CJEU C-673/17',
  COOKIE_LISTED: 'CJEU C-673/17, 75 to 81',
  TCF_TOOL: 'IAB Europe TCF policies, chapter II',
} as const;
export type FindingRule = keyof typeof FINDING_RULES;

export interface Finding {
  rule: FindingRule;
  source: string;
  severity: (typeof SEVERITIES)[number];
  /** In the files: `banner.theme.light.text`, or `purposes[analytics].retention` by key. */
  path: string;
  message: string;
}

export interface Judged {
  /** The catalogue as if the files were published. */
  state: CatalogueState;
  /** When all of it is in force. */
  at: Instant;
  policy: PolicyView;
  /** Languages of the site. */
  languages: readonly string[];
  /** Whether a consent tool is registered for TC strings. */
  hasConsentTool: boolean;
  /** Why the files could not be published. */
  issues: readonly Issue[];
}

/** WCAG 2.2, 1.4.3 and 1.4.11. */
const TEXT_MIN = 4.5;
const SHAPE_MIN = 3;
/** Most findings of one preview. */
const FINDINGS_MAX = 500;

type Say = (rule: FindingRule, severity: Finding['severity'], path: string, message: string) => void;

/** What is wrong or could be better, the worst first. */
export function findingsOf(judged: Judged): Finding[] {
  const found: Finding[] = [];
  const say: Say = (rule, severity, path, message) =>
    void found.push({ rule, source: FINDING_RULES[rule], severity, path, message });
  const banner = documentInForce(judged.state, BANNER, judged.at)?.definition;
  const unequal = banner ? breaches(banner) : [];
  for (const { path, message } of unequal) say('EQUAL_CHOICE', 'ERROR', `banner.${path}`, message);
  // The refusal of the banner says the same of the same places, with all acts that demand it.
  for (const { path, message } of judged.issues)
    if (!unequal.some((each) => path === `banner.${each.path}`)) say('CATALOGUE_VALID', 'ERROR', path, message);
  if (banner) ofBanner(banner, judged, say);
  else if (judged.policy.bannerRequired)
    say('BANNER_REQUIRED', 'ERROR', 'banner', 'is missing, and people have to be asked at this place');
  ofPurposes(banner, judged, say);
  ofCookies(banner, judged, say);
  return found.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)).slice(0, FINDINGS_MAX);
}

function ofBanner(banner: BannerDefinition, { policy, languages, hasConsentTool }: Judged, say: Say): void {
  const { presentations, labels, links, layout, behaviour, theme, tcf } = banner;
  const shown = presentationFor(policy);
  for (const scheme of ['light', 'dark'] as const) ofColours(theme[scheme], `banner.theme.${scheme}`, say);
  if (shown === 'OPT_IN' && layout === 'WALL')
    say('NO_WALL', 'WARNING', 'banner.layout', 'lets people in only after a choice, so that it is hardly free');
  if (shown === 'OPT_IN' && layout !== 'WALL' && behaviour.scrollLock)
    say('NO_WALL', 'ADVICE', 'banner.behaviour.scrollLock', 'keeps people from the page until they choose');
  const has = Object.keys(presentations.optIn.title);
  for (const language of languages)
    if (!has.some((each) => each === language || each.split('-')[0] === language.split('-')[0]))
      say(
        'LANGUAGE_COMPLETE',
        'WARNING',
        'banner.presentations.optIn.title',
        `lacks ${language}, a language of the site: its people would be asked in ${banner.defaultLocale}`,
      );
  if (shown === 'OPT_OUT' && !presentations.optOut)
    say(
      'TEXT_OF_PLACE',
      'WARNING',
      'banner.presentations.optOut',
      'is missing: people who may object are asked as if they had to agree',
    );
  if (shown === 'NOTICE_ONLY' && !presentations.noticeOnly)
    say(
      'TEXT_OF_PLACE',
      'ADVICE',
      'banner.presentations.noticeOnly',
      'is missing: people who need only a notice are asked as if they had to agree',
    );
  if (shown === 'OPT_OUT' && policy.country === 'US') {
    const buttons = (presentations.optOut ?? presentations.optIn).buttons;
    if (!buttons.some(({ action }) => action === 'DO_NOT_SELL' || action === 'REJECT_ALL'))
      say('OPT_OUT_LINK', 'ERROR', 'banner.presentations.optOut.buttons', 'offers no way to object');
    if (!labels.privacyChoices)
      say(
        'OPT_OUT_LINK',
        'ADVICE',
        'banner.labels.privacyChoices',
        'is missing: it names the link by which people object later',
      );
  }
  if (!links.privacyPolicy)
    say('PRIVACY_POLICY', 'WARNING', 'banner.links.privacyPolicy', 'is missing: people find nothing more to read');
  const { resurfaceAfterDays: days } = behaviour;
  const least = policy.refusalCooldownDays;
  if (days !== null && least !== null && days < least)
    say(
      'ASKED_AGAIN',
      'ADVICE',
      'banner.behaviour.resurfaceAfterDays',
      `is ${days}; here people are asked again after ${least} days`,
    );
  if (tcf.publisherCountry !== null && policy.frameworks.includes('TCF') && !hasConsentTool)
    say('TCF_TOOL', 'WARNING', 'banner.tcf', 'is set, and the site names no consent tool: no TC string can be made');
}

/** Judges pairs of which both are named: the colour for a missing one is the page's. */
function ofColours(colours: Colours, at: string, say: Say): void {
  const pairs = [
    ['text', 'background'],
    ['link', 'background'],
    ['onPrimary', 'primary'],
    ['onSecondary', 'secondary'],
  ] as const;
  for (const [text, ground] of pairs) {
    const ratio = ratioOf(colours[text], colours[ground]);
    if (ratio !== null && ratio < TEXT_MIN)
      say(
        'TEXT_CONTRAST',
        'WARNING',
        `${at}.${text}`,
        `has a contrast of ${short(ratio)} to ${ground}; at least ${TEXT_MIN} can be read`,
      );
  }
  const ratio = ratioOf(colours.primary, colours.background);
  if (ratio !== null && ratio < SHAPE_MIN)
    say(
      'SHAPE_CONTRAST',
      'ADVICE',
      `${at}.primary`,
      `has a contrast of ${short(ratio)} to background; buttons are seen from ${SHAPE_MIN} on`,
    );
}

const ratioOf = (a: string | undefined, b: string | undefined): number | null =>
  a === undefined || b === undefined ? null : contrast(a, b);
const short = (ratio: number): string => String(Math.floor(ratio * 100) / 100);

function ofPurposes(banner: BannerDefinition | undefined, { state, at, policy }: Judged, say: Say): void {
  const locales = banner ? Object.keys(banner.presentations.optIn.title) : [];
  const asks = presentationFor(policy) === 'OPT_IN';
  const listed = new Set(documentInForce(state, COOKIES, at)?.definition.cookies.map(({ name }) => name));
  for (const purpose of purposesOfBanner(state, banner?.purposeKeys ?? null, at)) {
    const version = versionInForce(purpose, at);
    if (!version || isRetired(purpose, at)) continue;
    const { key, translations, retention, validityDays, legalBasis, category, cookies } = version.definition;
    const place = `purposes[${key}]`;
    for (const locale of locales)
      if (!translations[locale])
        say('LANGUAGE_COMPLETE', 'WARNING', `${place}.translations`, `lacks ${locale}, which the banner has`);
    if (retention === null)
      say('RETENTION', 'WARNING', `${place}.retention`, 'is missing: people are to learn how long data are kept');
    if (asks && legalBasis === 'LEGITIMATE_INTERESTS' && ASKED_FOR.has(category))
      say(
        'LEGITIMATE_INTEREST',
        'WARNING',
        `${place}.legalBasis`,
        'is LEGITIMATE_INTERESTS, and what it stores on devices needs consent here',
      );
    const longest = policy.consentValidityDays;
    if (validityDays !== null && longest !== null && validityDays > longest)
      say(
        'GRANT_LIFE',
        'ADVICE',
        `${place}.validityDays`,
        `is ${validityDays}; here a grant ends after ${longest} days`,
      );
    const missing = cookies.filter((name) => !listed.has(name));
    if (missing.length > 0)
      say(
        'COOKIE_LISTED',
        'WARNING',
        `${place}.cookies`,
        `names ${missing.slice(0, 5).join(', ')}, which cookies.yaml does not list`,
      );
  }
}

/** Categories that are hardly ever possible without consent where people have to be asked. */
const ASKED_FOR: ReadonlySet<string> = new Set(['ANALYTICS', 'MARKETING', 'PERSONALIZATION', 'SOCIAL', 'SALE_SHARE']);

/** The banner has to offer what a cookie is for. */
function ofCookies(banner: BannerDefinition | undefined, { state, at }: Judged, say: Say): void {
  if (!banner) return;
  const shown = new Set(purposesOfBanner(state, banner.purposeKeys, at).map(({ key }) => key));
  const { cookies = [] } = documentInForce(state, COOKIES, at)?.definition ?? {};
  cookies.forEach(({ name, category, purposeKeys }, c) => {
    if (category !== 'NECESSARY' && !purposeKeys.some((key) => shown.has(key)))
      say(
        'COOKIE_PURPOSE',
        'WARNING',
        `cookies.cookies[${c}].purposeKeys`,
        `names no purpose that the banner offers: people cannot refuse ${name}`,
      );
  });
}
