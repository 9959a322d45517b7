import type { OperatorSignIn } from '../access/context.js';
import type { Role } from '../context/role.js';
import type { ProviderList, ListSettings } from '../consent-strings/context.js';
import type { EdgeHeaders } from '../engines/config/edge-headers.js';
import type { Sender } from '../engines/mail/mail.js';
import type { OutboxSource } from '../deliveries/mail/outbox-pages.js';
import type { Clock } from '../kernel/index.js';
import type { Logger } from '../engines/telemetry/logger.js';
import type { WebhookReach } from '../webhooks/context.js';

export interface ApplicationOptions {
  roles: readonly Role[];
  publicUrl: string;
  /** That the process listens on. */
  port: number;
  trustedProxies: readonly string[];
  /** Pages of this machine may call in `test` without being listed. Default: false. */
  localPages?: boolean;
  edgeHeaders: EdgeHeaders;
  /** `outbox`: who may read mails where they go to no server; `operator`: the address that is warned of what must not be missed. */
  mail: { sender: Sender; operator: string | null; outbox: OutboxSource['readers'] };
  /** For how many days it is kept who read of whom. */
  readsRetentionDays: number;
  /** Where webhooks may be sent beside public receivers. */
  webhooks: WebhookReach;
  /** Where vendor lists come from. */
  vendorLists: ListSettings;
  providers: ProviderList;
  /** Whether the console is served. Default: true. */
  console?: boolean;
  /** How operators sign in in a browser. Default: by any token. */
  signIn?: OperatorSignIn;
  /** By which is decided. Default: that of the system. */
  clock?: Clock;
  logger: Logger;
}
