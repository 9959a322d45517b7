import { Badge } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import type { Shown } from './file.js';
import { words as t } from './words.js';

const TONES = { ERROR: 'no', WARNING: 'wait', ADVICE: 'info' } as const;

/** What is wrong or could be better at this place, each with who says so. */
export function Findings({ findings }: { readonly findings: Shown['findings'] }) {
  return (
    <Card title={t('findings')} isFlush>
      {findings.length === 0 && <Empty icon="check" title={t('findings.none')} />}
      <ul class="list findings">
        {findings.map(({ rule, source, severity, path, message }) => (
          <li key={rule + path + message}>
            <Badge tone={TONES[severity as keyof typeof TONES]} icon={severity === 'ADVICE' ? 'info' : 'alert'}>
              {t(`severity.${severity as keyof typeof TONES}`)}
            </Badge>
            <div class="t">
              <b>
                <code>{path}</code> {message}
              </b>
              <span>{source}</span>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Whether a rule of the screen is kept. */
export function Passed({ isPassed }: { readonly isPassed: boolean }) {
  return <Badge tone={isPassed ? 'yes' : 'no'}>{t(isPassed ? 'check.passed' : 'check.failed')}</Badge>;
}
