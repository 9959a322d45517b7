import type { Refusal } from '../../kernel/index.js';
import type { Collection, Display } from '../events.js';
import { consentRefusals } from '../refusals.js';

type Displayed = { collection?: Pick<Collection, 'display'> };

/** In one code for a row of a timeline: PASSED, or the checks that failed, with spaces between them; null: nothing is known. */
export function displayCode({ collection }: Displayed): string | null {
  if (!collection?.display) return null;
  return failed(collection.display).join(' ') || 'PASSED';
}

const failed = ({ checks }: Display): string[] => checks.filter(({ passed }) => !passed).map(({ check }) => check);

/** Why a request does not say what was on the screen: it says one thing twice. */
export function checkedTwice({ collection }: Displayed): Refusal | null {
  const names = collection?.display?.checks.map(({ check }) => check) ?? [];
  const second = names.findIndex((name, i) => names.indexOf(name) < i);
  return second === -1 ? null : consentRefusals.checkedTwice(second);
}
