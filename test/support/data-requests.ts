import { randomBytes } from 'node:crypto';
import type { World } from './world.js';

const PATH = '/v1/data-requests';

/** What comes before each transition. */
const BEFORE: Record<string, readonly string[]> = {
  start: ['verify'],
  hold: ['verify', 'start'],
  resume: ['verify', 'start', 'hold'],
  extend: ['verify', 'start'],
  complete: ['verify'],
};

/**
 * A request of somebody new that `operation` (`holdDataRequest`) can be called about; answers its
 * id.
 */
export async function newDataRequest(
  world: World,
  operation = 'getDataRequest',
  type = operation.startsWith('complete') ? 'RECTIFICATION' : 'ACCESS',
): Promise<string> {
  const post = async (path: string, body?: object): Promise<string> => {
    const answer = await world.request('POST', path, { key: 'sk', ...(body && { body }) });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status} ${answer.text}`);
    return answer.body.id as string;
  };
  const subject = `user_id:${randomBytes(8).toString('hex')}`;
  const id = await post(PATH, { subject, type, jurisdiction: { country: 'GB' } });
  const verb = /^[a-z]+/.exec(operation)![0];
  for (const step of BEFORE[verb] ?? [])
    await post(
      `${PATH}/${id}/${step}`,
      step === 'hold' ? { reason: 'AWAITING_REQUESTER' } : step === 'verify' ? {} : undefined,
    );
  return id;
}

/** A completed ACCESS request of somebody new, which has an archive; answers its id. */
export async function answeredRequest(world: World): Promise<string> {
  const id = await newDataRequest(world, 'completeDataRequest', 'ACCESS');
  const { status, text } = await world.request('POST', `${PATH}/${id}/complete`, { key: 'sk', body: {} });
  if (status !== 200) throw new Error(`completing answered ${status} ${text}`);
  return id;
}

/** The token of a link to an archive that nobody has fetched. */
export async function archiveToken(world: World): Promise<string> {
  const path = `${PATH}/${await answeredRequest(world)}/archive-link`;
  const { status, text, body } = await world.request('POST', path, { key: 'sk', body: {} });
  if (status !== 201) throw new Error(`${path} answered ${status} ${text}`);
  return new URL(body.url as string).searchParams.get('token')!;
}

/** Operations about one request that is there. */
export const OF_ONE_REQUEST = [
  ...['get', 'plan', 'verify', 'start', 'hold', 'resume', 'extend', 'complete', 'reject', 'cancel', 'assign', 'note'],
].map((verb) => `${verb}DataRequest`);

/** A body for each transition that takes one. */
export const BODIES: Readonly<Record<string, object>> = {
  verifyDataRequest: {},
  holdDataRequest: { reason: 'LEGAL_REVIEW' },
  extendDataRequest: {},
  completeDataRequest: {},
  rejectDataRequest: { reasonCode: 'NO_MATCH' },
  cancelDataRequest: {},
  assignDataRequest: { assignee: null },
  noteDataRequest: { text: 'Called, no answer.' },
};
