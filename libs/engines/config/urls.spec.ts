import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import { selfSignedCertificate } from '../../../test/support/certificate.js';
import { readConfig } from './config.js';

let folder: string;
let ca: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-urls-'));
  ca = join(folder, 'ca.crt');
  const { cert, key } = selfSignedCertificate();
  writeFileSync(ca, cert);
  writeFileSync(join(folder, 'key.pem'), key);
  writeFileSync(join(folder, 'empty.crt'), '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function refusalOf(name: string, url: string): string {
  try {
    readConfig({ [name]: url });
  } catch (error) {
    expect((error as Error).name).toBe('StartRefused');
    return (error as Error).message;
  }
  throw new Error(`taken: ${url}`);
}

describe('ESDB_URL', () => {
  it.each([
    'esdb://host:2113?tls=false',
    'esdb://host?tls=false',
    'esdb://host:2113/?tls=false',
    'esdb://admin:changeit@host:2113?tls=false&connectionName=assent&node_preference=Leader',
    'esdb://a:2113,b:2113,c:2113?tls=false&keepAliveInterval=-1&gossipTimeout=5',
    'esdb+discover://cluster.example:2113?tls=false&maxDiscoverAttempts=20',
    'esdb://user:p%40ss%3Aword@a.example:2113,b.example:2113?tlsCAFile=CA',
    'esdb+discover://user:password@cluster.example?tls=true&tlsCAFile=CA&userCertFile=CA&userKeyFile=KEY',
  ])('is taken as %s, as the client takes it too', (form) => {
    const url = form
      .replace(/=CA\b/g, `=${encodeURIComponent(ca)}`)
      .replace('=KEY', `=${encodeURIComponent(join(folder, 'key.pem'))}`);
    expect(readConfig({ ESDB_URL: url }).esdbUrl).toBe(url);
    expect(() => EventStoreDBClient.connectionString(url)).not.toThrow();
  });

  it.each([
    ['another scheme', 'http://host:2113', 'write it as esdb://host:2113?tls=false'],
    ['the name of the newer server', 'kurrentdb://host:2113?tls=false', 'write esdb in its place'],
    ['no host', 'esdb://?tls=false', 'no host'],
    ['a port alone', 'esdb://:2113?tls=false', 'has a host that is none'],
    ['an empty place in the list', 'esdb://a:2113,,b:2113?tls=false', 'single commas'],
    ['letters in the port', 'esdb://host:21l3?tls=false', 'has a port that is none'],
    ['no port after the colon', 'esdb://host:?tls=false', 'has a port that is none'],
    ['a port beyond all', 'esdb://host:70000?tls=false', 'from 1 to 65535'],
    ['an IPv6 address', 'esdb://[::1]:2113?tls=false', 'use a name that resolves to it'],
    ['a path', 'esdb://host:2113/consent?tls=false', 'has a path'],
    ['a user without a password', 'esdb://hunter2@host:2113?tls=false', 'a user without a password'],
    ['a password without a user', 'esdb://:hunter2@host:2113?tls=false', 'a password without a user'],
    ['a colon in the password', 'esdb://user:hunter2:x@host:2113?tls=false', '%3A'],
    ['an @ in the password', 'esdb://user:hunter2@x@host:2113?tls=false', '%40'],
    ['a ? in the password', 'esdb://user:x?hunter2=x@host:2113?tls=false', '%3F'],
    ['a % in the password', 'esdb://user:hunter2%@host:2113?tls=false', '%25'],
    ['an unknown option', 'esdb://host:2113?tls=false&tlsCaPath=x', 'an option tlsCaPath'],
    ['a mistyped option', 'esdb://host:2113?tsl=false', 'did you mean tls?'],
    ['something that is no option', 'esdb://host:2113?tls=false&', 'no option'],
    ['a value that is missing', 'esdb://host:2113?tls=', 'tls=value'],
    ['a second question mark', 'esdb://host:2113?tls=false?tls=false', '& between options'],
    ['an option twice', 'esdb://host:2113?tls=false&TLS=true', 'tls twice'],
    ['a switch in other words', 'esdb://host:2113?tls=off', 'neither true nor false'],
    ['a number in other words', 'esdb://host:2113?tls=false&keepAliveInterval=10s', 'no whole number'],
    ['an unknown preference', 'esdb://host:2113?tls=false&nodePreference=master', 'leader, follower'],
    ['discovery of several addresses', 'esdb+discover://a:2113,b:2113?tls=false', 'the one DNS name of the cluster'],
    ['TLS without an authority', 'esdb://user:hunter2@host:2113', 'add tlsCAFile='],
    ['TLS that checks nothing', 'esdb://user:hunter2@host:2113?tlsVerifyCert=false', 'which this client ignores'],
    ['TLS without a user', 'esdb://host:2113?tlsCAFile=CA', 'names no user'],
    ['an authority without TLS', 'esdb://host:2113?tls=false&tlsCAFile=CA', 'tls=false and tlsCAFile'],
    [
      'an authority that is not there',
      'esdb://user:hunter2@host:2113?tlsCAFile=/nowhere/ca.crt',
      'cannot be read (ENOENT)',
    ],
    ['an authority that is none', 'esdb://user:hunter2@host:2113?tlsCAFile=EMPTY', 'no PEM'],
    ['half a certificate', 'esdb://user:hunter2@host:2113?tlsCAFile=CA&userKeyFile=CA', 'both or none'],
  ])('with %s is refused in one line that names it and says what to do', (_, form, fix) => {
    const url = form
      .replace(/=CA\b/g, `=${encodeURIComponent(ca)}`)
      .replace('=EMPTY', `=${encodeURIComponent(join(folder, 'empty.crt'))}`);
    const message = refusalOf('ESDB_URL', url);
    expect(message).toMatch(/^ESDB_URL [^\n]+\.$/);
    expect(message).toContain(fix);
    expect(message).not.toContain('hunter2');
  });
});

