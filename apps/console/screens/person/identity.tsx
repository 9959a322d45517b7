import { Badge } from '../../parts/badge.js';
import { kindName } from '../../parts/identifier.js';
import { Card, Fact, Facts } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { countryName, languageName } from '../../words.js';
import type { Subject } from './person.js';
import { t } from './words.js';

/** The identifier that names a person best: an address before a number before an id. */
export function nameOf({ id, identifiers }: Subject): string {
  const known = ['email', 'phone', 'user_id', 'external_id'].flatMap((kind) =>
    identifiers.filter((each) => each.kind === kind && each.value !== null && each.value !== '…'),
  );
  const named = known.find(({ primary }) => primary) ?? known[0];
  return named?.value ?? (identifiers.every(({ kind }) => kind === 'visitor_id') ? t('visitor') : id);
}

/** By what a person is known. Identifiers are masked unless they were revealed. */
export function Identity({ subject, asOf }: { readonly subject: Subject; readonly asOf: string | null }) {
  const { country, locale, restrictedUntil, state } = subject;
  const identifiers = subject.identifiers.filter(({ addedAt }) => asOf === null || addedAt <= asOf);
  return (
    <Card title={t('identity')}>
      <Facts>
        <Fact term={t('person')}>
          <code>{subject.id}</code>
        </Fact>
        {identifiers.map(({ id, kind, value, verified }) => (
          <Fact key={id} term={kindName(kind)}>
            {value ?? t('forgotten')} {verified && <Badge tone="yes">{t('verified')}</Badge>}
          </Fact>
        ))}
        {country && <Fact term={t('country')}>{countryName(country)}</Fact>}
        {locale && <Fact term={t('language')}>{languageName(locale)}</Fact>}
        {asOf === null && (
          <Fact term={t('hold')}>
            {state === 'RESTRICTED' ? (
              <>
                <Badge tone="wait" icon="lock">
                  {t('hold.on')}
                </Badge>{' '}
                {restrictedUntil && (
                  <>
                    {t('hold.until')} <Time at={restrictedUntil} form="day" />
                  </>
                )}
              </>
            ) : (
              t('hold.none')
            )}
          </Fact>
        )}
      </Facts>
    </Card>
  );
}
