import { at } from '../../addresses.js';
import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { Badge } from '../../parts/badge.js';
import { LinkButton } from '../../parts/button.js';
import { Card } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { day, distance } from '../../words.js';
import { useFresh, type Shown } from './person.js';
import { code, t } from './words.js';

/** What the person asked for and waits for. Nothing is drawn where there is none. */
export function OpenRequests({ place, id, turn }: Shown) {
  const requests = useResource(async () => {
    const query = { subject: `subject:${id}`, state: 'OPEN', order: 'DUE', limit: 5 } as const;
    const { data } = await answered(
      api.GET('/admin/v1/sites/{site}/{env}/data-requests', { params: { path: place, query } }),
    );
    return data;
  }, [id]);
  useFresh(requests, turn);
  const loaded = requests.value.value;
  if (loaded.state !== 'ready') return null;
  return (
    <>
      {loaded.data.map(({ id: request, type, receivedAt, extendedDueAt, dueAt, overdue, regulation }) => {
        const due = extendedDueAt ?? dueAt;
        return (
          <Card
            key={request}
            title={t('open-request')}
            end={
              due && (
                <Badge tone={overdue ? 'no' : 'wait'} icon="clock">
                  {overdue ? t('overdue') : distance(due)}
                </Badge>
              )
            }
          >
            <div class="grid">
              <p>
                <b>{code('request.', type)}</b>, {t('received', { day: day(receivedAt) })}
              </p>
              {due && (
                <p class="small">
                  {t('due.by')} <Time at={due} /> {regulation && `(${regulation})`}
                </p>
              )}
              <LinkButton href={at(place, 'requests', request)}>{t('open-request.go')}</LinkButton>
            </div>
          </Card>
        );
      })}
    </>
  );
}
