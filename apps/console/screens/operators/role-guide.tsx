import { Card } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import { number } from '../../words.js';
import { useRoles } from './roles.js';
import { operatorWords as t, roleName, rolePurpose } from './words.js';

/** What each role is for, and how much of the service it reaches. */
export function RoleGuide() {
  const roles = useRoles();
  return (
    <Card title={t('guide')} isFlush>
      <Loaded of={roles}>
        {(rows) => (
          <ul class="list">
            {rows.map(({ role, description, operations, operationsInTest }) => (
              <li key={role}>
                <div class="t">
                  <b>{roleName(role)}</b>
                  <p class="small">{rolePurpose(role) ?? description}</p>
                  <details>
                    <summary class="small">
                      {t('guide.operations', { n: operations.length + operationsInTest.length })}
                    </summary>
                    <p class="small">
                      <code>{operations.join(', ')}</code>
                      {operationsInTest.length > 0 && (
                        <>
                          <br />
                          {t('guide.test', { n: number(operationsInTest.length) })}{' '}
                          <code>{operationsInTest.join(', ')}</code>
                        </>
                      )}
                    </p>
                  </details>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}