describe('DATABASE_URL', () => {
  it.each([
    'postgres://user:password@host:5432/name',
    'postgresql://user@host/name?sslmode=verify-full&sslrootcert=CA',
    'postgres://user:p%40ss@[::1]:5432/name',
    'postgres:///name?host=/var/run/postgresql',
  ])('is taken as %s', (form) => {
    const url = form.replace('=CA', `=${encodeURIComponent(ca)}`);
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each([
    ['another scheme', 'mysql://user:hunter2@host/name', 'write it as postgres://'],
    ['blanks', 'postgres://user:hunter2@host /name', 'write it as postgres://'],
    ['no host', 'postgres://user:hunter2@/name', 'host'],
    ['several hosts', 'postgres://user:hunter2@a:5432,b:5432/name', 'several hosts'],
    ['letters in the port', 'postgres://user:hunter2@host:54e2/name', 'a host or port that is none'],
    ['port 0', 'postgres://user:hunter2@host:0/name', 'from 1 to 65535'],
    ['a password without a user', 'postgres://:hunter2@host/name', 'a password without a user'],
    ['a % in the password', 'postgres://user:hunter2%@host/name', '%25'],
    ['an unknown sslmode', 'postgres://user:hunter2@host/name?sslmode=on', 'disable, prefer'],
    [
      'an authority without TLS',
      'postgres://u:hunter2@host/name?sslmode=disable&sslrootcert=CA',
      'remove one of the two',
    ],
    ['an authority that is not there', 'postgres://u:hunter2@host/name?sslrootcert=/nowhere/ca.crt', '(ENOENT)'],
    ['half a certificate', 'postgres://u:hunter2@host/name?sslmode=require&sslcert=CA', 'both or none'],
  ])('with %s is refused in one line that names it and says what to do', (_, form, fix) => {
    const message = refusalOf('DATABASE_URL', form.replace('=CA', `=${encodeURIComponent(ca)}`));
    expect(message).toMatch(/^DATABASE_URL [^\n]+\.$/);
    expect(message).toContain(fix);
    expect(message).not.toContain('hunter2');
  });
});
