// Receipts without HTTP and without a log, each case on the word of the bench: on one core, what a signature costs and
// what a receipt costs.
import { sign } from 'node:crypto';
import { consentReceipt } from '../../../dist/libs/consent/receipt.js';
import { receiptJws } from '../../../dist/libs/receipts/jws.js';
import { signingKey } from '../../../dist/libs/receipts/signing-key.js';
import { record } from '../decision-event.mjs';

const EVENTS = 1_000;
/** Between two looks at the clock. */
const AT_ONCE = 32;

const key = signingKey(Buffer.alloc(32, 7));
const ULID = '01KAK3V0ZC8W9J2M4N6P8Q0R2S';
const id = (prefix, n) => `${prefix}_${ULID.slice(0, -4)}${String(n).padStart(4, '0')}`;
/** Data of events as the log holds them. */
const stored = Array.from({ length: EVENTS }, (_, n) =>
  JSON.stringify({ ...record('analytics', n).data, recordId: id('rec', n) }),
);
const purpose = {
  key: 'analytics',
  legalBasis: 'CONSENT',
  dataCategories: [{ key: 'usage', sensitive: false }],
  recipients: [{ name: 'Example Analytics Ltd', role: 'PROCESSOR', country: 'IE' }],
  retention: 'P14M',
  controller: { name: 'Shop Example GmbH', contact: 'privacy@shop.example' },
};
const receipt = (n) =>
  consentReceipt(JSON.parse(stored[n]), {
    site: 'shop',
    env: 'live',
    subjectId: id('sub', n),
    previousRecordId: id('rec', (n + 1) % EVENTS),
    purpose,
  });
/** What is signed of a receipt: header and payload. */
const signed = Array.from({ length: EVENTS }, (_, n) =>
  Buffer.from(receiptJws(receipt(n), key).split('.').slice(0, 2).join('.')),
);

const CASES = { signature: (n) => sign(null, signed[n], key.privateKey), receipt: (n) => receiptJws(receipt(n), key) };

process.on('message', ({ prepare, name, seconds }) =>
  process.send(prepare === undefined ? measured(CASES[name], seconds) : { prepared: null }),
);
process.once('disconnect', () => process.exit(0)).once('SIGTERM', () => process.exit(0));
process.send({ bytes: signed[0].length });

function measured(one, seconds) {
  const from = performance.now();
  const until = from + seconds * 1000;
  let count = 0;
  while (performance.now() < until) for (let i = 0; i < AT_ONCE; i++) one(count++ % EVENTS);
  return { count, seconds: (performance.now() - from) / 1000, latencies: [] };
}
