import { randomBytes } from 'node:crypto';
import type { Answer, World } from './world.js';

/** A site of which nobody else knows, with keys of its `test` environment and nothing in its catalogue. */
export interface OwnSite {
  site: string;
  publicKey: string;
  secretKey: string;
  /** Applies a catalogue; a refusal is an answer too. */
  apply(folder: object, env?: 'test' | 'live'): Promise<Answer>;
  /** Issues one more key; answers its text. */
  key(type: 'pk' | 'sk', env: 'test' | 'live'): Promise<string>;
}

/** `settings`: more of the site than its name. */
export async function newSite(world: World, settings: object = {}): Promise<OwnSite> {
  const site = `own-${randomBytes(5).toString('hex')}`;
  const operate = (path: string, body: object): Promise<Answer> =>
    world.request('POST', `/admin/v1/sites${path}`, { key: 'operator', body });
  const key: OwnSite['key'] = async (type, env) => {
    const { status, body, text } = await operate(`/${site}/keys`, { type, env, name: `${type} ${env}` });
    if (status !== 201) throw new Error(text);
    return body.key as string;
  };
  const { status, text } = await operate('', { site, name: 'A site of its own', ...settings });
  if (status >= 300) throw new Error(text);
  return {
    site,
    publicKey: await key('pk', 'test'),
    secretKey: await key('sk', 'test'),
    apply: (folder, env = 'test') => operate(`/${site}/${env}/catalogue`, folder),
    key,
  };
}
