import type { components } from '../../api/schema.js';
import { Badge } from '../../parts/badge.js';
import { CopyButton } from '../../parts/button.js';
import { Card } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { proofWords as t } from './words.js';

/** The keys by which others verify checkpoints of this ledger. */
export function VerifierKeys({ of }: { readonly of: components['schemas']['LedgerVerifiers'] }) {
  return (
    <Card
      title={t('verifiers')}
      isFlush
      end={
        of.prefix === null ? (
          <Badge tone="off" icon="lock">
            {t('verifiers.closed')}
          </Badge>
        ) : (
          <Badge tone="info" icon="globe">
            {t('verifiers.open')}
          </Badge>
        )
      }
    >
      <div class="pad">
        <p class="small">
          {of.prefix === null ? t('verifiers.closed.why') : t('verifiers.open.why', { path: of.prefix })}
        </p>
      </div>
      <ul class="list">
        {of.verifierKeys.map(({ verifierKey, signsFrom, revokedAt, kid }) => (
          <li key={kid}>
            <div class="t">
              <code>{verifierKey}</code>
              <br />
              <span>
                {signsFrom === null ? t('verifiers.first') : t('verifiers.from')}{' '}
                {signsFrom !== null && <Time at={signsFrom} />}
              </span>{' '}
              {revokedAt !== null && (
                <Badge tone="no">
                  {t('verifiers.revoked')} <Time at={revokedAt} form="day" />
                </Badge>
              )}
            </div>
            <CopyButton text={verifierKey} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
