import { randomUUID } from 'node:crypto';

const about = (ref, rest = '') => `/v1/subjects/${encodeURIComponent(ref)}${rest}`;
const withKey = () => ({ 'Idempotency-Key': randomUUID() });
/** Links may be used so often from one address; here everybody has an address of their own. */
const somewhere = () => ({
  'X-Forwarded-For': Array.from({ length: 4 }, () => 1 + Math.floor(Math.random() * 250)).join('.'),
});

export const decide = (client, subject, n) =>
  client.get(
    'POST',
    '/v1/consent',
    {
      subject,
      purpose: n % 2 === 0 ? 'analytics' : 'marketing',
      decision: n % 3 === 2 ? 'DENIED' : 'GRANTED',
      jurisdiction: { country: 'DE', source: 'DETECTED' },
      collection: { method: 'SAVE_CHOICES', surface: 'BANNER', url: 'https://shop.example/checkout', locale: 'de' },
    },
    withKey(),
  );

export const setPreference = (client, subject, value) =>
  client.get('POST', '/v1/preferences', { subject, channel: 'push', values: [{ field: 'news', value }] }, withKey());

async function confirm(client, { ref }) {
  const asked = await client.ask('POST', '/v1/preferences/confirmation-token', {
    subject: ref,
    channel: 'email',
    values: [{ field: 'news', value: true }],
    redirectUrl: 'https://bench.example/thanks',
  });
  if (asked.status >= 400) return asked;
  const done = await client.ask('POST', '/v1/preferences/confirm', { token: asked.body.token }, somewhere());
  return { ...done, ms: asked.ms + done.ms };
}

/**
 * What is measured on streams of each length. `prepare` and `restore` are not: they put the subject into the state that
 * the operation needs, and back. `bounded`: replays events, so it may cost more the longer the stream is.
 */
export const OPERATIONS = [
  {
    name: 'write',
    title: 'write a consent',
    call: (client, { ref }) =>
      client.ask('POST', '/v1/consent', { subject: ref, purpose: 'analytics', decision: 'GRANTED' }, withKey()),
  },
  {
    name: 'fresh',
    title: 'fresh read',
    call: (client, { ref }) => client.ask('GET', about(ref, '/consent?fresh=true')),
  },
  { name: 'subject', title: 'GET subject', call: (client, { ref }) => client.ask('GET', about(ref)) },
  {
    name: 'identifier',
    title: 'add an identifier',
    call: (client, { ref }) =>
      client.ask('POST', about(ref, '/identifiers'), { kind: 'user_id', value: randomUUID() }, withKey()),
  },
  {
    name: 'lift',
    title: 'lift a hold',
    prepare: (client, { ref }) => client.ask('POST', about(ref, '/restrict'), { reason: 'bench' }),
    call: (client, { ref }) => client.ask('POST', about(ref, '/lift-restriction'), {}),
  },
  { name: 'confirmation', title: 'ask for and make a confirmation', call: confirm },
  {
    name: 'merge',
    title: 'merge',
    needsTwo: true,
    call: (client, { ref, other }) =>
      client.ask('POST', '/v1/subjects/merge', { sources: [other.ref], target: ref }, withKey()),
    restore: (client, { mergeId }) => client.ask('POST', `/v1/subjects/merge/${mergeId}/revert`, {}),
  },
  {
    name: 'erase',
    title: 'erasure',
    endsSubject: true,
    call: (client, { ref }) => client.ask('POST', about(ref, '/erase'), { reason: 'DATA_SUBJECT_REQUEST' }, withKey()),
  },
  {
    name: 'history',
    title: 'first page of the history',
    // No more than the shortest stream has, so that all pages are equally long.
    call: (client, { ref }) => client.ask('GET', about(ref, '/consent/history?limit=10')),
  },
  {
    name: 'timeline',
    title: 'first page of the timeline',
    call: (client, { ref }) => client.ask('GET', about(ref, '/timeline?limit=10')),
  },
  {
    name: 'known-at',
    title: 'as known at a time',
    bounded: true,
    call: (client, { ref, filledAt }) => client.ask('GET', about(ref, `/consent?knownAt=${filledAt}`)),
  },
  {
    name: 'as-of',
    title: 'as of a time',
    bounded: true,
    call: (client, { ref, filledAt }) => client.ask('GET', about(ref, `/consent?asOf=${filledAt}`)),
  },
];
