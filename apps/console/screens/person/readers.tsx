import { answered, api } from '../../api/client.js';
import { usePages } from '../../api/resource.js';
import type { components } from '../../api/schema.js';
import { Card } from '../../parts/page.js';
import { Empty, Loaded, More } from '../../parts/states.js';
import { Time } from '../../parts/time.js';
import { session } from '../../session.js';
import { useFresh, type Shown } from './person.js';
import { t } from './words.js';

type Read = components['schemas']['SubjectRead'];

/** Who read something of the person, by reader and hour. */
export function Readers({ place, id, asOf, turn }: Shown) {
  const reads = usePages<Read>(
    (cursor) =>
      answered(
        api.GET('/admin/v1/sites/{site}/{env}/subjects/{ref}/reads', {
          params: {
            path: { ...place, ref: id },
            query: { limit: 50, ...(cursor !== null && { cursor }), ...(asOf !== null && { to: asOf }) },
          },
        }),
      ),
    [id, asOf],
  );
  useFresh(reads, turn);
  return (
    <Card title={t('readers')} isFlush>
      <Loaded of={reads} empty={<Empty icon="eye" title={t('readers.none')} />}>
        {(loaded) => (
          <ul class="list">
            {byHour(loaded).map(({ reader, hour, lastAt, n }) => (
              <li key={`${reader} ${hour}`}>
                <span class="t">
                  <b>{readerName(reader)}</b>
                  <span>
                    <Time at={lastAt} /> · {t('readers.times', { n })}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <More of={reads} />
    </Card>
  );
}

/** A reader of a person within an hour, whatever was read. */
function byHour(reads: readonly Read[]) {
  const hours = new Map<string, { reader: string; hour: string; lastAt: string; n: number }>();
  for (const { reader, hour, lastAt, reads: n } of reads) {
    const known = hours.get(reader + hour);
    if (!known) hours.set(reader + hour, { reader, hour, lastAt, n });
    else Object.assign(known, { n: known.n + n, lastAt: lastAt > known.lastAt ? lastAt : known.lastAt });
  }
  return [...hours.values()];
}

function readerName(reader: string): string {
  const id = reader.replace(/^operator:/, '');
  return id === session.value?.operator.id ? t('readers.you') : id;
}
