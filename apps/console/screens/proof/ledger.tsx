import { useResource } from '../../api/resource.js';
import { Badge } from '../../parts/badge.js';
import { Button, CopyButton } from '../../parts/button.js';
import { saveFile } from '../../parts/save-file.js';
import { Card, Fact, Facts } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { number } from '../../words.js';
import type { Checkpoint, VerifierKey } from './checkpoint.js';
import { signerOf } from './checkpoint.js';
import { proofWords as t } from './words.js';

/** The ledger as it stands: its checkpoint, to keep elsewhere. */
export function Ledger(props: {
  readonly checkpoint: Checkpoint;
  readonly own: { readonly verifierKeys: readonly VerifierKey[]; readonly site: string; readonly env: string };
  readonly at: string;
  readonly onReload: () => void;
}) {
  const { checkpoint, own } = props;
  const { size, rootText, note } = checkpoint;
  return (
    <Card title={t('ledger')} end={<Signature of={checkpoint} keys={own.verifierKeys} />}>
      <Facts>
        <Fact term={t('size')}>{number(size)}</Fact>
        <Fact term={t('root')}>
          <code>{rootText}</code>
        </Fact>
        <Fact term={t('time')}>
          <Time at={props.at} />
        </Fact>
      </Facts>
      <p class="small verdict">{t('ledger.keep')}</p>
      <div class="acts verdict">
        <CopyButton text={note}>{t('ledger.copy')}</CopyButton>
        <Button
          look="quiet"
          icon="download"
          onPress={() =>
            saveFile(new Blob([note], { type: 'text/plain' }), `${own.site}-${own.env}-${size}.checkpoint`)
          }
        >
          {t('ledger.save')}
        </Button>
        <Button look="quiet" onPress={props.onReload}>
          {t('ledger.again')}
        </Button>
      </div>
    </Card>
  );
}

/** Whether this page has verified who signed a checkpoint. */
function Signature(props: { readonly of: Checkpoint; readonly keys: readonly VerifierKey[] }) {
  const { note } = props.of;
  const signer = useResource(
    async () =>
      signerOf(props.of, props.keys).then(
        (key) => (key ? 'signed' : 'unsigned'),
        () => 'unable' as const,
      ),
    [note],
  ).value.value;
  if (signer.state !== 'ready') return null;
  const tones = { signed: 'acc', unsigned: 'no', unable: 'off' } as const;
  return <Badge tone={tones[signer.data]}>{t(`signature.${signer.data}`)}</Badge>;
}
