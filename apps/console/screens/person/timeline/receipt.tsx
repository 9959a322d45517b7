import { useState } from 'preact/hooks';
import { useAct } from '../../../api/act.js';
import { answered, api } from '../../../api/client.js';
import { Problem } from '../../../api/problem.js';
import { Badge } from '../../../parts/badge.js';
import { Button, CopyButton } from '../../../parts/button.js';
import {
  isIncluded,
  verdictOn,
  type LedgerProof,
  type Receipt,
  type ReceiptVerdict,
  type SigningKey,
} from '../../../parts/proof.js';
import { may, type Place } from '../../../session.js';
import { number } from '../../../words.js';
import type { Shown, TimelineItem } from '../person.js';
import { t } from './words.js';

interface Checked {
  readonly receipt: Receipt;
  readonly verdict: ReceiptVerdict;
  /** Null: the role may not ask for it, or the ledger has not come to it. */
  readonly entry: { readonly proof: LedgerProof; readonly holds: boolean } | null;
}

let keys: Promise<readonly SigningKey[]> | null = null;

/** The receipt of an event and its place in the ledger, both verified here in the page when the operator asks. */
export function Proof({ item, place }: Shown & { readonly item: TimelineItem }) {
  const { receiptId } = item;
  const [checked, setChecked] = useState<Checked | null>(null);
  const check = useAct(async () => setChecked(await checkedOf(place, receiptId!)));
  if (receiptId === undefined || !may('getSiteReceipt', place)) return null;
  if (!checked)
    return (
      <div class="proof">
        <Button look="quiet" icon="shield" isBusy={check.isBusy} onPress={() => void check.run()}>
          {t('proof.check')}
        </Button>
        {check.problem && <span role="alert">{check.problem.detail ?? t('proof.failed')}</span>}
      </div>
    );
  const { verdict, entry, receipt } = checked;
  return (
    <div class="proof" role="status">
      <Badge tone={verdict === 'VALID' ? 'acc' : verdict === 'TAMPERED' ? 'no' : 'wait'}>
        {t(`verdict.${verdict}`)}
      </Badge>
      {entry && (
        <Badge tone={entry.holds ? 'info' : 'no'} icon={entry.holds ? 'check' : 'cross'}>
          {t(entry.holds ? 'proof.entry' : 'proof.entry.wrong', { n: number(entry.proof.leafIndex) })}
        </Badge>
      )}
      <CopyButton text={JSON.stringify({ ...receipt, ledger: entry?.proof ?? null }, null, 2)}>
        {t('proof.copy')}
      </CopyButton>
    </div>
  );
}

async function checkedOf(place: Place, id: string): Promise<Checked> {
  const [receipt, known, proof] = await Promise.all([
    answered(api.GET('/admin/v1/sites/{site}/{env}/receipts/{id}', { params: { path: { ...place, id } } })),
    (keys ??= answered(api.GET('/admin/v1/signing-keys')).then(({ data }) => data)),
    may('getSiteLedgerProof', place) ? ledgerProofOf(place, id) : null,
  ]).catch((thrown: unknown) => {
    keys = null;
    throw thrown;
  });
  // A key that was made since is among those that are asked for the next time.
  const verdict = await verdictOn(receipt, known);
  if (verdict === 'UNKNOWN_KEY') keys = null;
  return { receipt, verdict, entry: proof && { proof, holds: await isIncluded(proof) } };
}

/** Null where the ledger has not come to the event yet. */
async function ledgerProofOf(place: Place, receipt: string): Promise<LedgerProof | null> {
  try {
    const params = { path: place, query: { receipt } };
    return await answered(api.GET('/admin/v1/sites/{site}/{env}/ledger/proof', { params }));
  } catch (thrown) {
    const problem = Problem.from(thrown);
    if (problem.kind === 'missing' || problem.kind === 'refused') return null;
    throw problem;
  }
}
