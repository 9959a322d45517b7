import { nearest } from '../../kernel/index.js';
import { Unusable } from './unusable.js';
import { isDecodable, requireReadable } from './url-parts.js';

const EXAMPLE = 'esdb://host:2113?tls=false, or esdb://user:password@a:2113,b:2113,c:2113?tlsCAFile=/path/ca.crt';

type Kind = 'switch' | 'number' | 'text' | { oneOf: readonly string[] };
/** The options of the client by its own names. It reads names without regard to case, `_` and `-`. */
const OPTIONS: Readonly<Record<string, Kind>> = {
  tls: 'switch',
  tlsCAFile: 'text',
  tlsVerifyCert: 'switch',
  userCertFile: 'text',
  userKeyFile: 'text',
  connectionName: 'text',
  nodePreference: { oneOf: ['leader', 'follower', 'read_only_replica', 'random'] },
  maxDiscoverAttempts: 'number',
  discoveryInterval: 'number',
  gossipTimeout: 'number',
  defaultDeadline: 'number',
  keepAliveInterval: 'number',
  keepAliveTimeout: 'number',
  throwOnAppendFailure: 'switch',
};
const flat = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

/**
 * Checks an address of EventStoreDB and returns it unchanged. Throws Unusable where it is malformed or contradicts
 * itself. The client says nothing then: it ignores unknown options, reads `21l3` as port 21, uses the first of several
 * addresses of `esdb+discover`, and sends no password without TLS.
 */
export function parseEsdbUrl(text: string): string {
  const [, scheme, rest = ''] = /^([a-z+]+):\/\/(.*)$/s.exec(text) ?? [];
  if (scheme?.startsWith('kurrentdb'))
    throw new Unusable('begins with kurrentdb, which this client does not speak: write esdb in its place');
  if (/\s/.test(text) || (scheme !== 'esdb' && scheme !== 'esdb+discover'))
    throw new Unusable(`is not such an address: write it as ${EXAMPLE}`);
  const [address = '', query] = splitAt(rest, '?');
  const at = address.lastIndexOf('@');
  // Otherwise part of a password could be read as the name of an option, and a message would show it.
  if (query?.includes('@'))
    throw new Unusable('has an @ after its ?: in user and password write ? as %3F and @ as %40');
  const options = optionsOf(query);
  checkCredentials(at < 0 ? null : address.slice(0, at));
  checkHosts(address.slice(at + 1), scheme === 'esdb+discover');
  checkTls(options, at >= 0);
  return text;
}

function splitAt(text: string, separator: string): [string, string | null] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

function checkCredentials(credentials: string | null): void {
  if (credentials === null) return;
  const [user, password] = splitAt(credentials, ':');
  if (user === '' || !password)
    throw new Unusable(
      'has a user without a password, or a password without a user: write user:password@ before the host',
    );
  // The client ends the password at the next colon, and the credentials at the first @.
  if (/[:@/]/.test(password) || user.includes('/'))
    throw new Unusable('has a :, @ or / in user or password: write it as %3A, %40 or %2F');
  if (!isDecodable(user) || !isDecodable(password))
    throw new Unusable('has a % in user or password that begins no percent-encoded character: write it as %25');
}

function checkHosts(list: string, discovers: boolean): void {
  const hosts = list.replace(/\/+$/, '').split(',');
  if (list.replace(/\/+$/, '') === '') throw new Unusable(`has no host: write it as ${EXAMPLE}`);
  if (hosts.some((host) => host.includes('/'))) throw new Unusable('has a path after the host: remove it');
  for (const host of hosts) {
    if (/[[\]]/.test(host) || host.split(':').length > 2)
      throw new Unusable(
        'has an IPv6 address in numbers, which this client does not read: use a name that resolves to it',
      );
    const [name, port] = splitAt(host, ':');
    if (!/^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i.test(name))
      throw new Unusable('has a host that is none: separate addresses by single commas, as in a:2113,b:2113');
    if (port !== null && !isPort(port))
      throw new Unusable('has a port that is none: use a number from 1 to 65535, such as 2113');
  }
  if (discovers && hosts.length > 1)
    throw new Unusable(
      'names several addresses after esdb+discover, of which only the first would be asked: give the one DNS name of the cluster, or write esdb with all addresses',
    );
}

/** By the names that the client gives them. */
function optionsOf(query: string | null): Map<string, string> {
  const options = new Map<string, string>();
  for (const option of query === null ? [] : query.split('&')) {
    const [given, value] = splitAt(option, '=');
    const name = Object.keys(OPTIONS).find((known) => flat(known) === flat(given));
    if (name === undefined) throw new Unusable(unknownOption(given));
    if (!value || value.includes('?'))
      throw new Unusable(`has no usable value for ${name}: write ${name}=value, and & between options`);
    if (options.has(name)) throw new Unusable(`has ${name} twice: remove one`);
    checkValue(name, value);
    options.set(name, value);
  }
  return options;
}

function unknownOption(given: string): string {
  if (!/^[a-z_-]{1,40}$/i.test(given))
    return 'has something after ? that is no option: write name=value, and & between options';
  const meant = nearest(given, Object.keys(OPTIONS));
  return `has an option ${given} that EventStoreDB's client does not know: ${meant ? `did you mean ${meant}?` : 'remove it'}`;
}

function checkValue(name: string, value: string): void {
  const kind = OPTIONS[name]!;
  if (kind === 'switch' && value !== 'true' && value !== 'false')
    throw new Unusable(`has ${name} that is neither true nor false`);
  if (kind === 'number' && !/^(-1|\d{1,9})$/.test(value)) throw new Unusable(`has ${name} that is no whole number`);
  if (kind === 'text' && !isDecodable(value))
    throw new Unusable(`has a % in ${name} that begins no percent-encoded character: write it as %25`);
  if (typeof kind === 'object' && !kind.oneOf.some((one) => flat(one) === flat(value)))
    throw new Unusable(`has ${name} that is none of ${kind.oneOf.join(', ')}`);
}

function checkTls(options: ReadonlyMap<string, string>, hasCredentials: boolean): void {
  const files = ['tlsCAFile', 'userCertFile', 'userKeyFile'].filter((name) => options.has(name));
  if (options.get('tls') === 'false') {
    if (files.length > 0) throw new Unusable(`has tls=false and ${files[0]}: remove one of the two`);
    return;
  }
  if (options.get('tlsVerifyCert') === 'false')
    throw new Unusable(
      'has tlsVerifyCert=false, which this client ignores: name the authority of the certificate in tlsCAFile',
    );
  if (!options.has('tlsCAFile'))
    throw new Unusable(
      'uses TLS and names no certificate authority: add tlsCAFile=/path/ca.crt (for a certificate of a public authority the list of the system, such as /etc/ssl/certs/ca-certificates.crt), or tls=false where the node speaks none',
    );
  if (options.has('userCertFile') !== options.has('userKeyFile'))
    throw new Unusable('has one of userCertFile and userKeyFile: give both or none');
  for (const name of files) requireReadable(name, decodeURIComponent(options.get(name)!));
  if (!hasCredentials) throw new Unusable('uses TLS and names no user: write user:password@ before the host');
}

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535;
