import { at } from '../../addresses.js';
import type { ScreenProps } from '../../app.js';
import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { frameWords } from '../../frame/words.js';
import { Button } from '../../parts/button.js';
import { Page } from '../../parts/page.js';
import { RequestStateBadge } from '../../parts/requests/badges.js';
import { useRequestCounts } from '../../parts/requests/counts.js';
import { requestType } from '../../parts/requests/words.js';
import { Loaded, Note } from '../../parts/states.js';
import type { Place } from '../../session.js';
import { ArchiveLink } from './archive.js';
import type { Request } from './allowed.js';
import { Asked } from './asked.js';
import { Assignee } from './assignee.js';
import { Deadline } from './deadline.js';
import { Effect, History } from './history.js';
import { Identity } from './identity.js';
import { Notes } from './notes.js';
import { PlanCard, usePlan } from './plan.js';
import { allowedSteps, OtherSteps, Steps } from './steps.js';
import { requestCardWords as t } from './words.js';

/** One request: what is asked, until when, what completing it does, and the next step. */
export default function Screen({ place, id }: ScreenProps) {
  const request = useResource(
    () => answered(api.GET('/admin/v1/sites/{site}/{env}/data-requests/{id}', { params: { path: { ...place, id } } })),
    [place.site, place.env, id],
  );
  const counts = useRequestCounts(place);
  const loaded = request.value.value;
  const changed = () => void Promise.all([request.reload(), counts.reload()]);
  if (loaded.state !== 'ready')
    return (
      <Page title={frameWords('screen.requests')} trail={<Trail place={place} id={id} />}>
        <Loaded of={request}>{() => null}</Loaded>
      </Page>
    );
  return <Drawn place={place} request={loaded.data} onChange={changed} />;
}

function Trail({ place, id }: { readonly place: Place; readonly id: string }) {
  return (
    <>
      <a href={at(place, 'requests')}>{frameWords('screen.requests')}</a> / <span class="mono">{id}</span>
    </>
  );
}

function Drawn(props: { readonly place: Place; readonly request: Request; readonly onChange: () => void }) {
  const { place, request } = props;
  const plan = usePlan(place, request.id);
  const changed = () => {
    props.onChange();
    void plan.reload();
  };
  const [next, ...others] = allowedSteps(place, request);
  const isNextLoud = next !== undefined && next !== 'reject' && next !== 'cancel' && next !== 'extend';
  const change = { place, request, plan, onChange: changed };
  return (
    <Page
      title={requestType(request.type)}
      trail={<Trail place={place} id={request.id} />}
      lead={<RequestStateBadge state={request.state} />}
      acts={
        <>
          {isNextLoud && <Steps {...change} steps={[next]} isLoud />}
          <ArchiveLink place={place} request={request} />
        </>
      }
    >
      <div class="grid g-main">
        <div class="grid">
          {request.completing !== null && (
            <Note>
              {t('completing')}{' '}
              <Button look="quiet" onPress={changed}>
                {t('reload')}
              </Button>
            </Note>
          )}
          <Deadline request={request} />
          <Effect request={request} />
          <Asked request={request} />
          <PlanCard request={request} plan={plan} />
          <Notes {...change} />
          <History request={request} />
        </div>
        <div class="grid">
          <Identity place={place} request={request} />
          <Assignee {...change} />
          <OtherSteps {...change} steps={isNextLoud ? others : next === undefined ? [] : [next, ...others]} />
        </div>
      </div>
    </Page>
  );
}
