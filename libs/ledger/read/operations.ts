import { BY_ANYBODY, BY_OPERATOR, BY_SECRET_KEY, type OperationDeclaration } from '../../access/index.js';
import { TO_LOOK } from '../../context/roles.js';
import { TO_AUDIT } from '../../context/roles.js';
import {
  LedgerConsistencyDto,
  LedgerConsistencyQuery,
  LedgerProofDto,
  LedgerProofQuery,
  LedgerVerifiersListDto,
} from './dto.js';

const TAG = 'Ledger';
const BY_KEY = {
  ...BY_SECRET_KEY,
  roles: TO_AUDIT,
  method: 'GET',
  scope: 'receipts:read',
  subject: null,
  tag: TAG,
} as const;
const TEXT = 'text/plain';
const BYTES = 'application/octet-stream';

const CHECKPOINT =
  'urn:assent:ledger:shop:live\n7\n3bib5AOAnjJXUNPSY814kpwpQreUKjS3fhIslZSnTIw=\n\n— urn:assent:ledger:shop:live q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4mrze8BI0VniavN7wEjRWeJq80=\n';
const OPENING = {
  salt: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  record:
    '{"id":"0f9a1c1e-7c55-5ad5-9f62-6c3b0d7b8f11","stream":"subject-shop.live.sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T","revision":1,"type":"ConsentRecorded","data":{},"metadata":{}}',
};
const TILE_PATH = {
  level: {
    description:
      'Level of the tile, from 0, or `entries`: what the leaves are hashes of, each with its length before it.',
    example: '0',
  },
  tile: {
    description:
      'Number of the tile in groups of three digits, all but the last with an `x` before them: `x001/x234/067`. A tile that has fewer than 256 hashes yet ends with `.p/` and how many. Slashes stand as they are, or encoded.',
    example: '000.p/1',
  },
};
const OPEN_PATH = {
  site: { description: 'Name of the site.', example: 'shop' },
  env: { description: '`test` or `live`.', example: 'live' },
};
const CHECKPOINT_ANSWER = {
  status: 200,
  description: 'The signed note.',
  mediaType: TEXT,
  example: CHECKPOINT,
  headers: { 'Cache-Control': 'Not to be kept: it changes with every record.' },
};
const TILE_ANSWER = {
  status: 200,
  description: 'The hashes, 32 bytes each.',
  mediaType: BYTES,
  headers: { 'Cache-Control': 'For ever: what a path names never changes.' },
};

const VERIFIERS = {
  tag: TAG,
  answers: [
    {
      status: 200,
      description: 'The keys.',
      contract: LedgerVerifiersListDto,
      example: {
        data: [
          {
            site: 'shop',
            env: 'live',
            origin: 'urn:assent:ledger:shop:live',
            prefix: '/v1/ledgers/shop/live',
            verifierKeys: [
              {
                verifierKey: 'urn:assent:ledger:shop:live+5c2b8c0e+AQECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g',
                kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
                signsFrom: null,
                revokedAt: null,
              },
            ],
          },
        ],
      },
    },
  ],
  refusals: [],
};

