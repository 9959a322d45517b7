import type { components } from '../../api/schema.js';
import { Badge } from '../../parts/badge.js';
import { Icon } from '../../parts/icon.js';
import { Card } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { systemWords as t } from './words.js';

export type Health = components['schemas']['Health'];
type Finding = components['schemas']['Finding'];
const TONES = { ok: 'yes', warn: 'wait', fail: 'no' } as const;
type Verdict = keyof typeof TONES;

/** What the doctor found: what needs an operator first, with what to do. */
export function Findings({ of }: { readonly of: Health }) {
  const needing = of.findings.filter(({ verdict }) => verdict !== 'ok').sort((a, b) => rank(a) - rank(b));
  const fine = of.findings.filter(({ verdict }) => verdict === 'ok');
  const status = of.status as Verdict;
  return (
    <Card
      title={needing.length === 0 ? t('fine') : t('needs', { n: needing.length })}
      isFlush
      end={
        <>
          <span class="small">
            <Time at={of.checkedAt} />
          </span>
          <Badge tone={TONES[status]}>{t(`status.${status}`)}</Badge>
        </>
      }
    >
      <ul class="list">
        {needing.map(({ check, verdict, found, fix }) => (
          <li key={check} class={`finding ${TONES[verdict as Verdict]}-edge`}>
            <Icon name={verdict === 'fail' ? 'cross' : 'alert'} />
            <div class="t" lang="en">
              <b>{check}</b>
              <p>{found}</p>
              {fix !== null && (
                <p>
                  <span lang={document.documentElement.lang}>{t('todo')}</span> {fix}
                </p>
              )}
            </div>
          </li>
        ))}
        <li>
          <details class="t">
            <summary>{t('checks', { n: fine.length })}</summary>
            <dl class="fact checks" lang="en">
              {fine.map(({ check, found }) => (
                <>
                  <dt>{check}</dt>
                  <dd>{found}</dd>
                </>
              ))}
            </dl>
          </details>
        </li>
      </ul>
    </Card>
  );
}

const rank = ({ verdict }: Finding): number => (verdict === 'fail' ? 0 : 1);
