/** What `GET /v1/banner` answers, as far as the page uses it. */
export interface ShownBanner {
  version: number;
  locale: string;
  direction: 'LTR' | 'RTL';
  presentation: 'OPT_IN' | 'OPT_OUT' | 'NOTICE_ONLY' | 'NONE';
  policy: {
    country: string | null;
    region: string | null;
    regulation: string | null;
    consentValidityDays: number | null;
  };
  layout: 'BAR' | 'BOX' | 'DIALOG' | 'WALL';
  position: 'TOP' | 'BOTTOM' | 'CENTER';
  texts: Readonly<Record<string, string | null>>;
  buttons: readonly { action: string; layer: number; emphasis: string }[];
  purposes: readonly ShownPurpose[];
  links: Readonly<Record<string, string | null>>;
  theme: Readonly<Record<'light' | 'dark', Readonly<Record<string, string>>>> & {
    radiusPx: number | null;
    fontFamily: string | null;
  };
  behaviour: {
    dismiss: 'REJECT' | 'IGNORE';
    scrollLock: boolean;
    resurfaceAfterDays: number | null;
    reopen: 'FLOATING' | 'LINK';
  };
  contentHash: string;
  /** Proves what was shown; null where nothing is. */
  presentationToken: string | null;
}

export interface ShownPurpose {
  key: string;
  version: number;
  name: string;
  description: string;
  category: string;
  consentModel: string;
  gpc: boolean;
  default: 'GRANTED' | 'DENIED';
  locked: boolean;
}

export interface Choice {
  purpose: string;
  purposeVersion: number;
  decision: string;
}

/**
 * What a click says about each purpose. A notice can be read and nothing else; what cannot be chosen is not said anything
 * about. `chosen`: by key, what is ticked.
 *
 * This function, like the others of this folder, runs in the browser and is served as its own text, so that it can use
 * nothing but what the script is put together from.
 */
export function choicesOf(
  action: string,
  purposes: readonly ShownPurpose[],
  chosen: Readonly<Record<string, boolean>>,
): Choice[] {
  const refusal = ({ consentModel }: ShownPurpose): string => (consentModel === 'OPT_OUT' ? 'OBJECTED' : 'DENIED');
  const decisionOn = (purpose: ShownPurpose): string | null => {
    const isNotice = purpose.consentModel === 'NOTICE_ONLY';
    if (action === 'ACKNOWLEDGE') return isNotice ? 'ACKNOWLEDGED' : null;
    if (action === 'ACCEPT_ALL') return isNotice ? 'ACKNOWLEDGED' : 'GRANTED';
    if (isNotice) return null;
    if (action === 'REJECT_ALL') return refusal(purpose);
    if (action === 'SAVE') return chosen[purpose.key] ? 'GRANTED' : refusal(purpose);
    // DO_NOT_SELL: what Global Privacy Control would object to.
    return purpose.gpc || purpose.category === 'SALE_SHARE' ? refusal(purpose) : null;
  };
  return purposes.flatMap((purpose) => {
    const decision = purpose.locked ? null : decisionOn(purpose);
    return decision === null ? [] : [{ purpose: purpose.key, purposeVersion: purpose.version, decision }];
  });
}

/**
 * What stays ticked where a banner takes the place of another: of purposes that are asked for in the same words. A box
 * that is ticked already asks for nothing (GDPR recital 32, CJEU C-673/17 Planet49).
 */
export function ticksKept(
  ticked: Readonly<Record<string, boolean>>,
  versions: Readonly<Record<string, number>>,
  purposes: readonly Pick<ShownPurpose, 'key' | 'version'>[],
): Record<string, boolean> {
  const same = purposes.filter(({ key, version }) => key in ticked && versions[key] === version);
  return Object.fromEntries(same.map(({ key }) => [key, ticked[key]!]));
}
