import type { ComponentChildren } from 'preact';
import { at } from '../../addresses.js';
import type { components } from '../../api/schema.js';
import { frameWords } from '../../frame/words.js';
import { Badge } from '../../parts/badge.js';
import { CopyButton } from '../../parts/button.js';
import { Card, Fact, Facts } from '../../parts/page.js';
import { may, type Place, type Site } from '../../session.js';
import { languageName, named } from '../../words.js';
import { settingTable, settingWords as t } from './words.js';

/** How a setting is changed that the console only shows: by registering the site again. */
function HowToChange(props: { readonly of: Site; readonly options: string }) {
  const { site, name } = props.of;
  const command = `assent sites register ${site} --name ${JSON.stringify(name)} ${props.options}`;
  return (
    <details class="how">
      <summary class="small">{t('how')}</summary>
      <p class="small">{t('how.why')}</p>
      <pre>{command}</pre>
      <CopyButton text={command} />
    </details>
  );
}

const list = (items: readonly string[], none: string): ComponentChildren =>
  items.length === 0 ? (
    none
  ) : (
    <ul class="plain-list">
      {items.map((each) => (
        <li key={each}>
          <code>{each}</code>
        </li>
      ))}
    </ul>
  );

const words = (items: readonly string[], none: string): string =>
  items.length === 0 ? none : items.map((each) => `"${each}"`).join(' ');

export function Pages({ of, place }: { readonly of: Site; readonly place: Place }) {
  return (
    <Card title={t('pages')}>
      <Facts>
        <Fact term={t('name')}>{of.name}</Fact>
        <Fact term={t('domains')}>{list(of.domains, t('none'))}</Fact>
        {(['live', 'test'] as const).map((env) => (
          <Fact key={env} term={t('origins', { env: frameWords(`env.${env}`) })}>
            {list(of.allowedOrigins[env] ?? [], t('origins.none'))}
          </Fact>
        ))}
      </Facts>
      {may('listKeys', place) && (
        <p class="how">
          <a href={at(place, 'keys')}>{t('origins.change')}</a>
        </p>
      )}
      <HowToChange of={of} options={`--domain ${words(of.domains, 'shop.example')}`} />
    </Card>
  );
}

export function Languages({ of }: { readonly of: Site }) {
  return (
    <Card title={t('languages')}>
      <Facts>
        <Fact term={t('languages.texts')}>{of.languages.map(languageName).join(', ')}</Fact>
        <Fact term={t('languages.default')}>{languageName(of.defaultLocale)}</Fact>
        <Fact term={t('kinds')}>{list(of.identifierKinds, t('kinds.none'))}</Fact>
      </Facts>
      <HowToChange
        of={of}
        options={`--language ${of.languages.join(' ')} --default-locale ${of.defaultLocale} --identifier-kind ${of.identifierKinds.join(' ') || 'custom.loyalty_card'}`}
      />
    </Card>
  );
}

export function Evidence({ of }: { readonly of: Site }) {
  const { ip = 'TRUNCATED', userAgent = true } = of.evidence;
  return (
    <Card title={t('evidence')}>
      <Facts>
        <Fact term={t('evidence.ip')}>{named(t, settingTable, 'ip.', ip)}</Fact>
        <Fact term={t('evidence.browser')}>{t(userAgent ? 'browser.kept' : 'browser.none')}</Fact>
        <Fact term={t('confirmation')}>{t('hours', { n: of.confirmationHours })}</Fact>
      </Facts>
      <HowToChange
        of={of}
        options={`--evidence-ip ${ip.toLowerCase()} --evidence-user-agent ${userAgent ? 'family' : 'none'} --confirmation-hours ${of.confirmationHours}`}
      />
    </Card>
  );
}

export function Frameworks({ of }: { readonly of: Site }) {
  const { tcf, gpp } = of.frameworks;
  return (
    <Card title={t('frameworks')}>
      <Facts>
        <Fact term={t('tcf')}>
          {tcf.cmpId === null ? t('tcf.none') : t('tcf.cmp', { id: tcf.cmpId, version: tcf.cmpVersion ?? 0 })}
        </Fact>
        <Fact term={t('gpp')}>{named(t, settingTable, 'gpp.', gpp.approach)}</Fact>
        <Fact term={t('gpp.unsettled')}>{t(gpp.unsettledSections ? 'yes' : 'no')}</Fact>
        <Fact term={t('mspa')}>
          {gpp.mspa.covered && gpp.mspa.mode !== null ? named(t, settingTable, 'mspa.', gpp.mspa.mode) : t('no')}
        </Fact>
      </Facts>
      <HowToChange of={of} options="--tcf-cmp 300/4" />
    </Card>
  );
}

export function Service({ of }: { readonly of: Site }) {
  const { pk = null, sk = null } = of.rateLimits;
  const limit = (of: components['schemas']['RateLimit'] | null): string =>
    of === null ? t('limit.default') : t('limit', { n: of.perSecond, burst: of.burst });
  return (
    <Card title={t('service')}>
      <Facts>
        <Fact term={t('ledger')}>
          {of.ledger === 'OPEN' ? (
            <Badge tone="info" icon="globe">
              {t('ledger.open')}
            </Badge>
          ) : (
            <Badge tone="off" icon="lock">
              {t('ledger.closed')}
            </Badge>
          )}
        </Fact>
        <Fact term={t('visitors')}>{t(of.linkedVisitors === 'OPEN' ? 'visitors.open' : 'visitors.closed')}</Fact>
        <Fact term={t('secret')}>
          {of.allowSecretKeyInBrowser ? <Badge tone="wait">{t('secret.yes')}</Badge> : t('secret.no')}
        </Fact>
        <Fact term={t('limit.pk')}>{limit(pk)}</Fact>
        <Fact term={t('limit.sk')}>{limit(sk)}</Fact>
      </Facts>
      <HowToChange
        of={of}
        options={`--ledger ${of.ledger.toLowerCase()} --linked-visitors ${of.linkedVisitors.toLowerCase()} --secret-key-in-browser ${of.allowSecretKeyInBrowser ? 'yes' : 'no'}`}
      />
    </Card>
  );
}
