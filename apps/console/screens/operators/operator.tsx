import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { say } from '../../frame/said.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Dialog, FormTrouble } from '../../parts/form.js';
import { Fact, Facts } from '../../parts/page.js';
import { Loaded, Note } from '../../parts/states.js';
import { Time } from '../../parts/time.js';
import { may } from '../../session.js';
import { RolesOf } from './roles.js';
import { Source, State, type Operator, type OperatorAct, type Token } from './shown.js';
import { operatorWords as t } from './words.js';

/** Id of the token of the first start, which is the way in when everything else is broken. */
const FIRST = 'opt_first';

/** One operator: who, sessions, and what can be done about it. */
export function OperatorDialog(props: {
  readonly operator: Operator;
  readonly token: Token | undefined;
  readonly onClose: () => void;
  readonly onAct: (act: OperatorAct) => void;
}) {
  const { operator, token, onAct } = props;
  const isActive = operator.state === 'ACTIVE';
  const isProgram = operator.source === 'TOKEN' && operator.id !== FIRST;
  return (
    <Dialog title={operator.name ?? operator.email ?? operator.id} isOpen onClose={props.onClose}>
      <Facts>
        <Fact term={t('column.source')}>
          <Source of={operator} />
        </Fact>
        <Fact term={t('column.state')}>
          <State of={operator} token={token} />
        </Fact>
        {operator.email !== null && <Fact term={t('email')}>{operator.email}</Fact>}
        <Fact term={t('column.roles')}>
          <RolesOf roles={operator.roles} />
        </Fact>
        <Fact term={t('id')}>
          <code>{operator.id}</code>
        </Fact>
        {operator.createdAt !== null && (
          <Fact term={t('since')}>
            <Time at={operator.createdAt} />
            {operator.createdBy !== null && (
              <>
                , {t('by')} <code>{operator.createdBy}</code>
              </>
            )}
          </Fact>
        )}
      </Facts>
      <div class="verdict">
        {operator.id === FIRST && <Note>{t('first')}</Note>}
        {operator.source === 'OIDC' && <Note>{t('oidc')}</Note>}
      </div>
      {may('listOperatorSessions') && <Sessions of={operator} />}
      {isActive && (
        <div class="acts">
          {isProgram && may('changeOperator') && <Button onPress={() => onAct('roles')}>{t('change')}</Button>}
          {isProgram && !token?.replacedBy && may('rotateOperatorToken') && (
            <Button onPress={() => onAct('rotate')}>{t('rotate')}</Button>
          )}
          {operator.id !== FIRST && may('endOperator') && (
            <Button look="danger" onPress={() => onAct('end')}>
              {t('end')}
            </Button>
          )}
        </div>
      )}
    </Dialog>
  );
}

function Sessions({ of }: { readonly of: Operator }) {
  const params = { path: { id: of.id } };
  const sessions = useResource(
    async () => (await answered(api.GET('/admin/v1/operators/{id}/sessions', { params }))).data,
    [of.id],
  );
  const ending = useAct(async (once) => {
    const { ended } = await answered(api.POST('/admin/v1/operators/{id}/sessions/end', { params, ...once }));
    say(t('sessions.ended', { n: ended }));
    await sessions.reload();
  });
  return (
    <section class="verdict">
      <h3>{t('sessions')}</h3>
      <FormTrouble problem={ending.problem} />
      <Loaded of={sessions} empty={<p class="small">{t('sessions.none')}</p>}>
        {(rows) => (
          <>
            <ul class="plain-list">
              {rows.map(({ id, beganAt, lastSeenAt, endsAt, current }) => (
                <li key={id}>
                  {t('sessions.began')} <Time at={beganAt} />, {t('sessions.seen')}{' '}
                  <Time at={lastSeenAt} form="distance" />, {t('sessions.ends')} <Time at={endsAt} form="distance" />{' '}
                  {current && <Badge tone="info">{t('sessions.this')}</Badge>}
                </li>
              ))}
            </ul>
            {may('endOperatorSessions') && (
              <>
                <p class="small">{t(rows.some(({ current }) => current) ? 'sessions.end.own' : 'sessions.end.why')}</p>
                <Button look="danger" isBusy={ending.isBusy} onPress={() => void ending.run()}>
                  {t('sessions.end')}
                </Button>
              </>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
