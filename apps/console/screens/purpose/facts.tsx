import { Card, Fact, Facts } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { countryName } from '../../words.js';
import type { Purpose } from '../purposes/catalogue.js';
import { term } from '../purposes/words.js';
import { duration, words as t } from './words.js';

/** What stands behind a purpose, in words of the law. */
export function PurposeFacts({ purpose }: { readonly purpose: Purpose }) {
  const { recipients, dataCategories, cookies, controller, retention, validityDays } = purpose;
  return (
    <Card title={t('facts')}>
      <Facts>
        <Fact term={t('basis')}>{term('basis', purpose.legalBasis)}</Fact>
        <Fact term={t('model')}>{term('model', purpose.consentModel)}</Fact>
        <Fact term={t('category')}>{term('category', purpose.category)}</Fact>
        <Fact term={t('data')}>
          {dataCategories.map(({ key, sensitive }) => (sensitive ? t('data.sensitive', { key }) : key)).join(', ') ||
            t('none')}
        </Fact>
        <Fact term={t('recipients')}>
          {recipients.length === 0
            ? t('none')
            : recipients.map(({ name, role, country }) => (
                <div key={name}>
                  {name}
                  {country !== undefined && `, ${countryName(country)}`} ({t(`role.${role as 'PROCESSOR'}`)})
                </div>
              ))}
        </Fact>
        <Fact term={t('retention')}>{retention === null ? t('retention.none') : duration(retention)}</Fact>
        <Fact term={t('life')}>{validityDays === null ? t('life.none') : t('life.days', { n: validityDays })}</Fact>
        <Fact term={t('gpc')}>{t(purpose.gpc ? 'gpc.yes' : 'gpc.no')}</Fact>
        <Fact term={t('cookies')}>
          {cookies.length === 0 ? t('none') : cookies.map((name) => <code key={name}>{name} </code>)}
        </Fact>
        <Fact term={t('controller')}>
          {controller.name}
          <br />
          {controller.contact}
        </Fact>
        <Fact term={t('since')}>
          <Time at={purpose.effectiveFrom} form="day" />
        </Fact>
        <Fact term={t('hash')}>
          <code>{purpose.contentHash}</code>
        </Fact>
      </Facts>
    </Card>
  );
}
