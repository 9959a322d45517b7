import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** What the server does with the next mail. A number is a reply code; `drop` cuts the line once it has the whole mail. */
export type Behaviour =
  'accept' | 'drop' | 'hang' | { at: 'sender' | 'recipient' | 'content'; code: number; text: string };

export interface ReceivedMail {
  envelope: { from: string; to: string[] };
  secure: boolean;
  email: Email;
  raw: string;
}

export interface SmtpServer {
  url: string;
  port: number;
  /** Every mail that came whole, the refused and dropped ones among them. */
  received: ReceivedMail[];
  /** Users and passwords that were tried. */
  logins: string[];
  /** For the coming mails, one each; then it accepts. */
  next(...behaviours: Behaviour[]): void;
  stop(): Promise<void>;
}

/** A mail server on this machine, which can misbehave on purpose. In clear and without passwords unless told. */
export async function startSmtp(options: SMTPServerOptions = {}): Promise<SmtpServer> {
  const received: ReceivedMail[] = [];
  const logins: string[] = [];
  const queue: Behaviour[] = [];
  const refusal = (place: string): Error | null => {
    const [behaviour] = queue;
    if (typeof behaviour !== 'object' || behaviour.at !== place) return null;
    queue.shift();
    return Object.assign(new Error(behaviour.text), { responseCode: behaviour.code });
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 50,
    ...options,
    onMailFrom: (_address, _session, done) => done(refusal('sender')),
    onRcptTo: (_address, _session, done) => done(refusal('recipient')),
    onAuth: ({ username, password }, _session, done) => {
      logins.push(`${username}:${password}`);
      if (password === 'right') done(null, { user: username });
      else done(Object.assign(new Error('5.7.8 Wrong'), { responseCode: 535 }));
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString();
        void PostalMime.parse(raw).then((email) => {
          const { mailFrom, rcptTo } = session.envelope;
          received.push({
            envelope: { from: mailFrom === false ? '' : mailFrom.address, to: rcptTo.map(({ address }) => address) },
            secure: session.secure,
            email,
            raw,
          });
          const refused = refusal('content');
          if (refused) return done(refused);
          const behaviour = queue.shift() ?? 'accept';
          if (behaviour === 'hang') return;
          if (behaviour !== 'drop') return done(null, `queued as ${received.length}`);
          for (const connection of server.connections)
            if (connection.session.id === session.id) connection._socket.destroy();
        });
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    received,
    logins,
    next: (...behaviours) => void queue.push(...behaviours),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
