import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import wireWords from '@eventstore/db-client/generated/shared_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import type { Message } from 'google-protobuf';
import { ProtocolServer } from './protocol-server.js';

interface RecordedCall {
  title: string;
  rpc: string;
  requests: { base64: string; decoded?: unknown }[];
  responses: { base64: string }[];
  end: { code: number; details?: string; metadata?: Record<string, string> };
  /** The recorder ended the call once it had these answers. */
  cancelled: boolean;
}
interface Answer {
  responses: Buffer[];
  end: { code: number; details: string; metadata: Record<string, unknown> } | null;
}

const [head, ...calls] = readFileSync(fileURLToPath(new URL('recorded.jsonl', import.meta.url)), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as RecordedCall & { server?: string });

const DECODERS: Record<string, { deserializeBinary(bytes: Uint8Array): Message }> = {
  GetSupportedMethods: features.SupportedMethods,
  'Gossip/Read': gossip.ClusterInfo,
  'Streams/Read': streams.ReadResp,
  Append: streams.AppendResp,
  BatchAppend: streams.BatchAppendResp,
  Delete: streams.DeleteResp,
  Tombstone: streams.TombstoneResp,
};
const decoderOf = (rpc: string) => DECODERS[rpc.split('/').at(-1)!] ?? DECODERS[rpc.split('.').at(-1)!]!;

/** Puts fixed values where two runs of the very same server differ. */
function settle(message: Message): Message {
  if (message instanceof streams.ReadResp) {
    message.getConfirmation()?.setSubscriptionId('(id)');
    const event = message.getEvent()?.getEvent();
    event?.getMetadataMap().set('created', '(time)');
    if (event?.getMetadataMap().get('type')?.startsWith('$') && event.getId())
      event.setId(new wireWords.UUID().setString('(id)'));
  }
  if (message instanceof gossip.ClusterInfo) {
    for (const member of message.getMembersList()) {
      member.setTimeStamp('1');
      member.getHttpEndPoint()?.setPort(1);
    }
  }
  return message;
}
const bytesOf = (message: Message): Buffer => Buffer.from(message.serializeBinary());

/** What was too large to be recorded: one event of 1,100,000 bytes. */
function tooLarge(call: RecordedCall): Buffer {
  const data = Buffer.alloc(1_100_000, 'x');
  if (call.rpc.endsWith('/Append')) {
    const message = new streams.AppendReq.ProposedMessage()
      .setId(new wireWords.UUID().setString('00000000-0000-4000-8000-00000000000b'))
      .setData(data);
    message.getMetadataMap().set('type', 'Tried').set('content-type', 'application/json');
    return bytesOf(new streams.AppendReq().setProposedMessage(message));
  }
  const message = new streams.BatchAppendReq.ProposedMessage()
    .setId(new wireWords.UUID().setString('00000000-0000-4000-8000-00000000001a'))
    .setData(data);
  message.getMetadataMap().set('type', 'Tried').set('content-type', 'application/json');
  const identifier = new wireWords.StreamIdentifier().setStreamName(Buffer.from('recorded-c'));
  const options = new streams.BatchAppendReq.Options().setStreamIdentifier(identifier);
  options.setStreamPosition('0');
  const answered = streams.BatchAppendResp.deserializeBinary(Buffer.from(call.responses[0]!.base64, 'base64'));
  return bytesOf(
    new streams.BatchAppendReq()
      .setCorrelationId(answered.getCorrelationId())
      .setOptions(options)
      .setProposedMessagesList([message])
      .setIsFinal(true),
  );
}
const requestBytes = (call: RecordedCall): Buffer[] =>
  call.requests.map(({ base64 }) =>
    base64 === undefined || base64.startsWith('(') ? tooLarge(call) : Buffer.from(base64, 'base64'),
  );

