import type { components } from '../../api/schema.js';
import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { Button } from '../../parts/button.js';
import { shortId } from '../../parts/identifier.js';
import { Card } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { useFresh, type Shown, type TimelineItem } from './person.js';
import { code, t } from './words.js';

type TimelineMerge = components['schemas']['TimelineMerge'];
/** A merge that stands: who was absorbed, and by whom. */
export interface Merge {
  readonly id: string;
  readonly at: string;
  readonly survivor: string;
  readonly absorbed: readonly string[];
  readonly policy: string | null;
}

/** The merges that made one person of several, as a tree. Nothing is drawn where there was none. */
export function Family(props: Shown & { readonly onRevert: ((merge: Merge) => void) | null }) {
  const { place, id, asOf, turn } = props;
  const merges = useResource(async () => {
    const query = { types: ['subjects_merged', 'subject_merge_reverted'], limit: 200 };
    const { data } = await answered(
      api.GET('/admin/v1/sites/{site}/{env}/subjects/{ref}/timeline', {
        params: { path: { ...place, ref: id }, query },
      }),
    );
    return data;
  }, [id]);
  useFresh(merges, turn);
  const loaded = merges.value.value;
  if (loaded.state !== 'ready') return null;
  const standing = standingOf(loaded.data.filter(({ recordedAt }) => asOf === null || recordedAt <= asOf));
  if (standing.length === 0) return null;
  return (
    <Card title={t('family')}>
      <p class="small quiet">{t('family.lead')}</p>
      <ul class="tree">
        <li>
          <code>{shortId(id)}</code> {t('family.this')}
          <Branches of={id} merges={standing} onRevert={props.onRevert} />
        </li>
      </ul>
    </Card>
  );
}

function Branches(props: {
  readonly of: string;
  readonly merges: readonly Merge[];
  readonly onRevert: ((merge: Merge) => void) | null;
}) {
  const own = props.merges.filter(({ survivor }) => survivor === props.of);
  if (own.length === 0) return null;
  const others = props.merges.filter(({ survivor }) => survivor !== props.of);
  return (
    <ul>
      {own.map((merge) => (
        <li key={merge.id}>
          {merge.absorbed.map((each) => (
            <div key={each}>
              <code>{shortId(each)}</code>
              <Branches of={each} merges={others} onRevert={null} />
            </div>
          ))}
          <p class="small quiet">
            <Time at={merge.at} />
            {merge.policy && <> · {code('policy.', merge.policy)}</>}
          </p>
          {props.onRevert && (
            <Button look="quiet" icon="fork" onPress={() => props.onRevert!(merge)}>
              {t('revert')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The merges that were not taken back, newest first. Each stands in the list twice, once for either side. */
function standingOf(items: readonly TimelineItem[]): Merge[] {
  const ended = new Set(items.flatMap(({ type, merge }) => (type === 'subjects_merged' ? [] : [merge!.id])));
  const standing = new Map<string, Merge>();
  for (const { type, merge, at } of items)
    if (type === 'subjects_merged' && merge && !ended.has(merge.id)) standing.set(merge.id, mergeOf(merge, at));
  return [...standing.values()];
}

const mergeOf = ({ id, survivor, absorbed, policy }: TimelineMerge, at: string): Merge => ({
  id,
  at,
  survivor: survivor.id,
  absorbed: absorbed.map((each) => each.id),
  policy: policy ?? null,
});
