import { answered, api } from '../api/client.js';
import type { components } from '../api/schema.js';
import { may, type Place } from '../session.js';
import { count } from './badges.js';

/** How a site is, and what needs an operator there. */
export type PlaceSummary = components['schemas']['PlaceSummary'];

let asking: { readonly of: string; readonly answer: Promise<PlaceSummary | null> } | null = null;

/**
 * Asks how a site is; null: the operator may not know. The numbers of the navigation follow. The frame and a screen that
 * ask at the same time get one answer.
 */
export function summaryOf({ site, env }: Place): Promise<PlaceSummary | null> {
  const of = `${site}/${env}`;
  if (asking?.of !== of) {
    const answer = may('getSummary', { site, env }) ? ask({ site, env }) : Promise.resolve(null);
    const mine = { of, answer: answer.finally(() => asking === mine && (asking = null)) };
    asking = mine;
  }
  return asking!.answer;
}

async function ask({ site, env }: Place): Promise<PlaceSummary | null> {
  const { places } = await answered(api.GET('/admin/v1/summary', { params: { query: { site, env } } }));
  const [summary = null] = places;
  const needs = (...names: string[]) =>
    (summary?.needs ?? []).filter(({ what }) => names.includes(what)).reduce((sum, { count: n }) => sum + n, 0);
  count('requests', needs('REQUESTS_OVERDUE', 'REQUESTS_DUE'));
  count('webhooks', needs('ENDPOINTS_FAILING'));
  count('purposes', needs('DRAFT_FOR_APPROVAL'));
  return summary;
}
