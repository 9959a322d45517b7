import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { parseUrl } from '../../kernel/index.js';
import { parseRedisUrl } from '../cache/redis-url.js';
import { StartRefused } from '../start-refused.js';
import type { EdgeHeaders } from './edge-headers.js';
import { readMasterKey } from './master-key.js';
import { configHelp } from './settings.js';
import { parseDatabaseUrl } from './database-url.js';
import { parseEsdbUrl } from './esdb-url.js';
import { Unusable } from './unusable.js';

export { configHelp, type Setting } from './settings.js';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `on`: with some weeks of history; `empty`: without it. */
const DEMO_KINDS = ['on', 'empty', 'off'] as const;
export type DemoKind = (typeof DEMO_KINDS)[number];

export interface Config {
  port: number;
  host: string;
  /** As given, relative to the working directory. */
  dataFolder: string;
  databaseUrl: string | null;
  esdbUrl: string | null;
  /** Of this installation's streams in EventStoreDB; '' for none. */
  logPrefix: string;
  redisUrl: string | null;
  smtpUrl: string | null;
  mailFrom: { name: string; address: string };
  /** The operator's address for mail about data requests; null: no such mail is sent. */
  operatorMail: string | null;
  /** 32 bytes; null: made in the data folder. */
  masterKey: Buffer | null;
  /** The second master key during a rotation: it opens, and never seals. */
  otherMasterKey: Buffer | null;
  /** Without a slash at its end. */
  publicUrl: string;
  projectionShards: number;
  /** How long the access log keeps a read. */
  accessLogRetentionDays: number;
  /** Whether to make a demo site, and whether some weeks have happened there; null: not set. */
  demo: DemoKind | null;
  /** Whether the console is served. */
  console: boolean;
  logLevel: LogLevel;
  /** Networks in CIDR form. */
  trustProxy: string[];
  edgeHeaders: EdgeHeaders;
  /** The vendor list of IAB TCF, from a path or a URL or neither; and the path of Google's list of providers. */
  vendorLists: { path: string | null; url: string | null; providersPath: string | null };
  /** How operators sign in in a browser; `oidc` null: by token only. */
  operatorSignIn: 'token' | 'oidc' | 'both';
  oidc: { issuer: string; clientId: string; clientSecret: string; rolesPath: string } | null;
  /** Receivers of webhooks beside public ones at the usual ports; networks in CIDR form. */
  webhooks: { allow: string[]; ports: number[] };
}

/** Where the log is. */
export type LogSettings = Pick<Config, 'esdbUrl' | 'logPrefix'>;

