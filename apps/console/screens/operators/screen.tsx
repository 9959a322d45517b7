import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import { usePages, useResource } from '../../api/resource.js';
import { frameWords } from '../../frame/words.js';
import { Button } from '../../parts/button.js';
import { Card, Page } from '../../parts/page.js';
import { SecretOnce } from '../../parts/secret.js';
import { Empty, Loaded, More } from '../../parts/states.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { may } from '../../session.js';
import { EndOperator, RotateToken } from './acts.js';
import { IssueToken } from './issue.js';
import { RolesOf } from './roles.js';
import { ChangeRoles } from './change.js';
import { OperatorDialog } from './operator.js';
import { RoleGuide } from './role-guide.js';
import { Name, Source, State, type Operator, type OperatorAct } from './shown.js';
import { operatorWords as t } from './words.js';

/** What is open above the list. */
type Open = { readonly act: 'issue' } | { readonly act: OperatorAct; readonly operator: Operator } | null;

export default function Operators() {
  const [open, setOpen] = useState<Open>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const operators = usePages(
    (cursor) => answered(api.GET('/admin/v1/operators', { params: { query: { ...(cursor !== null && { cursor }) } } })),
    [],
  );
  const tokens = useResource(
    async () => (await answered(api.GET('/admin/v1/operator-tokens', { params: { query: { limit: 200 } } }))).data,
    [],
  );
  const known = tokens.value.value;
  const tokenOf = ({ id }: Operator) =>
    known.state === 'ready' ? known.data.find((each) => each.id === id) : undefined;
  const close = () => setOpen(null);
  const changed = () => {
    void operators.reload();
    void tokens.reload();
  };
  const given = (operator: Operator) => ({ operator, onClose: close, onDone: changed });
  return (
    <Page
      title={frameWords('screen.operators')}
      lead={t('lead')}
      acts={
        may('issueOperatorToken') && (
          <Button look="main" icon="plus" onPress={() => setOpen({ act: 'issue' })}>
            {t('issue')}
          </Button>
        )
      }
    >
      <div class="stack">
        <Card title={t('list')} isFlush>
          <Loaded of={operators} empty={<Empty icon="people" title={t('none')} />}>
            {(rows) => (
              <Table
                label={t('list')}
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  { title: t('column.name'), cell: (each) => <Name of={each} /> },
                  { title: t('column.source'), cell: (each) => <Source of={each} /> },
                  { title: t('column.roles'), isText: true, cell: ({ roles }) => <RolesOf roles={roles} /> },
                  {
                    title: t('column.seen'),
                    cell: ({ lastSeenAt }) =>
                      lastSeenAt === null ? t('seen.never') : <Time at={lastSeenAt} form="distance" />,
                  },
                  { title: t('column.state'), cell: (each) => <State of={each} token={tokenOf(each)} /> },
                  {
                    title: t('manage'),
                    isActs: true,
                    cell: (operator) => (
                      <Button look="quiet" onPress={() => setOpen({ act: 'look', operator })}>
                        {t('manage')}
                        <span class="unseen"> {operator.name ?? operator.id}</span>
                      </Button>
                    ),
                  },
                ]}
              />
            )}
          </Loaded>
          <More of={operators} />
        </Card>
        <RoleGuide />
      </div>
      {open?.act === 'issue' && <IssueToken onIssued={setSecret} onClose={close} onDone={changed} />}
      {open?.act === 'look' && (
        <OperatorDialog
          operator={open.operator}
          token={tokenOf(open.operator)}
          onClose={close}
          onAct={(act) => setOpen({ act, operator: open.operator })}
        />
      )}
      {open?.act === 'roles' && <ChangeRoles {...given(open.operator)} />}
      {open?.act === 'rotate' && <RotateToken {...given(open.operator)} onIssued={setSecret} />}
      {open?.act === 'end' && <EndOperator {...given(open.operator)} />}
      <SecretOnce title={t('secret')} secret={secret} onClose={() => setSecret(null)}>
        <p>{t('secret.why')}</p>
      </SecretOnce>
    </Page>
  );
}
