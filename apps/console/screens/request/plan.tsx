import { answered, api } from '../../api/client.js';
import { useResource, type Resource } from '../../api/resource.js';
import type { components } from '../../api/schema.js';
import { Badge } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import { Loaded, Note } from '../../parts/states.js';
import { Table } from '../../parts/table.js';
import { may, type Place } from '../../session.js';
import { isOpen, type Request } from './allowed.js';
import { cardNamed, requestCardWords as t } from './words.js';

export type Plan = components['schemas']['DataRequestPlan'];

/** What completing the request would do now, asked again whenever it changed. Null for a role that may not ask. */
export function usePlan(place: Place, id: string): Resource<Plan | null> {
  return useResource(
    async () =>
      may('planSiteDataRequest', place)
        ? answered(
            api.POST('/admin/v1/sites/{site}/{env}/data-requests/{id}/plan', {
              params: { path: { ...place, id } },
              body: {},
            }),
          )
        : null,
    [place.site, place.env, id],
  );
}

export function PlanCard(props: { readonly request: Request; readonly plan: Resource<Plan | null> }) {
  if (!isOpen(props.request)) return null;
  return (
    <Card title={t('plan')}>
      <Loaded of={props.plan}>{(plan) => plan && <Planned plan={plan} />}</Loaded>
    </Card>
  );
}

/** What will happen, in words, with what stands against it. */
export function Planned({ plan }: { readonly plan: Plan }) {
  const { kind, decisions, corrections, globalOptOut, refused } = plan;
  return (
    <div class="grid">
      {refused !== null && (
        <Note tone="no">
          <b>{refused.message}</b> {refused.hint}
        </Note>
      )}
      <p>{sentenceOf(plan)}</p>
      {kind === 'DECISIONS' && decisions.length > 0 && (
        <ul class="list flat">
          {decisions.map(({ purpose, decision }) => (
            <li key={purpose}>
              <code class="t">{purpose}</code>
              <Badge tone="no">{cardNamed('decision.', decision)}</Badge>
            </li>
          ))}
        </ul>
      )}
      {globalOptOut && <p>{t('plan.opt-out')}</p>}
      {corrections.length > 0 && (
        <Table
          label={t('correction.table')}
          rows={corrections}
          keyOf={(each) => JSON.stringify(each)}
          columns={[
            { title: t('correction.what'), cell: ({ kind: what, field }) => field ?? cardNamed('kind.', what) },
            { title: t('correction.before'), cell: ({ before }) => before ?? t('correction.nothing') },
            { title: t('correction.after'), cell: ({ after }) => after ?? t('correction.nothing') },
          ]}
        />
      )}
    </div>
  );
}

function sentenceOf({ kind, decisions, corrections }: Plan): string {
  if (kind === 'DECISIONS' && decisions.length === 0) return t('plan.DECISIONS.none');
  if (kind === 'RECTIFICATION' && corrections.length === 0) return t('plan.RECTIFICATION.none');
  return cardNamed('plan.', kind);
}
