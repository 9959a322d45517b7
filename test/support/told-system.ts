import { until } from './double-opt-in.js';
import { startReceiver } from './receiver.js';
import type { World } from './world.js';

/** A token in an address, which nobody but its endpoint may be told. */
const IN_ADDRESS = '/crm?token=s3cret';

/** Another system, which webhooks tell of withdrawals. */
export interface ToldSystem {
  endpoint: string;
  /** Without path: `http://127.0.0.1:4900`. */
  origin: string;
  /** Waits until it was told of the withdrawals of this subject, of which there is one at least; answers a moment after that. */
  toldAbout(subjectId: string): Promise<string>;
  stop(): Promise<void>;
}

interface Delivery {
  subject: { id: string };
  state: string;
}

export async function startToldSystem(world: World): Promise<ToldSystem> {
  const receiver = await startReceiver();
  const answer = await world.request('POST', '/v1/webhook-endpoints', {
    body: { url: `${receiver.url}${IN_ADDRESS}`, types: ['consent.withdrawn'] },
  });
  if (answer.status !== 201) throw new Error(answer.text);
  const endpoint = answer.body.id as string;
  return {
    endpoint,
    origin: receiver.url,
    toldAbout: async (subjectId) => {
      await until(async () => {
        const { body } = await world.request('GET', `/v1/webhook-endpoints/${endpoint}/deliveries`);
        return (body.data as Delivery[]).find(
          ({ subject, state }) => subject.id === subjectId && state === 'DELIVERED',
        );
      });
      return new Date(Date.now() + 5).toISOString();
    },
    stop: () => receiver.stop(),
  };
}
