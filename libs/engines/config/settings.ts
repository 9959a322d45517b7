/** One setting of the environment, as the documentation shows it. `.env.example` is checked against this table. */
export interface Setting {
  name: string;
  /** As it is written in the environment; '' where there is none. */
  default: string;
  meaning: string;
}

/** Every setting can also be given as NAME_FILE, the path of a file that holds the value (container secrets). */
export const configHelp: readonly Setting[] = [
  { name: 'PORT', default: '4100', meaning: 'TCP port to listen on; always this one, never silently another.' },
  { name: 'HOST', default: '127.0.0.1', meaning: 'Address to listen on; 0.0.0.0 for every network of this machine.' },
  { name: 'ASSENT_DATA', default: './data', meaning: 'Folder for the bundled database and generated secrets.' },
  {
    name: 'DATABASE_URL',
    default: '',
    meaning:
      'postgres://user:password@host:5432/name of your own Postgres; without it the bundled one runs in ASSENT_DATA.',
  },
  {
    name: 'DATABASE_PASSWORD',
    default: '',
    meaning: 'Password of the user in DATABASE_URL, where it does not stand there.',
  },
  {
    name: 'ESDB_URL',
    default: '',
    meaning: 'esdb://host:2113?tls=false of EventStoreDB for the event log; without it the log is kept in Postgres.',
  },
  {
    name: 'ASSENT_LOG_PREFIX',
    default: '',
    meaning:
      'What the names of all streams begin with, where several installations share one EventStoreDB: 1 to 31 lower-case letters, digits and underscores. Choose it before the first start; it cannot be changed.',
  },
  {
    name: 'REDIS_URL',
    default: '',
    meaning:
      'redis://host:6379 of the shared cache, or redis+cluster://a:6379,b:6379 of a Redis Cluster; without it each process caches for itself.',
  },
  {
    name: 'SMTP_URL',
    default: '',
    meaning: 'smtp://user:password@host:587 for mail; without it mail is kept in an outbox to be read in the browser.',
  },
  {
    name: 'MAIL_FROM',
    default: '',
    meaning:
      'Sender of mail: an address, or a name and the address in angle brackets; default no-reply@ and the host of ASSENT_PUBLIC_URL.',
  },
  {
    name: 'ASSENT_OPERATOR_MAIL',
    default: '',
    meaning:
      'Address that gets a mail about each data request that comes in, is due soon, or is overdue. Default: none.',
  },
  {
    name: 'ASSENT_MASTER_KEY',
    default: '',
    meaning:
      '32 random bytes (base64, or 64 hex digits) that protect all personal data; without it one is made in ASSENT_DATA. Keep a copy: data cannot be read without it.',
  },
  {
    name: 'ASSENT_MASTER_KEY_OTHER',
    default: '',
    meaning:
      'A second master key, which is read but not sealed with: the next or the last one, while the master key is rotated.',
  },
  {
    name: 'ASSENT_PUBLIC_URL',
    default: '',
    meaning: 'Address under which people reach this service, for links in mail; default http://HOST:PORT.',
  },
  {
    name: 'ASSENT_PROJECTION_SHARDS',
    default: '1',
    meaning:
      'Into how many shards each read model of subjects is split, 1 to 64, so that several projectors share its work. Give every projector the same number; the one that starts last decides.',
  },
  {
    name: 'ASSENT_ACCESS_LOG_RETENTION_DAYS',
    default: '365',
    meaning: 'For how many days it is kept which key read of whom, 1 to 36500.',
  },
  { name: 'ASSENT_CONSOLE', default: 'on', meaning: 'on or off: whether operators have pages at /console.' },
  {
    name: 'ASSENT_DEMO',
    default: '',
    meaning:
      'on, empty or off: whether this service has a demo site with keys, in test only. With on it has some weeks of history of made-up people too. Default: on with the bundled Postgres, off with your own.',
  },
  { name: 'ASSENT_LOG_LEVEL', default: 'info', meaning: 'trace, debug, info, warn, error, fatal or silent.' },
  {
    name: 'ASSENT_TRUST_PROXY',
    default: '',
    meaning:
      'Networks of the proxies whose X-Forwarded-For is believed, separated by commas: 10.0.0.0/8,::1/128. Default: none.',
  },
  {
    name: 'ASSENT_COUNTRY_HEADER',
    default: '',
    meaning:
      'Header in which your proxy names the country of the visitor, for instance cf-ipcountry. Set it only where the proxy overwrites what visitors send. Default: none.',
  },
  {
    name: 'ASSENT_REGION_HEADER',
    default: '',
    meaning:
      'Header in which your proxy names the region (US-CA or CA), for instance cf-region-code; read beside ASSENT_COUNTRY_HEADER. Default: none.',
  },
  {
    name: 'TCF_GVL_PATH',
    default: '',
    meaning:
      'File with the vendor list of IAB TCF (vendor-list.json), translations beside it (purposes-de.json); it is read again when it changes. Default: a synthetic list, which no real string can be made with.',
  },
  {
    name: 'TCF_GVL_URL',
    default: '',
    meaning:
      'Address that the vendor list of IAB TCF is fetched from instead, as often as its answers ask for: https://vendor-list.consensu.org/v3/vendor-list.json.',
  },
  {
    name: 'GOOGLE_ATP_PATH',
    default: '',
    meaning:
      "File with Google's list of ad technology providers (additional-consent-providers.csv); it is read at the start. Default: a synthetic list.",
  },
  {
    name: 'ASSENT_OPERATOR_SIGN_IN',
    default: '',
    meaning:
      'How operators sign in in a browser: token, oidc, or both. With oidc the token of the first start still signs in. Default: both where a provider is named, else token.',
  },
  {
    name: 'ASSENT_OIDC_ISSUER',
    default: '',
    meaning: 'Issuer of the OpenID Connect provider by which operators sign in, such as https://login.example.com.',
  },
  { name: 'ASSENT_OIDC_CLIENT_ID', default: '', meaning: 'Id of this service at that provider.' },
  { name: 'ASSENT_OIDC_CLIENT_SECRET', default: '', meaning: 'Secret of this service at that provider.' },
  {
    name: 'ASSENT_OIDC_ROLES',
    default: '',
    meaning: 'File in YAML that says which role a claim of that provider gives; it is read again when it changes.',
  },
  {
    name: 'ASSENT_WEBHOOK_ALLOW',
    default: '',
    meaning:
      'Networks of your own that webhooks may be sent to although they are not public, over http and at any port too, separated by commas: 10.1.0.0/16,fd00::/8. Default: none.',
  },
  {
    name: 'ASSENT_WEBHOOK_PORTS',
    default: '',
    meaning:
      'Ports that webhooks may be sent to beside 443 and 8443, separated by commas; with the bundled Postgres those of test environments may be sent to these ports of this machine too, over http. Default: none.',
  },
];
