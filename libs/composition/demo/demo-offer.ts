import type { INestApplication } from '@nestjs/common';
import { parseKey, authenticate } from '../../access/context.js';
import { DemoSite, KeyDirectory } from '../../access/index.js';
import { systemClock } from '../../kernel/index.js';
import type { DemoSettings } from '../../operator/context.js';
import { DemoKeys } from '../../http/docs/demo-keys.js';
import { isPrivate } from '../../http/this-machine.js';

export interface OfferedFrom {
  host: string;
  publicUrl: string;
  nodeEnv: string | undefined;
}

/** Lets the documentation offer the demo's keys, and the console a look around, where only this machine can ask for them. The operator token is never offered. */
export function offerDemoKeys(app: INestApplication, demo: DemoSettings, from: OfferedFrom): void {
  if (!mayOffer(demo, from)) return;
  const { publicKey, secretKey, site } = demo;
  app.get(DemoSite).offer(site);
  const directory = app.get(KeyDirectory);
  const isLive = (key: string): boolean => !('refused' in authenticate(key, directory, systemClock));
  app.get(DemoKeys).offer(() => (isLive(publicKey) && isLive(secretKey) ? { publicKey, secretKey } : null));
}

/** Not in production, and never a key of `live`, whatever `demo.json` holds. */
export const mayOffer = (
  { publicKey, secretKey }: Pick<DemoSettings, 'publicKey' | 'secretKey'>,
  { nodeEnv, ...place }: OfferedFrom,
): boolean =>
  nodeEnv !== 'production' && isPrivate(place) && [publicKey, secretKey].every((key) => parseKey(key)?.env === 'test');
