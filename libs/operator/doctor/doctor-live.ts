import { conditionOfToken, FIRST_TOKEN_ID, OperatorTokens } from '../../access/index.js';
import type { Config } from '../../engines/config/config.js';
import type { Queries } from '../../engines/database/database.js';
import { epochMs, systemClock, type Instant } from '../../kernel/index.js';
import type { EventLog } from '../../log/port.js';
import { lastUpkeep } from '../health/upkeep.js';
import { fail, ok, warn, type Finding } from './findings.js';

const DAY_MS = 86_400_000;
const BACKUP_DAYS = 2;
const VERIFIED_DAYS = 8;

type LiveConfig = Pick<
  Config,
  | 'publicUrl'
  | 'databaseUrl'
  | 'masterKey'
  | 'smtpUrl'
  | 'mailFrom'
  | 'operatorMail'
  | 'demo'
  | 'trustProxy'
  | 'operatorSignIn'
>;

/** What the settings of a trial may leave open and those of a live installation must not. `isInProduction`: NODE_ENV says so. */
export function liveSettings(config: LiveConfig, isInProduction: boolean): Finding[] {
  const { publicUrl, databaseUrl, masterKey, smtpUrl, mailFrom, operatorMail, trustProxy, operatorSignIn } = config;
  const demo = config.demo ?? (databaseUrl === null ? 'on' : 'off');
  const isPublic = publicUrl.startsWith('https://') && !isLocal(publicUrl);
  return [
    isPublic
      ? ok('live: address', publicUrl)
      : fail(
          'live: address',
          `${publicUrl} is no https address of this service in the world`,
          'Set ASSENT_PUBLIC_URL to the address that people and receipts name.',
        ),
    trustProxy.length > 0
      ? ok('live: proxy', trustProxy.join(', '))
      : warn(
          'live: proxy',
          'none is trusted: every caller has the address of the proxy, and shares one limit',
          'Set ASSENT_TRUST_PROXY to the network of the proxy that ends TLS.',
        ),
    databaseUrl !== null
      ? ok('live: database', 'your Postgres')
      : warn(
          'live: database',
          'the bundled one, on the disk of this machine alone',
          'Set DATABASE_URL to a Postgres that is backed up and has a standby.',
        ),
    masterKey !== null
      ? ok('live: master key', 'apart from the data')
      : fail(
          'live: master key',
          'lies beside the data that it opens',
          'Move master.key to a secret store, set ASSENT_MASTER_KEY or ASSENT_MASTER_KEY_FILE, and keep a second copy elsewhere.',
        ),
    smtpUrl === null
      ? fail('live: mail', 'none is sent: confirmations and codes fail', 'Set SMTP_URL.')
      : /@(localhost|[\d.]+|\[.*)$/.test(mailFrom.address)
        ? fail(
            'live: mail',
            `comes from ${mailFrom.address}, which is no address`,
            'Set MAIL_FROM to an address of yours.',
          )
        : ok('live: mail', `comes from the domain ${mailFrom.address.replace(/^.*@/, '')}`),
    operatorMail !== null
      ? ok('live: reminders', 'of data requests are mailed')
      : warn(
          'live: reminders',
          'of data requests that are nearly due are mailed to no operator',
          'Set ASSENT_OPERATOR_MAIL.',
        ),
    demo === 'off'
      ? ok('live: demo', 'off')
      : fail('live: demo', 'its site and keys are there', 'Set ASSENT_DEMO=off, and begin with an empty database.'),
    isInProduction
      ? ok('live: mode', 'production')
      : warn('live: mode', 'keys are printed to terminals', 'Set NODE_ENV=production.'),
    operatorSignIn === 'oidc'
      ? ok('live: sign-in', 'by your identity provider alone')
      : warn(
          'live: sign-in',
          'tokens open the console: who leaves keeps one until it is revoked',
          'Set ASSENT_OPERATOR_SIGN_IN=oidc where you have an identity provider.',
        ),
  ];
}

const isLocal = (url: string): boolean => /^(localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(new URL(url).host);

/** Whether what has to be done again and again was done lately. */
export async function liveUpkeep(database: Pick<Queries, 'run'>, at: Instant = systemClock()): Promise<Finding[]> {
  const { BACKUP: backup, LEDGER_VERIFIED: verified } = await lastUpkeep(database);
  return [
    recent(
      'live: backup',
      { at: backup?.at ?? null, now: at, days: BACKUP_DAYS },
      'Run assent backup each night, or your own; rehearse the way back once: assent restore.',
    ),
    recent(
      'live: ledger',
      { at: verified?.at ?? null, now: at, days: VERIFIED_DAYS },
      'Run assent ledger verify each week: it holds the log against what was signed.',
    ),
  ];
}

function recent(
  check: string,
  { at, now, days }: { at: Instant | null; now: Instant; days: number },
  fix: string,
): Finding {
  if (at === null) return warn(check, 'never, as far as this database knows', fix);
  const isRecent = epochMs(now) - epochMs(at) <= days * DAY_MS;
  return isRecent ? ok(check, `last at ${at}`) : warn(check, `last at ${at}`, fix);
}

/** Whether operators have tokens of their own. */
export async function liveOperators(log: EventLog): Promise<Finding> {
  const at = systemClock();
  const tokens = [...(await new OperatorTokens(log, '').state()).values()];
  const live = tokens.filter((token) => conditionOfToken(token, at) === 'live');
  const hasFirst = live.some(({ tokenId }) => tokenId === FIRST_TOKEN_ID);
  return hasFirst || tokens.length === 0
    ? warn(
        'live: first token',
        'still works: ADMIN everywhere, of no person',
        'Issue each operator a token with the roles that they need, then: assent operator-tokens revoke opt_first.',
      )
    : ok('live: first token', `revoked; ${live.length} others`);
}

/** What belongs to going live and cannot be looked at from here. */
export const NOT_LOOKED_AT = [
  'alerts that reach a person: docs/operating/alerts.yml',
  'a restore that was rehearsed on another machine',
  'purposes and texts that counsel has read, and a scan of your pages: assent scan',
  'a second copy of the master key, in another place than the backups',
];
