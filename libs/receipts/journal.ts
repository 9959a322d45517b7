import { defineJournal } from '../context/journal.js';
import type { SigningKeyEvent } from './events.js';

export const receiptJournal = defineJournal<SigningKeyEvent>({
  SigningKeyAnnounced: ({ env, kid, number, signsFrom, reason }) => ({
    target: { type: 'SIGNING_KEY', id: kid },
    summary: 'Signing key announced',
    reason,
    after: { number, signsFrom },
    env,
  }),
  SigningKeyRevoked: ({ env, kid, number, reason }) => ({
    target: { type: 'SIGNING_KEY', id: kid },
    summary: 'Signing key revoked',
    reason,
    before: { number },
    env,
  }),
});
