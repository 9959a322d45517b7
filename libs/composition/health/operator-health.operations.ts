import { BY_OPERATOR, type OperationDeclaration } from '../../access/index.js';
import { TO_LOOK } from '../../context/roles.js';
import { HealthDto } from './operator-health.dto.js';

export const OPERATOR_HEALTH_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_OPERATOR,
    id: 'getHealth',
    roles: TO_LOOK,
    method: 'GET',
    path: '/admin/v1/health',
    tag: 'Operator',
    summary: 'How the installation is',
    description:
      'What `assent doctor` checks of the engines, with every read model, what waits to be delivered, and when a backup and a verification of the ledger were last made. It takes some seconds where something is behind, since whether it moves is seen by looking twice. One answer is given to all who ask within ten seconds.',
    answers: [
      {
        status: 200,
        description: 'How it is.',
        contract: HealthDto,
        example: {
          status: 'ok',
          checkedAt: '2026-11-21T12:00:00.000Z',
          release: '0.1.0',
          roles: ['write-api', 'read-api', 'projector', 'dispatcher'],
          findings: [{ check: 'clocks', verdict: 'ok', found: 'database is 0 ms ahead of this host', fix: null }],
          projections: [
            {
              name: 'consent_state',
              version: 3,
              rebuild: 0,
              live: true,
              state: 'running',
              position: '4211',
              head: '4211',
              rate: null,
              lagSeconds: 0,
              lagEvents: 0,
              poison: null,
            },
          ],
          skipped: [],
          queues: [{ queue: 'webhook', open: 0, oldestSeconds: 0 }],
          lastBackup: { at: '2026-11-21T02:00:00.000Z', tables: 20, rows: 120_000 },
          ledgerVerified: null,
        },
      },
    ],
    refusals: [],
  },
];
