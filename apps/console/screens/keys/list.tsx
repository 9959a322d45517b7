import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Table, type Column } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { may, type Place } from '../../session.js';
import { shownKey, type Key } from './acts.js';
import { scopeText } from './scopes.js';
import { keyWords as t } from './words.js';

export function KeyTable(props: {
  readonly rows: readonly Key[];
  readonly place: Place;
  readonly onRotate: (key: Key) => void;
  readonly onRevoke: (key: Key) => void;
}) {
  const acts = (key: Key) =>
    key.state !== 'live' ? null : (
      <>
        {key.replacedBy === null && may('rotateKey', props.place) && (
          <Button look="quiet" onPress={() => props.onRotate(key)}>
            {t('rotate')}
            <span class="unseen"> {key.name}</span>
          </Button>
        )}
        {may('revokeKey', props.place) && (
          <Button look="quiet" onPress={() => props.onRevoke(key)}>
            {t('revoke')}
            <span class="unseen"> {key.name}</span>
          </Button>
        )}
      </>
    );
  const columns: Column<Key>[] = [
    {
      title: t('column.name'),
      cell: (key) => (
        <>
          {key.name}
          <br />
          <code class="small key">{shownKey(key)}</code>
        </>
      ),
    },
    { title: t('column.kind'), cell: (key) => <Kind of={key} /> },
    { title: t('column.scopes'), isText: true, cell: (key) => scopesText(key) },
    {
      title: t('column.used'),
      cell: (key) => (key.lastUsedAt === null ? t('used.never') : <Time at={key.lastUsedAt} form="distance" />),
    },
    { title: t('column.ends'), cell: (key) => <Ends of={key} /> },
    ...(props.rows.some((key) => key.state === 'live') && may('revokeKey', props.place)
      ? [{ title: t('column.acts'), cell: acts, isActs: true }]
      : []),
  ];
  return <Table label={t('list')} columns={columns} rows={props.rows} keyOf={({ id }) => id} />;
}

const Kind = ({ of }: { readonly of: Key }) =>
  of.type === 'sk' ? (
    <Badge tone="acc" icon="lock">
      {t('kind.sk')}
    </Badge>
  ) : (
    <Badge tone="info" icon="globe">
      {t('kind.pk')}
    </Badge>
  );

const scopesText = ({ type, scopes, allowedOrigins }: Key): string =>
  [
    scopes.includes('*') ? t(type === 'sk' ? 'scopes.all.sk' : 'scopes.all.pk') : scopes.map(scopeText).join(', '),
    ...(allowedOrigins === null ? [] : [t('scopes.origins', { origins: allowedOrigins.join(', ') })]),
  ].join(' ');

function Ends({ of }: { readonly of: Key }) {
  if (of.revokedAt !== null)
    return (
      <>
        <Badge tone="no">{t('state.revoked')}</Badge> <Time at={of.revokedAt} form="day" />
      </>
    );
  if (of.expiresAt === null) return <>{t('ends.never')}</>;
  if (of.state === 'expired')
    return (
      <>
        <Badge tone="off">{t('state.expired')}</Badge> <Time at={of.expiresAt} form="day" />
      </>
    );
  return (
    <>
      {of.replacedBy !== null && <Badge tone="wait">{t('state.replaced')}</Badge>}{' '}
      <Time at={of.expiresAt} form={of.replacedBy === null ? 'day' : 'distance'} />
    </>
  );
}
