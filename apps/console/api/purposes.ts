import { may, type Place } from '../session.js';
import { language } from '../words.js';
import { answered, api } from './client.js';

export interface AskedPurpose {
  readonly key: string;
  readonly name: string;
  /** Whether people may answer it now. */
  readonly isAsked: boolean;
}

/** Purposes of a site, named in the operator's language where they are written in it; none where the operator may not look. */
export async function purposesOf({ site, env }: Place): Promise<AskedPurpose[]> {
  if (!may('listSitePurposes', { site, env })) return [];
  const params = { path: { site, env }, query: { limit: 200, locale: language.value } };
  const { data } = await answered(api.GET('/admin/v1/sites/{site}/{env}/purposes', { params }));
  return data.map(({ key, name, status, consentModel }) => ({
    key,
    name,
    isAsked: status !== 'RETIRED' && (consentModel === 'OPT_IN' || consentModel === 'OPT_OUT'),
  }));
}