describe('the protocol server, held to a recording of the real one', () => {
  let server: ProtocolServer;
  let client: Client;
  const answers: Answer[] = [];
  const same = (value: Buffer): Buffer => value;

  const ask = (rpc: string, requests: Buffer[]): Promise<Answer> =>
    new Promise((resolve) => {
      const responses: Buffer[] = [];
      const ended = (error: ServiceError | null) =>
        resolve({
          responses,
          end: { code: error?.code ?? 0, details: error?.details ?? '', metadata: error?.metadata.getMap() ?? {} },
        });
      const single = (error: ServiceError | null, response?: Buffer) => (
        response ? responses.push(response) : 0,
        ended(error)
      );
      if (rpc.endsWith('/Append')) {
        const call = client.makeClientStreamRequest(rpc, same, same, new Metadata(), single);
        for (const request of requests) call.write(request);
        call.end();
      } else if (rpc.endsWith('Streams/Read')) {
        const call = client.makeServerStreamRequest(rpc, same, same, requests[0]!);
        call
          .on('data', (response: Buffer) => responses.push(response))
          .on('error', ended)
          .on('end', () => ended(null));
      } else client.makeUnaryRequest(rpc, same, same, requests[0]!, single);
    });

  /** For calls that the recorder cancelled: until so many answers came, and nothing else with them. */
  const listen = async (call: RecordedCall, meanwhile: (heard: number) => void): Promise<Answer> => {
    const responses: Buffer[] = [];
    const requests = requestBytes(call);
    const batch = call.rpc.endsWith('BatchAppend') ? client.makeBidiStreamRequest(call.rpc, same, same) : null;
    for (const request of batch ? requests : []) batch!.write(request);
    const open = batch ?? client.makeServerStreamRequest(call.rpc, same, same, requests[0]!);
    await new Promise<void>((resolve, reject) => {
      open.on('error', reject);
      open.on('data', (response: Buffer) => {
        responses.push(response);
        meanwhile(responses.length);
        if (responses.length === call.responses.length) resolve();
      });
    });
    // An answer too many would have come before that of a later call on the same connection.
    await ask('/event_store.client.gossip.Gossip/Read', [Buffer.alloc(0)]);
    open.removeAllListeners('error').on('error', () => undefined);
    open.cancel();
    return { responses, end: null };
  };

  beforeAll(async () => {
    server = await ProtocolServer.start();
    client = new Client(`127.0.0.1:${server.wire.port}`, credentials.createInsecure());
    for (const call of calls) {
      // The recorder wrote these beside the call, not as one.
      const write = (n: number): void => {
        const id = `00000000-0000-4000-8000-0000000000${n.toString(16)}`;
        server.ledger.append('recorded-live', 'any', [
          {
            id,
            type: 'Tried',
            contentType: 'application/json',
            data: Buffer.from(`{"n":${n}}`),
            metadata: Buffer.from('{"by":"recorder"}'),
          },
        ]);
      };
      const meanwhile = (heard: number): void => {
        if (call.title.endsWith('two written meanwhile') && heard === 2) [30, 31].forEach(write);
      };
      answers.push(call.cancelled ? await listen(call, meanwhile) : await ask(call.rpc, requestBytes(call)));
    }
  });
  afterAll(async () => {
    client.close();
    await server.stop();
  });

  it('was recorded from a server of a known version', () => {
    expect(head!.server).toMatch(/^EventStoreDB oss-v24\.2\.0/);
    expect(calls).toHaveLength(62);
  });

  it.each(calls.map((call, i) => [i + 1, call.title] as const))('%i: %s', (n, _title) => {
    const { rpc, responses, end, cancelled } = calls[n - 1]!;
    const decoded = (bytes: Buffer): Message => settle(decoderOf(rpc).deserializeBinary(bytes));
    const [expected, actual] = [
      responses.map(({ base64 }) => Buffer.from(base64, 'base64')),
      answers[n - 1]!.responses,
    ];
    expect(actual.map((bytes) => decoded(bytes).toObject())).toEqual(
      expected.map((bytes) => decoded(bytes).toObject()),
    );
    // What an object does not show: whether a zero was sent or left out.
    const exact = (bytes: Buffer): string => (/Read$/.test(rpc) ? bytesOf(decoded(bytes)) : bytes).toString('hex');
    expect(actual.map(exact)).toEqual(expected.map(exact));
    if (cancelled) return;
    const { code, details, metadata } = answers[n - 1]!.end!;
    expect(code).toBe(end.code);
    if (end.code === 0) return;
    expect(details).toBe(end.details);
    expect(metadata).toMatchObject(end.metadata ?? {});
  });
});
