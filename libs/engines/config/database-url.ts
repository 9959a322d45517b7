import { parseUrl } from '../../kernel/index.js';
import { isDecodable, requireReadable } from './url-parts.js';
import { Unusable } from './unusable.js';

const EXAMPLE = 'postgres://user:password@host:5432/name';
/** The modes that pg knows. With any other it would connect without TLS and say nothing. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
const SSL_FILES = ['sslrootcert', 'sslcert', 'sslkey'];

/** Checks an address of Postgres and returns it unchanged. Throws Unusable where it is malformed or contradicts itself. */
export function parseDatabaseUrl(text: string): string {
  if (!/^postgres(ql)?:\/\/\S*$/.test(text)) throw new Unusable(`is not such an address: write it as ${EXAMPLE}`);
  const [, authority = ''] = /^[a-z]+:\/\/([^/?#]*)/.exec(text)!;
  const hosts = authority.slice(authority.lastIndexOf('@') + 1);
  if (hosts.includes(','))
    throw new Unusable(`has several hosts: give the one address under which the first of them is found`);
  const url = parseUrl(text);
  if (url === null) throw new Unusable(`has a host or port that is none: write it as ${EXAMPLE}`);
  // A socket is named by `host`.
  if (url.hostname === '' && !url.searchParams.get('host')) throw new Unusable(`has no host: write it as ${EXAMPLE}`);
  if (url.port === '0') throw new Unusable('has a port that is none: use a number from 1 to 65535, such as 5432');
  if (url.password !== '' && url.username === '')
    throw new Unusable(`has a password without a user: write it as ${EXAMPLE}`);
  if (![url.username, url.password, url.pathname].every(isDecodable))
    throw new Unusable('has a % in user, password or name that begins no percent-encoded character: write it as %25');
  checkTls(url.searchParams);
  return text;
}

function checkTls(parameters: URLSearchParams): void {
  const mode = parameters.get('sslmode');
  const files = SSL_FILES.filter((name) => parameters.has(name));
  if (mode !== null && !SSL_MODES.includes(mode))
    throw new Unusable(`has an sslmode that is none of ${SSL_MODES.join(', ')}`);
  if (mode === 'disable' && files.length > 0)
    throw new Unusable(`has sslmode=disable and ${files[0]}: remove one of the two`);
  if (parameters.has('sslcert') !== parameters.has('sslkey'))
    throw new Unusable('has one of sslcert and sslkey: give both or none');
  for (const name of files) requireReadable(name, parameters.get(name)!);
}
