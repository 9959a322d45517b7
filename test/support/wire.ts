import net from 'node:net';

/** A connection between a client and Postgres that can be cut, or made to swallow every answer. */
export interface Wire {
  url: string;
  cut(): void;
  /** The server hears the client, the client hears nothing. */
  mute(): void;
  /** Neither hears the other: as where the process of the client stands still. What was said arrives with `thaw`. */
  freeze(): void;
  thaw(): void;
  /** What was connected meanwhile is dropped; what comes from now on passes. */
  restore(): void;
  /** How many clients are connected. */
  clients(): number;
  close(): Promise<void>;
}

/** A wire to the server of that URL. */
export async function wireTo(targetUrl: string): Promise<Wire> {
  const target = new URL(targetUrl);
  let state: 'whole' | 'cut' | 'mute' | 'frozen' = 'whole';
  const unsaid: (() => void)[] = [];
  const pairs = new Set<{ client: net.Socket; upstream: net.Socket }>();
  const drop = (): void => pairs.forEach(({ client, upstream }) => (client.destroy(), upstream.destroy()));
  const server = net.createServer((client) => {
    if (state === 'cut') return void client.destroy();
    const upstream = net.connect(Number(target.port), target.hostname);
    const pair = { client, upstream };
    pairs.add(pair);
    for (const socket of [client, upstream]) {
      socket.on('error', () => undefined);
      socket.on('close', () => (client.destroy(), upstream.destroy(), pairs.delete(pair)));
    }
    const passTo = (to: net.Socket) => (said: Buffer) => {
      if (state === 'frozen') unsaid.push(() => to.write(said));
      else if (state !== 'mute' || to === upstream) to.write(said);
    };
    client.on('data', passTo(upstream));
    upstream.on('data', passTo(client));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as net.AddressInfo).port);
  // A socket of the server would lead past the wire.
  url.searchParams.delete('host');
  return {
    url: url.href,
    cut: () => ((state = 'cut'), drop()),
    mute: () => void (state = 'mute'),
    freeze: () => void (state = 'frozen'),
    thaw: () => {
      state = 'whole';
      for (const say of unsaid.splice(0)) say();
    },
    restore: () => ((state = 'whole'), drop()),
    clients: () => pairs.size,
    close: () => (drop(), new Promise<void>((resolve) => server.close(() => resolve()))),
  };
}