/** Reads the settings. Throws one StartRefused that names every problem at once, each with what to do about it. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const given = (name: string): string => {
    const direct = env[name]?.trim() ?? '';
    const file = env[`${name}_FILE`]?.trim() ?? '';
    // Compose files pass a variable that is not set as an empty one.
    if (file === '') return direct;
    if (direct !== '') throw new Unusable(`is set, and so is ${name}_FILE: remove one of the two`);
    try {
      return readFileSync(file, 'utf8').trim();
    } catch (error) {
      throw new Unusable(
        `cannot be read from the file in ${name}_FILE (${(error as NodeJS.ErrnoException).code}): check its path and rights`,
      );
    }
  };
  const read = <T>(name: string, parse: (text: string) => T, fallback: T): T => {
    try {
      const text = given(name) || configHelp.find((setting) => setting.name === name)!.default;
      return text === '' ? fallback : parse(text);
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      problems.push(`${name} ${error.message}.`);
      return fallback;
    }
  };

  const isGiven = (name: string): boolean => [name, `${name}_FILE`].some((each) => Boolean(env[each]?.trim()));

  const port = read('PORT', parsePort, 4100);
  const host = read('HOST', parseHost, '127.0.0.1');
  const publicUrl = read('ASSENT_PUBLIC_URL', parsePublicUrl, `http://${reachableHost(host)}:${port}`);
  const databaseUrl = read('DATABASE_URL', parseDatabaseUrl, null);
  const config: Config = {
    port,
    host,
    dataFolder: read('ASSENT_DATA', (text) => text, './data'),
    databaseUrl: read('DATABASE_PASSWORD', withPassword(databaseUrl), databaseUrl),
    esdbUrl: read('ESDB_URL', parseEsdbUrl, null),
    logPrefix: read('ASSENT_LOG_PREFIX', parseLogPrefix(isGiven('ESDB_URL')), ''),
    redisUrl: read('REDIS_URL', parseRedis, null),
    smtpUrl: read('SMTP_URL', address('smtp://user:password@host:587', 'smtp', 'smtps'), null),
    mailFrom: read('MAIL_FROM', parseSender, { name: '', address: `no-reply@${mailDomain(publicUrl)}` }),
    operatorMail: read('ASSENT_OPERATOR_MAIL', parseMailAddress, null),
    masterKey: read('ASSENT_MASTER_KEY', masterKey, null),
    otherMasterKey: read('ASSENT_MASTER_KEY_OTHER', masterKey, null),
    publicUrl,
    projectionShards: read('ASSENT_PROJECTION_SHARDS', parseShards, 1),
    accessLogRetentionDays: read('ASSENT_ACCESS_LOG_RETENTION_DAYS', parseDays, 365),
    demo: read('ASSENT_DEMO', parseDemo, null),
    console: read('ASSENT_CONSOLE', parseSwitch, true),
    logLevel: read('ASSENT_LOG_LEVEL', parseLogLevel, 'info'),
    trustProxy: read(
      'ASSENT_TRUST_PROXY',
      parseNetworks('would believe every client: name the networks of your proxies'),
      [],
    ),
    edgeHeaders: {
      country: read('ASSENT_COUNTRY_HEADER', parseHeaderName, null),
      region: read('ASSENT_REGION_HEADER', parseHeaderName, null),
    },
    vendorLists: {
      path: read('TCF_GVL_PATH', (text) => text, null),
      url: read('TCF_GVL_URL', parseListUrl(isGiven('TCF_GVL_PATH')), null),
      providersPath: read('GOOGLE_ATP_PATH', (text) => text, null),
    },
    operatorSignIn: 'token',
    oidc: null,
    webhooks: {
      allow: read('ASSENT_WEBHOOK_ALLOW', parseNetworks('would allow every address: name networks of your own'), []),
      ports: read('ASSENT_WEBHOOK_PORTS', parsePorts, []),
    },
  };
  const oidc = {
    issuer: read('ASSENT_OIDC_ISSUER', parseIssuer, ''),
    clientId: read('ASSENT_OIDC_CLIENT_ID', (text) => text, ''),
    clientSecret: read('ASSENT_OIDC_CLIENT_SECRET', (text) => text, ''),
    rolesPath: read('ASSENT_OIDC_ROLES', (text) => text, ''),
  };
  const lacking = Object.entries(OIDC_NAMES).flatMap(([field, name]) =>
    oidc[field as keyof typeof oidc] ? [] : [name],
  );
  if (lacking.length === 0) config.oidc = oidc;
  else if (lacking.length < 4 && problems.length === 0)
    problems.push(
      `${lacking.join(', ')} is missing for signing in by OpenID Connect: set all of ${Object.values(OIDC_NAMES).join(', ')}, or none.`,
    );
  config.operatorSignIn = read(
    'ASSENT_OPERATOR_SIGN_IN',
    parseSignIn(config.oidc !== null),
    config.oidc ? 'both' : 'token',
  );
  if (problems.length > 0)
    throw new StartRefused(
      problems.length === 1
        ? problems[0]!
        : `${problems.length} settings cannot be used:\n${problems.map((problem) => `- ${problem}`).join('\n')}`,
    );
  return config;
}

const OIDC_NAMES = {
  issuer: 'ASSENT_OIDC_ISSUER',
  clientId: 'ASSENT_OIDC_CLIENT_ID',
  clientSecret: 'ASSENT_OIDC_CLIENT_SECRET',
  rolesPath: 'ASSENT_OIDC_ROLES',
} as const;

function parseIssuer(text: string): string {
  const url = parseUrl(text);
  const isHere = url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url && (url.protocol === 'https:' || isHere) && !url.username && !url.search && !url.hash) return text;
  throw new Unusable('is not the address of an issuer: use for example https://login.example.com/realms/shop');
}

const parseSignIn =
  (hasProvider: boolean) =>
  (text: string): Config['operatorSignIn'] => {
    if (text !== 'token' && text !== 'oidc' && text !== 'both') throw new Unusable('is none of token, oidc and both');
    if (text !== 'token' && !hasProvider)
      throw new Unusable(`is ${text}, and no provider is named: set ${Object.values(OIDC_NAMES).join(', ')}`);
    return text;
  };

function parseRedis(text: string): string {
  if (!/\s/.test(text) && parseRedisUrl(text) !== null) return text;
  throw new Unusable(
    'is not such an address: write it as redis://host:6379, or a cluster as redis+cluster://a:6379,b:6379',
  );
}

const parseLogPrefix =
  (inEventStore: boolean) =>
  (text: string): string => {
    if (!/^[a-z][a-z0-9_]{0,30}$/.test(text))
      throw new Unusable(
        'is not a prefix of streams: use 1 to 31 lower-case letters, digits and underscores, a letter first, such as shop_eu',
      );
    if (!inEventStore)
      throw new Unusable(
        'tells apart installations that share one EventStoreDB: set ESDB_URL, or remove it; in Postgres each installation has a database of its own',
      );
    return text;
  };

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port >= 1 && port <= 65535)) throw new Unusable('is not a port: use a number from 1 to 65535');
  return port;
}

function parseShards(text: string): number {
  const shards = /^\d{1,2}$/.test(text) ? Number(text) : NaN;
  if (!(shards >= 1 && shards <= 64)) throw new Unusable('is not a number of shards: use a whole number from 1 to 64');
  return shards;
}

function parseDays(text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(days >= 1 && days <= 36_500))
    throw new Unusable('is not a number of days: use a whole number from 1 to 36500, such as 365');
  return days;
}

function parseHost(text: string): string {
  if (isIP(text) || /^[a-zA-Z0-9]([a-zA-Z0-9.-]{0,251}[a-zA-Z0-9])?$/.test(text)) return text;
  throw new Unusable('is not an address to listen on: use for example 127.0.0.1 or 0.0.0.0, without a port');
}

/** A cluster is a list such as `a:2113,b:2113`, which is no URL by the standard. The client judges the rest. */
const address =
  (example: string, ...schemes: string[]) =>
  (text: string): string => {
    const scheme = /^([a-z+]+):\/\/\S+$/.exec(text)?.[1];
    if (scheme && schemes.includes(scheme)) return text;
    throw new Unusable(`is not such an address: write it as ${example}`);
  };

