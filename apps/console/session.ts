import { computed, signal } from '@preact/signals';
import { answered, api, sessionEnded } from './api/client.js';
import { Problem } from './api/problem.js';
import type { components, operations } from './api/schema.js';

export type Session = components['schemas']['Session'];
/** What operators can call. */
export type OperationId = keyof operations;
export type Environment = 'test' | 'live';

/** Where a screen is. */
export interface Place {
  readonly site: string;
  readonly env: Environment;
}

export type Signed =
  | { readonly state: 'asking' }
  | { readonly state: 'out'; readonly isOver: boolean }
  | { readonly state: 'unreachable'; readonly problem: Problem }
  | { readonly state: 'in'; readonly session: Session };

export const signed = signal<Signed>({ state: 'asking' });

/** The session of the operator who is signed in; null: none. */
export const session = computed(() => (signed.value.state === 'in' ? signed.value.session : null));

/** Asks who is signed in. */
export async function askWhoIsSignedIn(): Promise<void> {
  const wasIn = signed.peek().state === 'in';
  try {
    const who = await answered(api.GET('/admin/v1/session'));
    sites.value = (await answered(api.GET('/admin/v1/sites'))).data;
    signed.value = { state: 'in', session: who };
  } catch (thrown) {
    const problem = Problem.from(thrown);
    signed.value =
      problem.kind === 'offline' || problem.kind === 'broken'
        ? { state: 'unreachable', problem }
        : { state: 'out', isOver: wasIn };
  }
}

sessionEnded.subscribe((times) => {
  if (times > 0 && signed.peek().state === 'in') signed.value = { state: 'out', isOver: true };
});

export async function signOut(): Promise<void> {
  await answered(api.DELETE('/admin/v1/session'));
  signed.value = { state: 'out', isOver: false };
}

export type Site = components['schemas']['Site'];

/** Sites that the operator's roles reach. */
export const sites = signal<readonly Site[]>([]);

/** Sites and environments that the operator may look at, those of production first. */
export const places = computed<readonly (Place & { readonly name: string })[]>(() =>
  sites.value.flatMap(({ site, name }) =>
    (['live', 'test'] as const).filter((env) => may('listSites', { site, env })).map((env) => ({ site, env, name })),
  ),
);

/** Whether the operator may call an operation there; without a place: anywhere. What a role may not do is not drawn. */
export function may(operation: OperationId, place?: Place): boolean {
  return (session.value?.may ?? []).some(
    (each) =>
      (place === undefined || ((each.site === '*' || each.site === place.site) && each.env === place.env)) &&
      each.operations.includes(operation),
  );
}
