import { answered, api } from '../../api/client.js';
import { useEvery } from '../../api/every.js';
import { useResource } from '../../api/resource.js';
import { frameWords } from '../../frame/words.js';
import { Badge } from '../../parts/badge.js';
import { Card, Fact, Facts, Page } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { Time } from '../../parts/time.js';
import { named, number } from '../../words.js';
import { Findings, type Health } from './findings.js';
import { LeftOut, ReadModels } from './read-models.js';
import { systemTable, systemWords as t } from './words.js';

/** The service keeps one answer that long, so asking more often shows nothing new. */
const LOOK_MS = 10_000;

export default function System() {
  const health = useResource(() => answered(api.GET('/admin/v1/health')), []);
  useEvery(LOOK_MS, true, () => void health.reload());
  return (
    <Page title={frameWords('screen.system')} lead={t('lead')}>
      <Loaded of={health}>
        {(shown) => (
          <div class="stack">
            <Findings of={shown} />
            <div class="grid g-main">
              <div class="stack">
                <ReadModels of={shown.projections} />
                {shown.skipped.length > 0 && <LeftOut of={shown.skipped} />}
              </div>
              <div class="stack">
                <Installation of={shown} />
                <Kept of={shown} />
                <Queues of={shown} />
              </div>
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

/** Checks that name an engine with its version. */
const ENGINES = ['database', 'event store', 'log', 'redis', 'read cache'];

function Installation({ of }: { readonly of: Health }) {
  const engines = of.findings.filter(({ check }) => ENGINES.includes(check.toLowerCase()));
  return (
    <Card title={t('installation')}>
      <Facts>
        <Fact term={t('release')}>{of.release}</Fact>
        {engines.map(({ check, found }) => (
          <Fact key={check} term={named(t, systemTable, 'engine.', check.toLowerCase())}>
            <span lang="en">{found}</span>
          </Fact>
        ))}
        <Fact term={t('roles')}>{of.roles.map((role) => named(t, systemTable, 'role.', role)).join(', ')}</Fact>
      </Facts>
    </Card>
  );
}

/** When the ledger was verified and a backup was made last. */
function Kept({ of }: { readonly of: Health }) {
  const { ledgerVerified, lastBackup } = of;
  return (
    <Card title={t('kept')}>
      <Facts>
        <Fact term={t('ledger')}>
          {ledgerVerified === null ? (
            <>
              <Badge tone="wait">{t('never')}</Badge>
              <p class="small">{t('ledger.how')}</p>
            </>
          ) : (
            <>
              {ledgerVerified.breaks === 0 ? (
                <Badge tone="yes">{t('ledger.fits')}</Badge>
              ) : (
                <Badge tone="no">{t('ledger.breaks', { n: ledgerVerified.breaks })}</Badge>
              )}
              <p class="small">
                <Time at={ledgerVerified.at} />, {t('ledger.leaves', { n: ledgerVerified.leaves })}
              </p>
            </>
          )}
        </Fact>
        <Fact term={t('backup')}>
          {lastBackup === null ? (
            <>
              <Badge tone="wait">{t('never')}</Badge>
              <p class="small">{t('backup.how')}</p>
            </>
          ) : (
            <>
              <Time at={lastBackup.at} form="distance" />
              <p class="small">{t('backup.holds', { n: lastBackup.rows, tables: number(lastBackup.tables) })}</p>
            </>
          )}
        </Fact>
      </Facts>
    </Card>
  );
}

function Queues({ of }: { readonly of: Health }) {
  return (
    <Card title={t('queues')} isFlush>
      {of.queues.length === 0 ? (
        <Empty icon="check" title={t('queues.none')} />
      ) : (
        <ul class="list">
          {of.queues.map(({ queue, open, oldestSeconds }) => (
            <li key={queue}>
              <div class="t">
                <b>{named(t, systemTable, 'queue.', queue)}</b>
                <span>{t('queue.open', { n: open })}</span>
              </div>
              <span class="small">{t('queue.oldest', { n: Math.ceil(oldestSeconds / 60) })}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
