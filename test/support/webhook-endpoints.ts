import pg from 'pg';
import type { World } from './world.js';

/** Creates an endpoint that is sent nothing but what is asked for; answers its id. */
export async function newEndpoint(world: World): Promise<string> {
  const body = { url: 'https://hooks.shop.example/assent', types: ['webhook.test'] };
  const answer = await world.request('POST', '/v1/webhook-endpoints', { key: 'sk', body });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.id as string;
}

/** A delivery to such an endpoint that was given up, as the queue holds it, also where it was tried already; answers its id. */
export async function givenUpDelivery(world: World, endpoint: string): Promise<string> {
  const { body } = await world.request('POST', `/v1/webhook-endpoints/${endpoint}/test`, { key: 'sk' });
  const { eventId, sequence } = body as { eventId: string; sequence: number };
  const client = new pg.Client({ connectionString: world.databaseUrl! });
  await client.connect();
  try {
    await client.query(
      `insert into deliveries.delivery (channel, endpoint, key, site, sequence, env, attempts, outcome, settled_at, finished_at)
       values ('webhook', $1, $2, $3, $4, 'test', 10, '{"outcome":"failed","reason":"given_up","evidence":null,"attempts":10}', now(), now())
       on conflict (channel, endpoint, key) do update
         set attempts = excluded.attempts, outcome = excluded.outcome, settled_at = now(), finished_at = now(), payload = null, lease = null`,
      [endpoint, eventId, world.demo.site, sequence],
    );
  } finally {
    await client.end();
  }
  return `${endpoint}.${eventId}`;
}
