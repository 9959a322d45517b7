import type { components } from '../../api/schema.js';
import { named, number, wordsOf } from '../../words.js';
import { Badge, type Tone } from '../badge.js';
import type { IconName } from '../icon.js';
import table from './words.json';

export type Endpoint = components['schemas']['ListedWebhookEndpoint'];

const t = wordsOf(table);

/** How much an endpoint needs an operator; the higher, the more. */
export function urgencyOf({ state, health }: Endpoint): number {
  if (state === 'DISABLED') return 3;
  if (state === 'PAUSED') return 0.5;
  return (health?.consecutiveFailures ?? 0) > 0 ? 2 : health?.behind ? 1 : 0;
}

/** Whether an endpoint does not get what it should. */
export const isAiling = (endpoint: Endpoint): boolean => urgencyOf(endpoint) >= 1;

export function HealthBadge({ endpoint }: { readonly endpoint: Endpoint }) {
  const [tone, text, icon] = looksOf(endpoint);
  return (
    <Badge tone={tone} {...(icon && { icon })}>
      {text}
    </Badge>
  );
}

function looksOf(endpoint: Endpoint): readonly [tone: Tone, text: string, icon?: IconName] {
  const { state, health, disabledReason } = endpoint;
  if (state === 'DISABLED') {
    const text = named(t, table, 'state.', disabledReason ?? 'disabled');
    return ['no', text];
  }
  if (state === 'PAUSED') return ['off', t('state.paused')];
  if (health === null) return ['off', t('state.unknown'), 'info'];
  if (health.consecutiveFailures > 0) return ['no', t('state.failing'), 'alert'];
  if (health.behind) return ['wait', t('state.behind')];
  return health.lastSuccessAt === null ? ['info', t('state.new')] : ['yes', t('state.fine')];
}

/** What an endpoint is called: what it is for, else its host. */
export const nameOf = ({ description, url }: Pick<Endpoint, 'description' | 'url'>): string =>
  description ?? new URL(url).host;

/** The service counts no further. */
const COUNTED_MAX = 1_000;

/** How many deliveries wait for an endpoint. */
export const waitingText = ({ waiting }: NonNullable<Endpoint['health']>): string =>
  waiting >= COUNTED_MAX ? t('waiting.many', { n: COUNTED_MAX }) : number(waiting);
