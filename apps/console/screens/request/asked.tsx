import { Card, Fact, Facts } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { countryName, languageName } from '../../words.js';
import type { Request } from './allowed.js';
import { cardNamed, requestCardWords as t } from './words.js';

/** What was asked, by whom, and how it came. */
export function Asked({ request }: { readonly request: Request }) {
  const { requester, details, jurisdiction, locale } = request;
  return (
    <Card title={t('asked')}>
      <div class="grid">
        <p>{cardNamed('asked.', request.type)}</p>
        {details === null ? (
          <p class="small">{t('asked.no-details')}</p>
        ) : (
          <blockquote class="shown">
            <b>{t('asked.details')}</b>
            <p class="as-written">{details}</p>
          </blockquote>
        )}
        <Facts>
          <Fact term={t('asked.by')}>{cardNamed('by.', requester.type)}</Fact>
          {requester.name !== null && <Fact term={t('asked.name')}>{requester.name}</Fact>}
          {requester.email !== null && <Fact term={t('asked.email')}>{requester.email}</Fact>}
          {requester.evidence !== null && <Fact term={t('asked.evidence')}>{requester.evidence}</Fact>}
          <Fact term={t('asked.received')}>
            <Time at={request.receivedAt} />
          </Fact>
          <Fact term={t('asked.source')}>{cardNamed('source.', request.source)}</Fact>
          {jurisdiction !== null && (
            <Fact term={t('asked.place')}>
              {countryName(jurisdiction.country)}
              {jurisdiction.region !== null && ` (${jurisdiction.region})`}
            </Fact>
          )}
          {locale !== null && <Fact term={t('asked.language')}>{languageName(locale)}</Fact>}
        </Facts>
      </div>
    </Card>
  );
}