const parseListUrl =
  (hasPath: boolean) =>
  (text: string): string => {
    if (hasPath) throw new Unusable('is set, and so is TCF_GVL_PATH: remove one of the two');
    const url = parseUrl(text);
    if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url.href;
    throw new Unusable('is not such an address: write it as https://vendor-list.consensu.org/v3/vendor-list.json');
  };

/** Puts DATABASE_PASSWORD into the address. It is a setting of its own, so that a container gets it as a file. */
const withPassword =
  (databaseUrl: string | null) =>
  (password: string): string => {
    const url = databaseUrl === null ? null : parseUrl(databaseUrl);
    if (!url?.username || !url.host)
      throw new Unusable('has no user to belong to: set DATABASE_URL to postgres://user@host:5432/name');
    if (url.password) throw new Unusable('is set, and so is a password in DATABASE_URL: remove one of the two');
    url.password = encodeURIComponent(password);
    return url.href;
  };

function masterKey(text: string): Buffer {
  const key = readMasterKey(text);
  if (typeof key === 'string') throw new Unusable(key);
  return key;
}

function parsePublicUrl(text: string): string {
  const url = parseUrl(text);
  const plain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (!plain)
    throw new Unusable(
      'is not the address of a web site: use for example https://consent.example.com, without user, query or fragment',
    );
  return url.href.replace(/\/+$/, '');
}

function parseSender(text: string): { name: string; address: string } {
  const [, name = '', address = ''] =
    /^(?:"?([^"<>\p{Cc}]{0,100}?)"?\s*<)?([a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9.-]{0,250}[a-zA-Z0-9])?)>?$/u.exec(
      text,
    ) ?? [];
  if (address === '' || text.includes('<') !== text.endsWith('>'))
    throw new Unusable('is not a sender: use for example no-reply@shop.example, or Shop <no-reply@shop.example>');
  return { name, address };
}

function parseMailAddress(text: string): string {
  const { name, address: bare } = parseSender(text);
  if (name !== '' || bare !== text) throw new Unusable('is not an address: use for example privacy@shop.example');
  return bare;
}

/** A numeric address is no mail domain. */
function mailDomain(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return isIP(hostname.replace(/^\[|\]$/g, '')) ? 'localhost' : hostname;
}

/** The host for links: an address that means "every network" cannot be opened. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return isIP(host) === 6 ? `[${host}]` : host;
}

function parseSwitch(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new Unusable('is neither on nor off');
  return text === 'on';
}

function parseDemo(text: string): DemoKind {
  const kind = DEMO_KINDS.find((one) => one === text);
  if (!kind) throw new Unusable(`is none of ${DEMO_KINDS.join(', ')}`);
  return kind;
}

function parseLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((one) => one === text.toLowerCase());
  if (!level) throw new Unusable(`is not a log level: use one of ${LOG_LEVELS.join(', ')}`);
  return level;
}

/** Node gives the names of headers in lower case. */
function parseHeaderName(text: string): string {
  if (!/^[a-zA-Z0-9-]{1,100}$/.test(text))
    throw new Unusable('is not the name of a header: use for example cf-ipcountry');
  return text.toLowerCase();
}

/** `everywhere`: what is wrong with a network that holds every address. */
const parseNetworks =
  (everywhere: string) =>
  (text: string): string[] =>
    listed(text).map((part) => {
      const [ip = '', length, ...rest] = part.split('/');
      const bits = { 0: -1, 4: 32, 6: 128 }[isIP(ip)]!;
      const fits = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits);
      if (bits < 0 || !fits || rest.length > 0)
        throw new Unusable(
          `holds something that is no network: use addresses with a prefix length, such as 10.0.0.0/8, separated by commas`,
        );
      if (Number(length) === 0) throw new Unusable(everywhere);
      return `${ip}/${length ?? bits}`;
    });

const parsePorts = (text: string): number[] => listed(text).map(parsePort);

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
