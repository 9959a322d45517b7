import { useRef, useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import { useEvery } from '../../api/every.js';
import { useResource } from '../../api/resource.js';
import type { components } from '../../api/schema.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { FormTrouble } from '../../parts/form.js';
import { Card } from '../../parts/page.js';
import { saveFile } from '../../parts/save-file.js';
import { Empty, Loaded } from '../../parts/states.js';
import { Time } from '../../parts/time.js';
import { may, type Place } from '../../session.js';
import { distance, named, percent } from '../../words.js';
import { AskBundle } from './ask-bundle.js';
import { proofTable, proofWords as t } from './words.js';

type Bundle = components['schemas']['AuditBundle'];
const LOOK_MS = 2_000;
const isOnTheWay = ({ state }: Bundle): boolean => state === 'QUEUED' || state === 'RUNNING';

/** Archives for auditors: those that are made, that wait, and a new one. */
export function Bundles({ place }: { readonly place: Place }) {
  const [isAsking, setAsking] = useState(false);
  const path = { site: place.site, env: place.env };
  const bundles = useResource(
    async () => (await answered(api.GET('/admin/v1/sites/{site}/{env}/audit-bundles', { params: { path } }))).data,
    [place.site, place.env],
  );
  const { value } = bundles.value;
  useEvery(LOOK_MS, value.state === 'ready' && value.data.some(isOnTheWay), bundles.reload.bind(bundles));
  const fetching = useAct(async (_, { id }: Bundle) =>
    saveFile(
      await answered<Blob>(
        api.GET('/admin/v1/sites/{site}/{env}/audit-bundles/{id}/download', {
          params: { path: { ...path, id } },
          parseAs: 'blob',
        }),
      ),
      `${place.site}-${place.env}-${id}.zip`,
    ),
  );
  return (
    <Card
      title={t('bundles')}
      isFlush
      end={
        may('askAuditBundle', place) && (
          <Button icon="plus" onPress={() => setAsking(true)}>
            {t('bundles.ask')}
          </Button>
        )
      }
    >
      {fetching.problem && (
        <div class="pad">
          <FormTrouble problem={fetching.problem} />
        </div>
      )}
      <Loaded
        of={bundles}
        empty={
          <Empty icon="book" title={t('bundles.none')}>
            {t('bundles.none.why')}
          </Empty>
        }
      >
        {(rows) => (
          <ul class="list">
            {rows.map((bundle) => (
              <Row
                key={bundle.id}
                of={bundle}
                isBusy={fetching.isBusy}
                onFetch={may('downloadAuditBundle', place) ? () => void fetching.run(bundle) : null}
              />
            ))}
          </ul>
        )}
      </Loaded>
      <AskBundle
        place={place}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onDone={() => void bundles.reload()}
      />
    </Card>
  );
}

const TONES: Readonly<Record<string, Tone>> = { QUEUED: 'wait', RUNNING: 'info', READY: 'yes', FAILED: 'no' };

function Row(props: { readonly of: Bundle; readonly isBusy: boolean; readonly onFetch: (() => void) | null }) {
  const { of } = props;
  const left = useTimeLeft(of);
  return (
    <li>
      <div class="t">
        <b>
          {of.since === null ? t('bundle.person') : t('bundle.since')}{' '}
          {of.since === null ? <code>{of.subjectId}</code> : <Time at={of.since} form="day" />}
        </b>
        <span>
          {t('bundle.asked')} <Time at={of.askedAt} form="distance" />
          {of.state === 'READY' && (
            <>
              {' · '}
              {t('bundle.holds', { n: of.records ?? 0 })}
              {of.bytes !== null && `, ${t('bundle.size', { n: Math.max(1, Math.round(of.bytes / 1024)) })}`}
              {of.expiresAt !== null && ` · ${t('bundle.ends', { when: distance(of.expiresAt) })}`}
            </>
          )}
        </span>
        {of.state === 'RUNNING' && (
          <>
            <progress max={1} value={of.progress} aria-label={t('bundle.progress')} />
            <span>
              {percent(of.progress)}
              {left !== null && `, ${t('bundle.left', { n: left })}`}
            </span>
          </>
        )}
        {of.state === 'QUEUED' && <span>{` · ${t('bundle.waits')}`}</span>}
        {of.problem && <p class="small">{`${of.problem.message} ${of.problem.hint}`}</p>}
      </div>
      <Badge tone={TONES[of.state] ?? 'off'}>{named(t, proofTable, 'bundle.state.', of.state)}</Badge>
      {of.state === 'READY' && props.onFetch && (
        <Button icon="download" isBusy={props.isBusy} onPress={props.onFetch}>
          {t('bundle.fetch')}
        </Button>
      )}
    </li>
  );
}

/** Minutes that are left at the pace since this page saw the bundle first; null while that says nothing. */
function useTimeLeft({ state, progress }: Bundle): number | null {
  const first = useRef<{ at: number; progress: number } | null>(null);
  if (state !== 'RUNNING') return null;
  first.current ??= { at: Date.now(), progress };
  const [went, passed] = [progress - first.current.progress, Date.now() - first.current.at];
  if (went <= 0.01 || passed < LOOK_MS * 2) return null;
  return Math.ceil(((1 - progress) / went) * (passed / 60_000));
}
