import { contrast, refusal, type Instant, type Issue, type Refusal } from '../../kernel/index.js';
import { refusalDemandedBy } from '../../policy/index.js';
import { LABEL_OF, type BannerButton, type BannerDefinition, type Colours } from './definition.js';

/** WCAG 2.2, 1.4.3. */
const TEXT_CONTRAST_MIN = 4.5;
/** Most acts that a refusal names, and most places of each. */
const NAMED_MAX = 3;

/**
 * Refuses a banner that hides or weakens refusal where a policy is OPT_IN. Refusing must be as easy as agreeing: GDPR
 * art. 7(3) and recital 42, EDPB guidelines 05/2020 and its cookie banner taskforce (2023).
 */
export function notCompliant(definition: BannerDefinition, at: Instant): Refusal | null {
  const found = breaches(definition);
  if (found.length === 0) return null;
  const rule = demandedBy(at);
  return refusal(
    'banner_not_compliant',
    'The banner hides or weakens refusal where people must be asked.',
    'Give REJECT_ALL in presentations.optIn a place on the first layer, as visible as ACCEPT_ALL; leave the buttons out to get exactly that.',
    found.map(({ path, message }) => ({ path, message: `${message}: rejectRequired of ${rule}` })),
  );
}

/** How the banner hides or weakens refusal, by place. */
export function breaches({ presentations, labels, theme }: BannerDefinition): Issue[] {
  const { buttons } = presentations.optIn;
  const at = 'presentations.optIn.buttons';
  const found: Issue[] = [];
  const say = (path: string, message: string): void => void found.push({ path, message });
  const on = (layer: number, action: BannerButton['action']): BannerButton | undefined =>
    buttons.find((button) => button.layer === layer && button.action === action);
  if (!on(1, 'REJECT_ALL')) say(at, 'lacks REJECT_ALL on the first layer');
  buttons.forEach(({ action, layer, emphasis }, b) => {
    if (action === 'ACKNOWLEDGE') say(`${at}[${b}].action`, 'cannot be ACKNOWLEDGE: it offers no way to refuse');
    if (action === 'ACCEPT_ALL' && layer > 1 && !on(layer, 'REJECT_ALL'))
      say(`${at}[${b}].action`, 'needs REJECT_ALL on the same layer');
    const accept = on(layer, 'ACCEPT_ALL');
    if (action === 'REJECT_ALL' && accept && accept.emphasis !== emphasis)
      say(`${at}[${b}].emphasis`, `must be ${accept.emphasis}, that of ACCEPT_ALL`);
    if (action === 'REJECT_ALL')
      for (const scheme of ['light', 'dark'] as const)
        if (isUnreadable(theme[scheme], emphasis))
          say(
            `theme.${scheme}.${emphasis === 'PRIMARY' ? 'onPrimary' : 'onSecondary'}`,
            `must differ more from what it stands on (${TEXT_CONTRAST_MIN}:1): REJECT_ALL cannot be read`,
          );
  });
  for (const [locale, text] of Object.entries(labels[LABEL_OF.REJECT_ALL] ?? {}))
    if (labels[LABEL_OF.ACCEPT_ALL]?.[locale]?.trim().toLowerCase() === text.trim().toLowerCase())
      say(`labels.rejectAll.${locale}`, 'says the same as acceptAll');
  return found;
}

/** Judges only a theme with both colours: the page's own colour for a missing one is unknown here. */
function isUnreadable(colours: Colours, emphasis: BannerButton['emphasis']): boolean {
  const [ground, text] =
    emphasis === 'PRIMARY' ? [colours.primary, colours.onPrimary] : [colours.secondary, colours.onSecondary];
  return ground !== undefined && text !== undefined && contrast(ground, text) < TEXT_CONTRAST_MIN;
}

/** `GDPR in AT, BE, BG and 27 more; UK_GDPR in GB; and 41 other acts`. */
function demandedBy(at: Instant): string {
  const acts = refusalDemandedBy(at);
  const named = acts.slice(0, NAMED_MAX).map(({ regulation, places }) => {
    const more = places.length - NAMED_MAX;
    return `${regulation} in ${places.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  });
  const others = acts.length - named.length;
  return [...named, ...(others > 0 ? [`and ${others} other acts`] : [])].join('; ');
}
