import { SHARE_DAYS, type GrantShare } from '../statistics/services.js';
import type { EndpointTroubles } from '../webhooks/index.js';
import type { LastPublished } from '../catalogue/services.js';
import type { WaitingRequests } from '../data-requests/services.js';
import {
  mayAt,
  TO_LOOK,
  TO_READ_PERSONS,
  TO_READ_SETTINGS,
  type OperatorRole,
  type RoleGrant,
} from '../context/roles.js';
import type { Scope } from '../kernel/index.js';

/** Most sites and environments of one answer. */
export const PLACES_MAX = 200;
/** Most publications of each. */
export const PUBLISHED_MAX = 5;

/** What can need an operator, the most urgent first. */
export const NEEDS = [
  'REQUESTS_OVERDUE',
  'ENDPOINTS_FAILING',
  'DRAFT_FOR_APPROVAL',
  'REQUESTS_DUE',
  'RENEWALS',
] as const;
export type NeedName = (typeof NEEDS)[number];

/** Where the console shows each, and who may look at it there. */
const SHOWN: Readonly<Record<NeedName, { screen: string; to: readonly RoleGrant[] }>> = {
  REQUESTS_OVERDUE: { screen: 'requests?state=OPEN&overdue=true', to: TO_READ_PERSONS },
  ENDPOINTS_FAILING: { screen: 'webhooks', to: TO_READ_SETTINGS },
  DRAFT_FOR_APPROVAL: { screen: 'purposes', to: TO_LOOK },
  REQUESTS_DUE: { screen: 'requests?state=OPEN', to: TO_READ_PERSONS },
  RENEWALS: { screen: 'purposes', to: TO_READ_PERSONS },
};

/** What rows say of a site and environment. Absent: nothing is there. */
export interface PlaceFigures {
  grants?: GrantShare | undefined;
  requests?: WaitingRequests | undefined;
  endpoints?: EndpointTroubles | undefined;
  /** Grants that end within 30 days. */
  ending: number;
  hasDraft: boolean;
  lastPublished: readonly LastPublished[];
}

export interface Need {
  what: NeedName;
  count: number;
  /** Path in the console. */
  link: string;
}

export interface PlaceSummary extends Scope {
  grants: GrantShare & { days: number };
  requests: WaitingRequests;
  endpoints: EndpointTroubles;
  renewals: number | null;
  lastPublished: LastPublished[];
  lagSeconds: number | null;
  needs: Need[];
}

/** A place as an operator with these roles sees it. */
export function placeSummary(
  { site, env }: Scope,
  figures: PlaceFigures,
  roles: readonly OperatorRole[],
  lagSeconds: number | null,
): PlaceSummary {
  const { share = null, before = null } = figures.grants ?? {};
  const { open = 0, overdue = 0, dueWithin7Days = 0 } = figures.requests ?? {};
  const { failing = 0, behind = 0 } = figures.endpoints ?? {};
  const counts: Record<NeedName, number> = {
    REQUESTS_OVERDUE: overdue,
    ENDPOINTS_FAILING: failing,
    DRAFT_FOR_APPROVAL: figures.hasDraft ? 1 : 0,
    REQUESTS_DUE: dueWithin7Days,
    RENEWALS: figures.ending,
  };
  const maySee = (what: NeedName): boolean => mayAt(roles, SHOWN[what].to, { site, env });
  return {
    site,
    env,
    grants: { share, before, days: SHARE_DAYS },
    requests: { open, overdue, dueWithin7Days },
    endpoints: { failing, behind },
    renewals: maySee('RENEWALS') ? figures.ending : null,
    lastPublished: [...figures.lastPublished],
    lagSeconds,
    needs: NEEDS.filter((what) => counts[what] > 0 && maySee(what)).map((what) => ({
      what,
      count: counts[what],
      link: `/console/${site}/${env}/${SHOWN[what].screen}`,
    })),
  };
}
