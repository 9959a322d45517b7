import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { answered, api } from '../../api/client.js';
import { useResource, usePages } from '../../api/resource.js';
import type { ScreenProps } from '../../app.js';
import { EnvBadge } from '../../frame/shell.js';
import { frameWords } from '../../frame/words.js';
import { Button, Chips } from '../../parts/button.js';
import { Card, Page } from '../../parts/page.js';
import { SecretOnce } from '../../parts/secret.js';
import { Empty, Loaded, More, Note } from '../../parts/states.js';
import { may, session } from '../../session.js';
import { IssueDialog } from './issue.js';
import { KeyTable } from './list.js';
import { Origins } from './origins.js';
import { RevokeDialog, RotateDialog, type Key } from './acts.js';
import { keyWords as t } from './words.js';

const CONDITIONS = ['live', 'expired', 'revoked'] as const;
type Condition = (typeof CONDITIONS)[number];

/** What is open above the list. */
type Open = { readonly act: 'issue' } | { readonly act: 'rotate' | 'revoke'; readonly key: Key } | null;

export default function Keys({ place }: ScreenProps) {
  const { query, route, path } = useLocation();
  const state: Condition = CONDITIONS.find((each) => each === query['state']) ?? 'live';
  const [open, setOpen] = useState<Open>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const { site, env } = place;
  const keys = usePages(
    (cursor) =>
      answered(
        api.GET('/admin/v1/sites/{site}/keys', {
          params: { path: { site }, query: { env, state, ...(cursor !== null && { cursor }) } },
        }),
      ),
    [site, env, state],
  );
  const about = useResource(async () => {
    const { data } = await answered(api.GET('/admin/v1/sites', { params: { query: { limit: 200 } } }));
    return data.find((each) => each.site === site)?.allowedOrigins[env] ?? [];
  }, [site, env]);
  const close = () => setOpen(null);
  const mayIssue = may('issueKey', place);
  return (
    <Page
      title={frameWords('screen.keys')}
      lead={t('lead')}
      acts={
        mayIssue && (
          <Button look="main" icon="plus" onPress={() => setOpen({ act: 'issue' })}>
            {t('issue')}
          </Button>
        )
      }
    >
      <div class="stack">
        {!mayIssue && <Note icon="lock">{t(whyOnlyToSee(place))}</Note>}
        <Card
          title={
            <>
              {t('list')} <EnvBadge env={env} />
            </>
          }
          isFlush
          end={
            <Chips
              label={t('filter')}
              options={CONDITIONS.map((each) => [each, t(`filter.${each}`)] as const)}
              value={state}
              onPick={(picked) => route(picked === 'live' ? path : `${path}?state=${picked}`, true)}
            />
          }
        >
          <Loaded
            of={keys}
            empty={
              <Empty icon="key" title={t(`empty.${state}`)}>
                {state === 'live' && t('empty.live.why')}
              </Empty>
            }
          >
            {(rows) => (
              <KeyTable
                rows={rows}
                place={place}
                onRotate={(key) => setOpen({ act: 'rotate', key })}
                onRevoke={(key) => setOpen({ act: 'revoke', key })}
              />
            )}
          </Loaded>
          <More of={keys} />
        </Card>
        <Loaded of={about}>
          {(origins) => <Origins place={place} origins={origins} onChange={() => about.reload()} />}
        </Loaded>
      </div>
      {open?.act === 'issue' && (
        <IssueDialog place={place} onClose={close} onIssued={setSecret} onDone={() => void keys.reload()} />
      )}
      {open?.act === 'rotate' && (
        <RotateDialog
          listed={open.key}
          place={place}
          onClose={close}
          onIssued={setSecret}
          onDone={() => void keys.reload()}
        />
      )}
      {open?.act === 'revoke' && (
        <RevokeDialog listed={open.key} place={place} onClose={close} onDone={() => void keys.reload()} />
      )}
      <SecretOnce title={t('secret')} secret={secret} onClose={() => setSecret(null)}>
        <p>{t(secret?.startsWith('pk') ? 'secret.pk' : 'secret.sk')}</p>
      </SecretOnce>
    </Page>
  );
}

/** Developers change keys of `test`; for auditors all keys are only to look at. */
function whyOnlyToSee({ site, env }: ScreenProps['place']): 'only.live' | 'only.all' {
  const isDeveloper = session.value?.roles.some(
    (each) => each.role === 'DEVELOPER' && (each.site === '*' || each.site === site),
  );
  return env === 'live' && isDeveloper ? 'only.live' : 'only.all';
}
