import type { HouseScreen, SiteScreen } from '../addresses.js';
import type { OperationId } from '../session.js';
import type { IconName } from '../parts/icon.js';

interface SiteEntry {
  readonly screen: SiteScreen;
  readonly icon: IconName;
  readonly needs: OperationId;
}

/** Screens by what they are for, and the operation without which a screen shows nothing. */
export const SITE_SECTIONS = [
  {
    title: 'nav.today',
    screens: [
      { screen: 'overview', icon: 'house', needs: 'getSummary' },
      { screen: 'people', icon: 'person', needs: 'lookUpSubject' },
      { screen: 'requests', icon: 'inbox', needs: 'listSiteDataRequests' },
    ],
  },
  {
    title: 'nav.asked',
    screens: [
      { screen: 'purposes', icon: 'text', needs: 'listSitePurposes' },
      { screen: 'banner', icon: 'banner', needs: 'previewBanner' },
      { screen: 'statistics', icon: 'chart', needs: 'getSiteConsentStatistics' },
    ],
  },
  {
    title: 'nav.connect',
    screens: [
      { screen: 'webhooks', icon: 'hook', needs: 'listSiteWebhookEndpoints' },
      { screen: 'keys', icon: 'key', needs: 'listKeys' },
      { screen: 'settings', icon: 'gear', needs: 'listSites' },
      { screen: 'proof', icon: 'shield', needs: 'getSiteLedgerCheckpoint' },
    ],
  },
] as const satisfies readonly { title: string; screens: readonly SiteEntry[] }[];

export const SITE_SCREENS: readonly SiteEntry[] = SITE_SECTIONS.flatMap(({ screens }): readonly SiteEntry[] => screens);

export const HOUSE_SCREENS = [
  { screen: 'system', icon: 'pulse', needs: 'getHealth' },
  { screen: 'operators', icon: 'people', needs: 'listOperators' },
  { screen: 'journal', icon: 'book', needs: 'getJournal' },
] as const satisfies readonly { screen: HouseScreen; icon: IconName; needs: OperationId }[];
