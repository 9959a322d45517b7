import {
  ResponderBuilder,
  ServerCredentials,
  ServerInterceptingCall,
  ServerListenerBuilder,
  status,
  type Metadata,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import type { Certificate } from '../certificate.js';

/** Who gets in to a server, and how. */
export interface Door {
  /** What the server shows; without it connections are not encrypted. */
  tls?: Certificate;
  /** Passwords by user; without them nobody is asked. */
  users?: Readonly<Record<string, string>>;
}

export const credentialsOf = ({ tls }: Door): ServerCredentials =>
  tls
    ? ServerCredentials.createSsl(null, [{ private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.cert) }])
    : ServerCredentials.createInsecure();

/**
 * Everybody may ask for the members of the cluster; whatever else is asked without a right password is refused. The
 * real server does that with the HTTP status 401, of which the client makes this status.
 */
export function keepersOf({ users }: Door): ServerInterceptor[] {
  if (!users) return [];
  return [
    ({ path }, call) => {
      if (path.startsWith('/event_store.client.gossip.')) return new ServerInterceptingCall(call);
      const listener = new ServerListenerBuilder()
        .withOnReceiveMetadata((metadata, proceed) => {
          if (isKnown(metadata, users)) proceed(metadata);
          else call.sendStatus({ code: status.UNAUTHENTICATED, details: 'Received HTTP status code 401' });
        })
        .build();
      return new ServerInterceptingCall(call, new ResponderBuilder().withStart((begin) => begin(listener)).build());
    },
  ];
}

function isKnown(metadata: Metadata, users: Readonly<Record<string, string>>): boolean {
  const [given] = metadata.get('authorization');
  const [, encoded = ''] = /^Basic (.+)$/.exec(String(given)) ?? [];
  const [, user = '', password] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return Object.hasOwn(users, user) && users[user] === password;
}
