import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import type { ScreenProps } from '../../app.js';
import { frameWords } from '../../frame/words.js';
import { Page } from '../../parts/page.js';
import { Loaded, Note } from '../../parts/states.js';
import { may } from '../../session.js';
import { Bundles } from './bundles.js';
import { CheckPasted } from './check.js';
import { readCheckpoint } from './checkpoint.js';
import { KeptCheckpoint } from './kept.js';
import { Ledger } from './ledger.js';
import { VerifierKeys } from './verifiers.js';
import { proofWords as t } from './words.js';

export default function Proof({ place }: ScreenProps) {
  const { site, env } = place;
  const ledger = useResource(async () => {
    const [note, { data }] = await Promise.all([
      answered<string>(
        api.GET('/admin/v1/sites/{site}/{env}/ledger/checkpoint', { params: { path: place }, parseAs: 'text' }),
      ),
      answered(api.GET('/admin/v1/ledger/verifier-key')),
    ]);
    const own = data.find((each) => each.site === site && each.env === env)!;
    return { checkpoint: readCheckpoint(note)!, own, all: data, at: new Date().toISOString() };
  }, [site, env]);
  return (
    <Page title={frameWords('screen.proof')} lead={t('lead')}>
      <div class="stack">
        {window.isSecureContext || <Note tone="wait">{t('insecure')}</Note>}
        <Loaded of={ledger}>
          {(shown) => (
            <>
              <div class="grid proof-halves">
                <Ledger {...shown} onReload={() => void ledger.reload()} />
                <KeptCheckpoint place={place} keys={shown.own.verifierKeys} />
              </div>
              <CheckPasted place={place} ledgers={shown.all} />
            </>
          )}
        </Loaded>
        {may('listAuditBundles', place) && <Bundles place={place} />}
        <Loaded of={ledger}>{({ own }) => <VerifierKeys of={own} />}</Loaded>
      </div>
    </Page>
  );
}
