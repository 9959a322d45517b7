import { answered, api } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { Note } from '../../parts/states.js';
import type { Place } from '../../session.js';
import { PastedForm } from './pasted-form.js';
import { pastedReceipt, verifyReceipt, type Verified } from './receipt.js';
import { ExplainedText, ReceiptVerdict } from './verdicts.js';
import { proofWords as t } from './words.js';

type Verifiers = components['schemas']['LedgerVerifiers'];
type Explained = components['schemas']['ExplainedString'];

type Found =
  | { readonly what: 'receipt'; readonly verified: Verified }
  | { readonly what: 'string'; readonly explained: Explained }
  | { readonly what: 'nothing' };

/** A receipt or a string of a framework, as a person, a partner or an authority sent it. */
export function CheckPasted(props: { readonly place: Place; readonly ledgers: readonly Verifiers[] }) {
  return (
    <PastedForm
      name="pasted"
      title={t('check')}
      label={t('check.label')}
      hint={t('check.hint')}
      act={t('check.act')}
      look={(text) => look(text.trim(), props.place, props.ledgers)}
    >
      {(found: Found) => {
        if (found.what === 'receipt') return <ReceiptVerdict of={found.verified} place={props.place} />;
        if (found.what === 'string') return <ExplainedText of={found.explained} />;
        return <Note tone="wait">{t('check.nothing')}</Note>;
      }}
    </PastedForm>
  );
}

async function look(text: string, place: Place, ledgers: readonly Verifiers[]): Promise<Found> {
  const path = { site: place.site, env: place.env };
  const given = /^rct_\w+$/.test(text)
    ? JSON.stringify(
        await answered(
          api.GET('/admin/v1/sites/{site}/{env}/receipts/{id}', { params: { path: { ...path, id: text } } }),
        ),
      )
    : text;
  const pasted = pastedReceipt(given);
  if (pasted) {
    const verified = await verifyReceipt(pasted, ledgers);
    return verified ? { what: 'receipt', verified } : { what: 'nothing' };
  }
  if (!/^[\w.~-]+$/.test(text)) return { what: 'nothing' };
  const params = { path, query: { string: text } };
  const explained = await answered(
    text.startsWith('D')
      ? api.GET('/admin/v1/sites/{site}/{env}/consent/gpp/decode', { params })
      : api.GET('/admin/v1/sites/{site}/{env}/consent/tcstring/decode', { params }),
  );
  return { what: 'string', explained };
}
