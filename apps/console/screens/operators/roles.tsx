import { useResource } from '../../api/resource.js';
import { answered, api } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { frameWords } from '../../frame/words.js';
import { Button } from '../../parts/button.js';
import { SelectField } from '../../parts/form.js';
import { Fieldset } from '../../parts/fieldset.js';
import { sites } from '../../session.js';
import type { Problem } from '../../api/problem.js';
import { operatorWords as t, roleName, rolePurpose } from './words.js';

export type RoleAt = components['schemas']['OperatorRoleInput'];

/** `Privacy officer at Demo Shop, production` */
export function RolesOf({ roles }: { readonly roles: readonly components['schemas']['OperatorRole'][] }) {
  if (roles.length === 0) return <>{t('roles.none')}</>;
  return (
    <ul class="plain-list">
      {roles.map(({ role, site, env }) => (
        <li key={`${role} ${site} ${env}`}>
          <b>{roleName(role)}</b> {placeText(site, env)}
        </li>
      ))}
    </ul>
  );
}

function placeText(site: string, env: string): string {
  const where = site === '*' ? t('sites.all') : (sites.value.find((each) => each.site === site)?.name ?? site);
  const which = env === 'test' || env === 'live' ? frameWords(`env.${env}`) : t('envs.all');
  return t('at', { site: where, env: which });
}

export const useRoles = () => useResource(async () => (await answered(api.GET('/admin/v1/roles'))).data, []);

const ENVS = ['*', 'test', 'live'] as const;
const FIRST: RoleAt = { role: 'VIEWER', site: '*', env: '*' };

/** Roles by site and environment, each with what it is for. */
export function RolesEditor(props: {
  readonly value: readonly RoleAt[];
  readonly onChange: (roles: readonly RoleAt[]) => void;
  readonly problem: Problem | null;
}) {
  const { value, onChange, problem } = props;
  const roles = useRoles().value.value;
  const offered = roles.state === 'ready' ? roles.data : [];
  const set = (index: number, part: Partial<RoleAt>) =>
    onChange(value.map((each, i) => (i === index ? { ...each, ...part } : each)));
  const siteOptions = [...new Set(['*', ...sites.value.map(({ site }) => site), ...value.map(({ site }) => site)])];
  return (
    <Fieldset legend={t('column.roles')} hint={t('roles.hint')}>
      {value.map((each, index) => (
        <div class="role-row" key={index} role="group" aria-label={t('roles.nth', { n: index + 1 })}>
          <div class="fields">
            <SelectField
              name={`roles[${index}].role`}
              label={t('role')}
              value={each.role}
              options={(offered.length > 0 ? offered.map(({ role }) => role as RoleAt['role']) : [each.role]).map(
                (role) => [role, roleName(role)] as const,
              )}
              onPick={(role) => set(index, { role })}
              problem={problem}
            />
            <SelectField
              name={`roles[${index}].site`}
              label={t('site')}
              value={each.site}
              options={siteOptions.map(
                (site) =>
                  [
                    site,
                    site === '*' ? t('sites.all') : (sites.value.find((known) => known.site === site)?.name ?? site),
                  ] as const,
              )}
              onPick={(site) => set(index, { site })}
              problem={problem}
            />
            <SelectField
              name={`roles[${index}].env`}
              label={t('env')}
              value={each.env}
              options={ENVS.map((env) => [env, env === '*' ? t('envs.all') : frameWords(`env.${env}`)] as const)}
              onPick={(env) => set(index, { env })}
              problem={problem}
            />
          </div>
          <p class="small">
            {rolePurpose(each.role) ?? offered.find(({ role }) => role === each.role)?.description ?? ''}
          </p>
          {value.length > 1 && (
            <Button look="quiet" icon="cross" onPress={() => onChange(value.filter((_, i) => i !== index))}>
              {t('roles.remove')}
            </Button>
          )}
        </div>
      ))}
      <Button icon="plus" onPress={() => onChange([...value, FIRST])}>
        {t('roles.add')}
      </Button>
    </Fieldset>
  );
}
