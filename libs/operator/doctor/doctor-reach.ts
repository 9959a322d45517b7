import net from 'node:net';
import tls from 'node:tls';
import { parseRedisUrl } from '../../engines/cache/redis-url.js';
import { fail, ok, type Finding } from './findings.js';

const PATIENCE_MS = 3_000;

/** Checks that Redis answers, at each address of a cluster. A refused password is an answer: the service reports it. */
export async function reachRedis(url: string): Promise<Finding> {
  const { nodes, tls: secure } = parseRedisUrl(url)!;
  const answers = await Promise.all(nodes.map(({ host, port }) => firstWords(host, port, secure, 'PING\r\n')));
  const silent = answers.filter((answer) => answer === null).length;
  if (silent > 0)
    return fail(
      'Redis',
      nodes.length === 1 ? 'does not answer' : `${silent} of ${nodes.length} addresses do not answer`,
      'Start it, or correct REDIS_URL. Until then each process caches and counts for itself.',
    );
  return answers.every((answer) => /^(\+PONG|-NOAUTH|-DENIED)/.test(answer!))
    ? ok('Redis', 'answers')
    : fail('Redis', 'what answers there is no Redis', 'Correct REDIS_URL.');
}

export async function reachSmtp(url: string): Promise<Finding> {
  const { hostname, port, protocol } = new URL(url);
  const secure = protocol === 'smtps:';
  const answer = await firstWords(hostname, Number(port || (secure ? 465 : 587)), secure, '');
  if (answer === null)
    return fail('SMTP', 'does not answer', 'Start it, or correct SMTP_URL. Until then no mail is sent.');
  return answer.startsWith('220')
    ? ok('SMTP', 'answers')
    : fail('SMTP', 'what answers there takes no mail', 'Correct SMTP_URL.');
}

/** The first words of a server after our greeting; null where it does not answer in time. */
function firstWords(host: string, port: number, secure: boolean, greeting: string): Promise<string | null> {
  return new Promise((resolve) => {
    const bare = host.replace(/^\[|\]$/g, '');
    const socket = secure
      ? tls.connect({ host: bare, port, servername: net.isIP(bare) ? '' : bare })
      : net.connect({ host: bare, port });
    const settle = (answer: string | null): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PATIENCE_MS, () => settle(null));
    socket.once('error', () => settle(null));
    socket.once('close', () => settle(null));
    socket.once(secure ? 'secureConnect' : 'connect', () => greeting && socket.write(greeting));
    socket.once('data', (data: Buffer) => settle(data.toString('latin1')));
  });
}
