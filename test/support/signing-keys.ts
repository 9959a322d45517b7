import type { World } from './world.js';

/** An announced key that does not sign yet, of the live environment, while none other waits. */
export async function announcedKey(world: World): Promise<string> {
  await noneAnnounced(world);
  const { status, body, text } = await world.request('POST', '/admin/v1/signing-keys/rotate', {
    key: 'operator',
    body: { env: 'live' },
  });
  if (status !== 201) throw new Error(text);
  return body.kid as string;
}

/** Takes back what was announced, so that the next one can be; answers the key that was revoked for it. */
export async function noneAnnounced(world: World): Promise<string> {
  const { body, status } = await world.request('POST', '/admin/v1/signing-keys/rotate', {
    key: 'operator',
    body: { env: 'live' },
  });
  const kid = status === 201 ? (body.kid as string) : /The key ([\w-]{43}) /.exec(body.message as string)![1]!;
  await world.request('POST', `/admin/v1/signing-keys/${kid}/revoke`, { key: 'operator', body: {} });
  return kid;
}
