import type { components } from '../../api/schema.js';
import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { Badge } from '../../parts/badge.js';
import { Card, Fact, Facts } from '../../parts/page.js';
import { Loaded, Note } from '../../parts/states.js';
import { Table } from '../../parts/table.js';
import { day, moment } from '../../words.js';
import { SAID } from './holds.js';
import { useFresh, type Shown } from './person.js';
import { code, t } from './words.js';

type Preferences = components['schemas']['Preferences'];
type Topic = components['schemas']['TopicPreference'];
type Row = Topic & { readonly channel: string; readonly topic: string };

/** Which messages a person wants, by channel, and whether they may be sent. */
export function Messages({ place, id, asOf, turn }: Shown) {
  const preferences = useResource(() => {
    const query = asOf === null ? { fresh: true } : { asOf };
    return answered(
      api.GET('/admin/v1/sites/{site}/{env}/subjects/{ref}/preferences', {
        params: { path: { ...place, ref: id }, query },
      }),
    );
  }, [id, asOf]);
  useFresh(preferences, turn);
  return (
    <Card title={t('messages')} isFlush>
      <Loaded of={preferences}>{(loaded) => <Choices of={loaded} />}</Loaded>
    </Card>
  );
}

function Choices({ of: { channels, fields, globalOptOut } }: { readonly of: Preferences }) {
  const rows: Row[] = Object.entries(channels).flatMap(([channel, { topics }]) =>
    Object.entries(topics).map(([topic, each]) => ({ channel, topic, ...each })),
  );
  const answeredRows = rows.filter(({ state }) => state !== 'UNSET');
  const others = rows.length - answeredRows.length;
  return (
    <>
      {globalOptOut.state === 'ACTIVE' && (
        <div class="pad">
          <Note tone="no">{t('messages.opt-out', { day: globalOptOut.since ? day(globalOptOut.since) : '' })}</Note>
        </div>
      )}
      {answeredRows.length > 0 && (
        <Table<Row>
          label={t('messages')}
          rows={answeredRows}
          keyOf={({ channel, topic }) => `${channel}.${topic}`}
          columns={[
            { title: t('topic'), cell: ({ channel, topic }) => `${code('channel.', channel)}: ${plain(topic)}` },
            {
              title: t('said'),
              cell: ({ state }) => <Badge tone={SAID[state] ?? 'off'}>{code('said.', state)}</Badge>,
            },
            {
              title: t('sendable'),
              cell: ({ sendable }) => (
                <Badge tone={sendable ? 'yes' : 'no'}>{sendable ? t('sendable.yes') : t('sendable.no')}</Badge>
              ),
            },
            { title: t('why'), isText: true, cell: whyOf },
          ]}
        />
      )}
      {Object.keys(fields).length > 0 && (
        <div class="pad">
          <Facts>
            {Object.entries(fields).map(([field, { value }]) => (
              <Fact key={field} term={plain(field)}>
                {Array.isArray(value) ? value.join(', ') : String(value ?? '')}
              </Fact>
            ))}
          </Facts>
        </div>
      )}
      {others > 0 && (
        <p class="pad small quiet">
          {answeredRows.length === 0 ? t('messages.none') : t('messages.others', { n: others })}
        </p>
      )}
    </>
  );
}

const plain = (key: string): string => key.replace(/_/g, ' ');

function whyOf({ blockedBy, since, confirmedAt, expiresAt, pausedUntil, state }: Row): string {
  if (blockedBy === 'PAUSED' && pausedUntil) return t('blocked.PAUSED', { day: day(pausedUntil) });
  if (blockedBy === 'PENDING' && expiresAt) return t('blocked.PENDING', { when: moment(expiresAt) });
  if (blockedBy === 'GLOBAL_OPT_OUT') return t('blocked.GLOBAL_OPT_OUT');
  if (state === 'GRANTED' && confirmedAt) return t('messages.confirmed', { day: day(confirmedAt) });
  return since ? t('messages.since', { day: day(since) }) : '';
}
