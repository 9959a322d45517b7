import { Card, Fact, Facts } from '../../parts/page.js';
import { Note } from '../../parts/states.js';
import { Time } from '../../parts/time.js';
import { HealthBadge, waitingText, type Endpoint } from '../../parts/webhooks/health.js';
import { moment } from '../../words.js';
import { endpointNamed, endpointWords as t } from './words.js';

/** How deliveries to an endpoint are going. */
export function Health({ endpoint }: { readonly endpoint: Endpoint }) {
  const { health, disabledReason } = endpoint;
  return (
    <Card title={t('health')} end={<HealthBadge endpoint={endpoint} />}>
      <div class="grid">
        {disabledReason !== null && <Note tone="no">{endpointNamed('health.', disabledReason)}</Note>}
        {health !== null && disabledReason === null && health.failingSince !== null && (
          <Note tone="no">
            {t('health.failing', { n: health.consecutiveFailures, when: moment(health.failingSince) })}
          </Note>
        )}
        {health?.behind && endpoint.state === 'ENABLED' && <Note tone="wait">{t('health.behind')}</Note>}
        {health !== null && (
          <Facts>
            <Fact term={t('last')}>
              {health.lastSuccessAt === null ? t('never') : <Time at={health.lastSuccessAt} />}
            </Fact>
            {health.lastFailureAt !== null && (
              <Fact term={t('last-failure')}>
                <Time at={health.lastFailureAt} />
              </Fact>
            )}
            <Fact term={t('waiting')}>{waitingText(health)}</Fact>
          </Facts>
        )}
      </div>
    </Card>
  );
}
