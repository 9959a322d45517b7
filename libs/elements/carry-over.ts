import { AssentError } from '../client/errors.js';
import { keep } from '../client/page.js';
import type { Banner, ConsentState } from '../client/types.js';
import { remember, visitorName } from './memory.js';
import { inBrowser, oldVisitor } from './old-visitor.js';
import type { Settings } from './settings.js';
import type { Visitor } from './visitor.js';

const DAY_MS = 86_400_000;

/**
 * Goes on with the visitor of the product that was used before, where the choice of that visitor was imported. Where it
 * answers all that the banner asks, this browser remembers it like a choice of its own. Rejects with an AssentError where
 * the service cannot say.
 */
export async function carryOver(visitor: Visitor, settings: Settings, banner: Banner): Promise<void> {
  const id = oldVisitor(settings.carryOver ?? '', inBrowser);
  if (id === null) return;
  const state = await stateOf(visitor, id);
  const said = Object.values(state?.purposes ?? {}).filter((purpose) => purpose!.state !== 'NOT_COLLECTED');
  if (said.length === 0) return;
  keep(visitorName(settings), id);
  if (!answersAll(state!, banner)) return;
  const { texts, locale, purposes } = banner;
  remember(settings, {
    until: untilOf(state!, banner),
    purposes: purposes.map(({ key }) => key),
    label: [texts.privacyChoices ?? texts.title ?? '', locale],
  });
}

/** Null where the service knows no such visitor, or nothing that a page may see. */
async function stateOf(visitor: Visitor, id: string): Promise<ConsentState | null> {
  try {
    return await visitor.stateOf(`visitor_id:${id}`);
  } catch (error) {
    if (error instanceof AssentError && [403, 404, 422].includes(error.status)) return null;
    throw error;
  }
}

/** A notice asks nothing, and what is locked cannot be answered. */
const answersAll = ({ purposes: said }: ConsentState, { purposes }: Banner): boolean =>
  purposes
    .filter(({ locked, consentModel }) => !locked && consentModel !== 'NOTICE_ONLY')
    .every(({ key }) => said[key] && said[key].state !== 'NOT_COLLECTED' && !said[key].renewal.required);

/** As for a choice in the banner: until the first grant ends; a refusal is asked about again when the banner says so. */
function untilOf({ purposes }: ConsentState, { behaviour }: Banner): number | null {
  const said = Object.values(purposes).map((purpose) => purpose!);
  const granted = said.filter(({ state }) => state === 'GRANTED');
  const ends = granted.flatMap(({ expiresAt }) => (expiresAt ? [Date.parse(expiresAt)] : []));
  if (granted.length > 0) return ends.length > 0 ? Math.min(...ends) : null;
  const latest = Math.max(...said.flatMap(({ givenAt }) => (givenAt ? [Date.parse(givenAt)] : [])));
  return behaviour.resurfaceAfterDays === null ? null : latest + behaviour.resurfaceAfterDays * DAY_MS;
}
