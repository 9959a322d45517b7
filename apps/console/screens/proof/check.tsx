import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { Button } from '../../parts/button.js';
import { FormTrouble, TextField } from '../../parts/form.js';
import { Card } from '../../parts/page.js';
import { Note } from '../../parts/states.js';
import type { Place } from '../../session.js';
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
  const [typed, setTyped] = useState('');
  const [found, setFound] = useState<Found | null>(null);
  const act = useAct(async (_, text: string) => {
    setFound(null);
    setFound(await look(text.trim(), props.place, props.ledgers));
  });
  return (
    <Card title={t('check')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void act.run(typed);
        }}
      >
        <FormTrouble problem={act.problem} />
        <TextField
          name="pasted"
          label={t('check.label')}
          hint={t('check.hint')}
          value={typed}
          onInput={(value) => {
            setTyped(value);
            setFound(null);
          }}
          rows={5}
          isMono
          isRequired
        />
        <Button type="submit" isBusy={act.isBusy}>
          {t('check.act')}
        </Button>
      </form>
      <div role="status">
        {found && (
          <div class="verdict">
            {found.what === 'receipt' && <ReceiptVerdict of={found.verified} place={props.place} />}
            {found.what === 'string' && <ExplainedText of={found.explained} />}
            {found.what === 'nothing' && <Note tone="wait">{t('check.nothing')}</Note>}
          </div>
        )}
      </div>
    </Card>
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
