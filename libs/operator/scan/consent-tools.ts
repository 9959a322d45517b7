import { fitsGlob } from './glob.js';
import { isOfSite, type Sighting } from './sighting.js';

/** A product that asks for consent, by what it shows to the public. */
export interface ConsentTool {
  name: string;
  /** CSS selectors of the buttons, also in open shadow roots and in frames. */
  accept: readonly string[];
  refuse: readonly string[];
  /** Names of cookies and storage that keep the choice; `*` stands for any characters. */
  keeps: readonly string[];
  /** Domains that it is loaded from and reports to. */
  domains: readonly string[];
}

const tool = (
  name: string,
  { accept, refuse, keeps = [], domains = [] }: Partial<Omit<ConsentTool, 'name'>>,
): ConsentTool => ({ name, accept: accept ?? [], refuse: refuse ?? [], keeps, domains });

/** Where each is widely used its buttons have had these names for years. `--accept` and `--refuse` stand above them. */
export const CONSENT_TOOLS: readonly ConsentTool[] = [
  tool('Assent', {
    accept: ['assent-banner [data-action="ACCEPT_ALL"]'],
    refuse: ['assent-banner [data-action="REJECT_ALL"]', 'assent-banner [data-action="DO_NOT_SELL"]'],
    keeps: ['assent', 'assent-choice', 'assent.*'],
  }),
  tool('OneTrust', {
    accept: ['#onetrust-accept-btn-handler', '#accept-recommended-btn-handler'],
    refuse: ['#onetrust-reject-all-handler', '.ot-pc-refuse-all-handler'],
    keeps: ['OptanonConsent', 'OptanonAlertBoxClosed', 'OTAdditionalConsentString'],
    domains: ['cookielaw.org', 'onetrust.com'],
  }),
  tool('Cookiebot', {
    accept: [
      '#CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll',
      '#CybotCookiebotDialogBodyButtonAccept',
      '#CybotCookiebotDialogBodyLevelButtonAccept',
    ],
    refuse: ['#CybotCookiebotDialogBodyButtonDecline', '#CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll'],
    keeps: ['CookieConsent', 'CookieConsentBulk*'],
    domains: ['cookiebot.com', 'cookiebot.eu'],
  }),
  tool('Usercentrics', {
    accept: ['[data-testid="uc-accept-all-button"]', '#usercentrics-cmp-ui button#accept'],
    refuse: ['[data-testid="uc-deny-all-button"]', '#usercentrics-cmp-ui button#deny'],
    keeps: [
      'uc_settings',
      'uc_services',
      'uc_user_*',
      'uc_ui_version',
      'uc_tcf',
      'uc_gcm',
      'ucData',
      'ucString',
      'usercentrics',
    ],
    domains: ['usercentrics.eu', 'usercentrics.com'],
  }),
  tool('Didomi', {
    accept: ['#didomi-notice-agree-button'],
    refuse: ['#didomi-notice-disagree-button', '.didomi-continue-without-agreeing'],
    keeps: ['didomi_token', 'euconsent-v2'],
    domains: ['privacy-center.org', 'didomi.io'],
  }),
  tool('Quantcast, InMobi', {
    accept: ['#qc-cmp2-container #accept-btn', '.qc-cmp2-summary-buttons button[mode="primary"]'],
    // Without that button its second one opens the options, which is no refusal.
    refuse: ['#qc-cmp2-container #disagree-btn'],
    keeps: ['euconsent-v2', 'addtl_consent', '_cmpRepromptHash'],
    domains: ['quantcast.mgr.consensu.org', 'cmp.inmobi.com', 'cmp.quantcast.com'],
  }),
  tool('TrustArc', {
    accept: ['#truste-consent-button', '.trustarc-agree-btn'],
    refuse: ['#truste-consent-required', '.trustarc-declineall-btn'],
    keeps: ['notice_preferences', 'notice_gdpr_prefs', 'notice_behavior', 'cmapi_*', 'truste.*'],
    domains: ['trustarc.com', 'truste.com'],
  }),
  tool('Osano', {
    accept: ['.osano-cm-accept-all', '.osano-cm-button--type_accept'],
    refuse: ['.osano-cm-denyAll', '.osano-cm-button--type_denyAll', '.osano-cm-deny'],
    keeps: ['osano_consentmanager*'],
    domains: ['osano.com'],
  }),
  tool('klaro', {
    accept: ['.klaro .cm-btn-accept-all', '.klaro .cookie-notice .cm-btn-success'],
    refuse: ['.klaro .cn-decline', '.klaro .cm-btn-decline'],
    keeps: ['klaro'],
  }),
  tool('vanilla-cookieconsent', {
    accept: ['#cc-main .cm__btn[data-role="all"]'],
    refuse: ['#cc-main .cm__btn[data-role="necessary"]'],
    keeps: ['cc_cookie'],
  }),
  tool('tarteaucitron', {
    accept: ['#tarteaucitronAlertBig #tarteaucitronPersonalize2', '#tarteaucitronAllAllowed'],
    refuse: ['#tarteaucitronAllDenied2', '#tarteaucitronAllDenied'],
    keeps: ['tarteaucitron'],
    domains: ['tarteaucitron.io'],
  }),
  tool('iubenda', {
    accept: ['.iubenda-cs-accept-btn'],
    refuse: ['.iubenda-cs-reject-btn'],
    keeps: ['_iub_cs-*'],
    domains: ['iubenda.com'],
  }),
  tool('Complianz', {
    accept: ['.cmplz-cookiebanner .cmplz-accept'],
    refuse: ['.cmplz-cookiebanner .cmplz-deny'],
    keeps: ['cmplz_*'],
  }),
  tool('CookieYes', {
    accept: ['.cky-btn-accept', '#wt-cli-accept-all-btn', '#cookie_action_close_header'],
    refuse: ['.cky-btn-reject', '#wt-cli-reject-btn', '#cookie_action_close_header_reject'],
    keeps: ['cookieyes-consent', 'cookielawinfo-*', 'viewed_cookie_policy', 'CookieLawInfoConsent'],
    domains: ['cookieyes.com', 'cdn-cookieyes.com'],
  }),
  tool('Sourcepoint', {
    accept: ['.sp_choice_type_11', '.sp_choice_type_ACCEPT_ALL'],
    refuse: ['.sp_choice_type_13', '.sp_choice_type_REJECT_ALL'],
    // Not all of `_sp_`: Snowplow counts visits by `_sp_id`.
    keeps: [
      'euconsent-v2',
      'consentUUID',
      'consentDate',
      '_sp_user_consent_*',
      '_sp_local_state',
      '_sp_non_keyed_local_state',
    ],
    domains: ['privacy-mgmt.com', 'sp-prod.net'],
  }),
  tool('consentmanager', {
    accept: ['#cmpwelcomebtnyes', '#cmpbox .cmpboxbtnyes'],
    refuse: ['#cmpwelcomebtnno', '#cmpbox .cmpboxbtnno'],
    keeps: ['__cmpconsent*', '__cmpcc*', '__cmpcpc*', '__cmpcvc*', '__cmpiuid'],
    domains: ['consentmanager.net', 'consentmanager.mgr.consensu.org'],
  }),
  tool('Axeptio', {
    accept: ['#axeptio_btn_acceptAll'],
    refuse: ['#axeptio_btn_dismiss'],
    keeps: ['axeptio_*'],
    domains: ['axept.io', 'axeptio.eu'],
  }),
  tool('Google Funding Choices', {
    accept: ['.fc-cta-consent'],
    refuse: ['.fc-cta-do-not-consent'],
    keeps: ['FCCDCF', 'FCNEC'],
    domains: ['fundingchoicesmessages.google.com'],
  }),
  tool('Borlabs', {
    accept: ['.brlbs-btn-accept-all', '._brlbs-btn-accept-all'],
    refuse: ['._brlbs-refuse-btn', '.brlbs-btn-accept-only-essential'],
    keeps: ['borlabs-cookie'],
  }),
  tool('Termly', {
    accept: ['[data-tid="banner-accept"]'],
    refuse: ['[data-tid="banner-decline"]'],
    keeps: ['TERMLY_*'],
    domains: ['termly.io'],
  }),
];

/**
 * The tool whose own a thing is: what keeps the choice, or the program itself. Such things are needed for asking, so that
 * no rule speaks against them. `servedBy`: the tool that a host was seen to serve, by host. `shown`: the tool of the banner,
 * since several keep the choice under one name, such as that of TCF; null: none was seen.
 */
export function toolOf(
  { technology, name, domain }: Sighting,
  servedBy: ReadonlyMap<string, string>,
  shown: string | null,
): string | null {
  const isRequest = REQUESTS.has(technology);
  const possible = CONSENT_TOOLS.filter(({ keeps, domains }) =>
    isRequest ? domains.some((each) => isOfSite(domain, each)) : keeps.some((each) => fitsGlob(each, name)),
  );
  const found = possible.find((each) => each.name === shown) ?? possible[0];
  return found?.name ?? (isRequest ? (servedBy.get(domain) ?? null) : null);
}

/** What is loaded from elsewhere rather than kept on the device. */
export const REQUESTS: ReadonlySet<string> = new Set(['SCRIPT', 'IFRAME', 'PIXEL']);
