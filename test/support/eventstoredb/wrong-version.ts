import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Expected } from './ledger.js';

const MINUS_ONE = 18446744073709551615n;

/**
 * The answer to an append at another revision. Written by hand, field by field: it names everything twice, for clients
 * older than 20.6.1 too, and the stubs cannot write the -1 that those get where no stream was expected.
 */
export function answerWrongVersion(current: bigint | null, expected: Expected): AppendResp {
  const fields = [
    current === null ? empty(2) : number(1, current),
    expected === 'any'
      ? empty(4)
      : expected === 'exists'
        ? empty(5)
        : number(3, expected === 'no-stream' ? MINUS_ONE : expected),
    current === null ? empty(7) : number(6, current),
    expected === 'any'
      ? empty(9)
      : expected === 'exists'
        ? empty(10)
        : expected === 'no-stream'
          ? empty(11)
          : number(8, expected),
  ].flat();
  const bytes = Uint8Array.from([(2 << 3) | 2, fields.length, ...fields]);
  return Object.assign(new streams.AppendResp(), { serializeBinary: () => bytes });
}

const empty = (field: number): number[] => [(field << 3) | 2, 0];
const number = (field: number, value: bigint): number[] => [field << 3, ...varint(value)];

function varint(value: bigint): number[] {
  const bytes: number[] = [];
  for (let left = value; ; left >>= 7n) {
    if (left < 128n) return [...bytes, Number(left)];
    bytes.push(Number(left & 127n) | 128);
  }
}
