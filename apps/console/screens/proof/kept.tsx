import { answered, api } from '../../api/client.js';
import { Note } from '../../parts/states.js';
import type { Place } from '../../session.js';
import { number } from '../../words.js';
import { fromBase64 } from './bytes.js';
import { readCheckpoint, signerOf, type VerifierKey } from './checkpoint.js';
import { PastedForm } from './pasted-form.js';
import { hasOnlyGrown } from './tree.js';
import { proofWords as t } from './words.js';

type Verdict = 'grown' | 'same' | 'broken' | 'longer' | 'other' | 'unsigned' | 'unreadable' | 'unable';
const GOOD: readonly Verdict[] = ['grown', 'same'];
const DOUBTFUL: readonly Verdict[] = ['other', 'unreadable', 'unable'];

interface Compared {
  readonly verdict: Verdict;
  readonly kept: number;
  readonly now: number;
}

/** Whether the ledger still holds all that a checkpoint covers which the operator kept. This page computes it. */
export function KeptCheckpoint(props: { readonly place: Place; readonly keys: readonly VerifierKey[] }) {
  return (
    <PastedForm
      name="kept"
      title={t('kept')}
      label={t('kept.label')}
      hint={t('kept.hint')}
      act={t('kept.compare')}
      look={(text) => compare(text, props.place, props.keys)}
    >
      {({ verdict, kept, now }: Compared) => (
        <Note
          tone={GOOD.includes(verdict) ? 'yes' : DOUBTFUL.includes(verdict) ? 'wait' : 'no'}
          icon={GOOD.includes(verdict) ? 'shield' : 'alert'}
        >
          <b>{t(`kept.${verdict}`)}</b>
          <p>{t(`kept.${verdict}.why`, { kept: number(kept), now: number(now) })}</p>
        </Note>
      )}
    </PastedForm>
  );
}

async function compare(typed: string, place: Place, keys: readonly VerifierKey[]): Promise<Compared> {
  const path = { site: place.site, env: place.env };
  const note = await answered<string>(
    api.GET('/admin/v1/sites/{site}/{env}/ledger/checkpoint', { params: { path }, parseAs: 'text' }),
  );
  const [kept, now] = [readCheckpoint(typed), readCheckpoint(note)!];
  const verdict = (of: Verdict): Compared => ({ verdict: of, kept: kept?.size ?? 0, now: now.size });
  if (kept === null) return verdict('unreadable');
  if (kept.origin !== now.origin) return verdict('other');
  try {
    if ((await signerOf(kept, keys)) === null) return verdict('unsigned');
    if ((await signerOf(now, keys)) === null) return verdict('broken');
  } catch {
    return verdict('unable');
  }
  if (kept.size > now.size) return verdict('longer');
  const { hashes } = await answered(
    api.GET('/admin/v1/sites/{site}/{env}/ledger/consistency', {
      params: { path, query: { from: kept.size, to: now.size } },
    }),
  );
  const nodes = hashes.map((each) => fromBase64(each) ?? new Uint8Array());
  if (!(await hasOnlyGrown(kept, now, nodes))) return verdict('broken');
  return verdict(kept.size === now.size ? 'same' : 'grown');
}
