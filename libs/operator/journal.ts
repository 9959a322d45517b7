import { defineJournal } from '../context/journal.js';
import type { OperationsEvent, Operator } from './events.js';

const by = ({ user, host }: Operator) => ({ operator: `${user}@${host}` });
const projection = (id: string) => ({ type: 'PROJECTION', id }) as const;

/** Commands at the machine: who is named by the account there. */
export const operationsJournal = defineJournal<OperationsEvent>({
  ProjectionRebuilt: ({ by: who, projection: name, version, rebuild, parity }) => ({
    ...by(who),
    target: projection(name),
    summary: 'Read model built anew',
    after: { version, rebuild, parity },
  }),
  ProjectionResumed: ({ by: who, projection: name, position }) => ({
    ...by(who),
    target: projection(name),
    summary: 'Read model tried again',
    after: { position },
  }),
  ProjectionSkipped: ({ by: who, projection: name, position, eventType, everywhere }) => ({
    ...by(who),
    target: projection(name),
    summary: everywhere ? 'Event left out of everything' : 'Event left out of a read model',
    after: { position, eventType, everywhere },
  }),
  AuditExported: ({ by: who, subjectId, site, env, since, through }) => ({
    ...by(who),
    target: subjectId === null ? { type: 'SITE', id: null } : { type: 'SUBJECT', id: subjectId },
    summary: 'Copy with personal data taken',
    after: { since, through },
    site,
    env,
  }),
  SubjectShown: ({ by: who, subjectId, site, env, identifiers }) => ({
    ...by(who),
    target: { type: 'SUBJECT', id: subjectId },
    summary: identifiers === 'CLEAR' ? 'Looked at a person, in clear' : 'Looked at a person, masked',
    after: { identifiers },
    site,
    env,
  }),
  DataRoleChanged: ({ by: who, role, change }) => ({
    ...by(who),
    target: { type: 'DATA_ROLE', id: role },
    summary: 'Database login for the published views changed',
    after: { change },
  }),
  LogAccepted: ({ by: who, last, known }) => ({
    ...by(who),
    target: { type: 'LOG', id: null },
    summary: 'Another log accepted',
    before: known,
    after: last,
  }),
});
