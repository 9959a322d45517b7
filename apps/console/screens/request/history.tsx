import { Card, Fact, Facts } from '../../parts/page.js';
import { Icon, type IconName } from '../../parts/icon.js';
import { requestState } from '../../parts/requests/words.js';
import { Time } from '../../parts/time.js';
import { number } from '../../words.js';
import type { Request } from './allowed.js';
import { cardNamed, reasonText, requestCardWords as t } from './words.js';

const LOOKS: Readonly<Record<string, readonly [tone: string, icon: IconName]>> = {
  RECEIVED: ['info', 'inbox'],
  AWAITING_VERIFICATION: ['wait', 'clock'],
  VERIFIED: ['yes', 'person'],
  IN_PROGRESS: ['info', 'pulse'],
  ON_HOLD: ['wait', 'clock'],
  COMPLETED: ['yes', 'check'],
  PARTIALLY_COMPLETED: ['yes', 'check'],
  REJECTED: ['no', 'cross'],
};

/** Every state that the request came to, the newest first. */
export function History({ request }: { readonly request: Request }) {
  const { verification, reasonCode, source } = request;
  const more = (state: string): string | null =>
    state === 'RECEIVED'
      ? `${t('asked.source')} ${cardNamed('source.', source)}`
      : state === 'VERIFIED' && verification.method !== null
        ? cardNamed('method.', verification.method)
        : (state === 'REJECTED' || state === 'CANCELED') && reasonCode !== null
          ? reasonText(reasonCode)
          : null;
  return (
    <Card title={t('history')} isFlush>
      <ol class="timeline" reversed>
        {[...request.history].reverse().map(({ state, at }) => {
          const [tone, icon] = LOOKS[state] ?? ['off', 'dash'];
          return (
            <li key={state + at}>
              <span class={`dot ${tone}`}>
                <Icon name={icon} />
              </span>
              <div class="ev">
                <b>{requestState(state)}</b>
                <Time at={at} />
              </div>
              {more(state) !== null && <p class="ev-sub">{more(state)}</p>}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

/** What completing it did, or why it was closed otherwise. */
export function Effect({ request }: { readonly request: Request }) {
  const { effect, reasonCode, note } = request;
  if (effect === null && reasonCode === null) return null;
  return (
    <Card title={t('effect')}>
      <div class="grid">
        {effect !== null && <p>{sentenceOf(effect)}</p>}
        <Facts>
          {reasonCode !== null && <Fact term={t('effect.reason')}>{reasonText(reasonCode)}</Fact>}
          {note !== null && (
            <Fact term={t('notes')}>
              <span class="as-written">{note}</span>
            </Fact>
          )}
          {effect?.receiptId !== undefined && (
            <Fact term={t('effect.receipt')}>
              <code>{effect.receiptId}</code>
            </Fact>
          )}
          {effect?.archive && (
            <Fact term={t('effect.hash')}>
              <code>{effect.archive.sha256}</code>
            </Fact>
          )}
        </Facts>
      </div>
    </Card>
  );
}

function sentenceOf({ kind, recordIds = [], archive }: NonNullable<Request['effect']>): string {
  if (kind === 'DECISIONS') return t('effect.DECISIONS', { n: recordIds.length });
  if (kind === 'ARCHIVE') return t('effect.ARCHIVE', { size: number(Math.ceil((archive?.bytes ?? 0) / 1024)) });
  return cardNamed('effect.', kind);
}
