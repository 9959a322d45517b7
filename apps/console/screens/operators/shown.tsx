import type { components } from '../../api/schema.js';
import { Badge } from '../../parts/badge.js';
import { Time } from '../../parts/time.js';
import { session } from '../../session.js';
import { operatorWords as t } from './words.js';

export type Operator = components['schemas']['Operator'];
export type Token = components['schemas']['OperatorToken'];
export type OperatorAct = 'look' | 'roles' | 'rotate' | 'end';

export function Name({ of }: { readonly of: Operator }) {
  return (
    <>
      {of.name ?? of.email ?? <code>{of.id}</code>}{' '}
      {session.value?.operator.id === of.id && (
        <Badge tone="info" icon="person">
          {t('you')}
        </Badge>
      )}
      {of.name !== null && of.email !== null && (
        <>
          <br />
          <span class="small">{of.email}</span>
        </>
      )}
    </>
  );
}

export function Source({ of }: { readonly of: Operator }) {
  return of.source === 'OIDC' ? (
    <Badge tone="acc" icon="person">
      {t('source.oidc')}
    </Badge>
  ) : (
    <Badge tone="off" icon="key">
      {t('source.token')}
    </Badge>
  );
}

export function State({ of, token }: { readonly of: Operator; readonly token: Token | undefined }) {
  if (of.state === 'ENDED') return <Badge tone="off">{t('state.ended')}</Badge>;
  return (
    <>
      <Badge tone={token?.replacedBy ? 'wait' : 'yes'}>
        {t(token?.replacedBy ? 'state.replaced' : 'state.active')}
      </Badge>
      {token?.expiresAt && (
        <>
          <br />
          <span class="small">
            {t('ends')} <Time at={token.expiresAt} form="day" />
          </span>
        </>
      )}
    </>
  );
}