export const LEDGER_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_KEY,
    id: 'getLedgerCheckpoint',
    path: '/v1/ledger/checkpoint',
    alsoAnswers: ['text/plain'],
    summary: 'The ledger as it stands, signed',
    description:
      'How many leaves the tree of this site and environment has, and its root: a checkpoint (C2SP tlog-checkpoint) as a signed note, by the key that signs receipts. Keep it: nothing that it covers can be changed, left out or invented afterwards without this showing. Every checkpoint that was ever signed is kept here too.',
    answers: [CHECKPOINT_ANSWER],
    refusals: [],
  },
  {
    ...BY_KEY,
    id: 'getLedgerProof',
    path: '/v1/ledger/proof',
    alsoAnswers: ['text/plain'],
    summary: 'That a record stands in the ledger',
    description:
      'The inclusion proof (RFC 9162) of the record that a receipt is about, in the tree as it stands, with what it takes to verify it offline. `Accept: text/plain` answers it as C2SP tlog-proof.',
    query: LedgerProofQuery,
    headers: [
      {
        name: 'X-Log-Position',
        description: 'As the write answered it: the answer reflects at least that.',
        required: false,
        example: '42',
      },
    ],
    answers: [
      {
        status: 200,
        description: 'The proof.',
        contract: LedgerProofDto,
        example: {
          leafIndex: 6,
          leafHash: 'sIaT7C5yFZcTBkHoIR5+7cy0wmQTlj7ubB4u0W/7Gl8=',
          entry: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
          opening: OPENING,
          treeSize: 7,
          rootHash: '3bib5AOAnjJXUNPSY814kpwpQreUKjS3fhIslZSnTIw=',
          hashes: ['DrxdNDf74tsVi58Sah0RjjCBgQMdCpSfje3t68VY72o=', '037kGJdt2VdTwcc4Yrk5j6Kiz5tP8P3+izDNlSCWFLc='],
          checkpoint: CHECKPOINT,
        },
      },
      { status: 200, description: 'The same as C2SP tlog-proof.', mediaType: 'text/plain' },
    ],
    refusals: ['receipt_not_found', 'validation_failed'],
  },
  {
    ...BY_KEY,
    id: 'getLedgerConsistency',
    path: '/v1/ledger/consistency',
    summary: 'That the ledger has only grown',
    description:
      'The consistency proof (RFC 9162) between two sizes of the tree: with it and two checkpoints any reader can verify that the newer tree holds all of the older one, unchanged.',
    query: LedgerConsistencyQuery,
    answers: [
      {
        status: 200,
        description: 'The proof.',
        contract: LedgerConsistencyDto,
        example: { from: 1, to: 2, hashes: ['lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c='] },
      },
    ],
    refusals: ['validation_failed'],
  },
  {
    ...BY_KEY,
    id: 'getLedgerTile',
    path: '/v1/ledger/tile/{level}/{tile}',
    restOfPath: true,
    alsoAnswers: [BYTES],
    summary: 'A tile of the ledger',
    description:
      'Hashes of the tree, or entries, as C2SP tlog-tiles has them: a client with the tiles can make every proof itself. Tiles with 256 hashes never change; one that has fewer answers as long as the tree has that many.',
    pathParameters: TILE_PATH,
    answers: [TILE_ANSWER],
    refusals: ['tile_not_found'],
  },
  {
    ...BY_ANYBODY,
    id: 'getOpenLedgerCheckpoint',
    anyOrigin: true,
    path: '/v1/ledgers/{site}/{env}/checkpoint',
    tag: TAG,
    summary: 'An open ledger as it stands, signed',
    description:
      'The same as `getLedgerCheckpoint`, without a key, where the site has opened its ledger: `/v1/ledgers/{site}/{env}` is the prefix that witnesses and monitors are given.',
    pathParameters: OPEN_PATH,
    answers: [CHECKPOINT_ANSWER],
    refusals: ['ledger_not_found'],
  },
  {
    ...BY_ANYBODY,
    id: 'getOpenLedgerTile',
    anyOrigin: true,
    path: '/v1/ledgers/{site}/{env}/tile/{level}/{tile}',
    restOfPath: true,
    tag: TAG,
    summary: 'A tile of an open ledger',
    description: 'The same as `getLedgerTile`, without a key, where the site has opened its ledger.',
    pathParameters: { ...OPEN_PATH, ...TILE_PATH },
    answers: [TILE_ANSWER],
    refusals: ['ledger_not_found', 'tile_not_found'],
  },
  {
    ...BY_OPERATOR,
    ...VERIFIERS,
    id: 'listVerifierKeys',
    roles: TO_LOOK,
    method: 'GET',
    path: '/admin/v1/ledger/verifier-key',
    summary: 'Keys that verify checkpoints',
    description:
      'For every ledger that the operator’s roles reach: the keys by which its checkpoints are verified, as programs that verify signed notes take them (C2SP signed-note).',
  },
  {
    ...BY_ANYBODY,
    ...VERIFIERS,
    id: 'getOpenVerifierKeys',
    anyOrigin: true,
    path: '/.well-known/assent-ledger.json',
    summary: 'Keys that verify checkpoints of open ledgers',
    description: 'The same for ledgers that their sites have opened, without a key and from every origin.',
  },
];
