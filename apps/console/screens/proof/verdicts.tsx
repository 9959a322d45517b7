import { at } from '../../addresses.js';
import type { components } from '../../api/schema.js';
import { LinkButton } from '../../parts/button.js';
import { Fact, Facts } from '../../parts/page.js';
import { Note } from '../../parts/states.js';
import { Time } from '../../parts/time.js';
import { may, type Place } from '../../session.js';
import { languageName, named } from '../../words.js';
import type { Verified } from './receipt.js';
import { proofTable, proofWords as t } from './words.js';

export function ReceiptVerdict(props: { readonly of: Verified; readonly place: Place }) {
  const { of, place } = props;
  const { receipt, verdict, kid } = of;
  const { site, environment, subject, event, purposes = [], preferences = [], notice } = receipt;
  const isHere = site === place.site && environment === place.env;
  const tone = verdict === 'VALID' ? 'yes' : verdict === 'TAMPERED' || verdict === 'KEY_NOT_YET_VALID' ? 'no' : 'wait';
  return (
    <>
      <Note tone={tone} icon={verdict === 'VALID' ? 'shield' : 'alert'}>
        <b>{t(`receipt.${verdict}`)}</b>
        <p>{t(`receipt.${verdict}.why`)}</p>
      </Note>
      {!isHere && (
        <div class="verdict">
          <Note tone="wait">{t('receipt.elsewhere', { site, env: environment })}</Note>
        </div>
      )}
      {verdict !== 'TAMPERED' && (
        <Facts>
          <Fact term={t('receipt.about')}>
            {named(t, proofTable, 'event.', event.type)}, <Time at={event.at} />
          </Fact>
          {purposes.map(({ key, version, decision }) => (
            <Fact key={key} term={key}>
              {named(t, proofTable, 'decision.', decision)} ({t('receipt.version', { n: version })})
            </Fact>
          ))}
          {preferences.map(({ field, state }) => (
            <Fact key={field} term={field}>
              {named(t, proofTable, 'decision.', state)}
            </Fact>
          ))}
          {notice && (
            <Fact term={t('receipt.text')}>
              {languageName(notice.language)}, <code>{notice.hash}</code>
            </Fact>
          )}
          <Fact term={t('receipt.id')}>
            <code>{receipt.id}</code>
          </Fact>
          <Fact term={t('receipt.key')}>
            <code>{kid}</code>
          </Fact>
        </Facts>
      )}
      {isHere && verdict === 'VALID' && event.type !== 'erasure' && may('getSiteSubject', place) && (
        <div class="acts">
          <LinkButton href={at(place, 'people', subject.id)} icon="person">
            {t('receipt.person')}
          </LinkButton>
        </div>
      )}
    </>
  );
}

/** What a string of a framework says, in the words of the service: first what was chosen, then its circumstances. */
export function ExplainedText({ of }: { readonly of: components['schemas']['ExplainedString'] }) {
  const sentences = (kind: string) =>
    of.says.filter((each) => each.kind === kind).map(({ part, field, text }) => <li key={part + field}>{text}</li>);
  return (
    <>
      <Note>
        <b>{t(of.framework === 'GPP' ? 'string.gpp' : 'string.tcf')}</b>
        <p>{t('string.unsigned')}</p>
      </Note>
      {of.warnings.map((warning) => (
        <div class="verdict" key={warning}>
          <Note tone="wait">{warning}</Note>
        </div>
      ))}
      <ul class="says" lang="en">
        {sentences('CHOICE')}
      </ul>
      <details class="verdict">
        <summary>{t('string.context')}</summary>
        <ul class="says" lang="en">
          {sentences('CONTEXT')}
        </ul>
      </details>
    </>
  );
}
