import type { components } from '../../api/schema.js';
import type { OperationId } from '../../session.js';

export type Request = components['schemas']['DataRequest'];
export type Step = 'verify' | 'start' | 'complete' | 'resume' | 'hold' | 'extend' | 'reject' | 'cancel';

const OPEN = ['RECEIVED', 'AWAITING_VERIFICATION', 'VERIFIED', 'IN_PROGRESS', 'ON_HOLD'];

/** Where in its states a request takes a step, as the service decides it; the next one that is wanted first. */
const FROM: readonly (readonly [Step, readonly string[]])[] = [
  ['resume', ['ON_HOLD']],
  ['verify', ['RECEIVED', 'AWAITING_VERIFICATION']],
  ['start', ['RECEIVED', 'VERIFIED']],
  ['complete', ['IN_PROGRESS', 'RECEIVED', 'VERIFIED']],
  ['hold', ['IN_PROGRESS']],
  ['extend', OPEN],
  ['reject', OPEN],
  ['cancel', OPEN],
];

export const OPERATION = {
  verify: 'verifySiteDataRequest',
  start: 'startSiteDataRequest',
  complete: 'completeSiteDataRequest',
  resume: 'resumeSiteDataRequest',
  hold: 'holdSiteDataRequest',
  extend: 'extendSiteDataRequest',
  reject: 'rejectSiteDataRequest',
  cancel: 'cancelSiteDataRequest',
} as const satisfies Readonly<Record<Step, OperationId>>;

export const isOpen = ({ state }: Request): boolean => OPEN.includes(state);

/** What can be done with a request now (`now` in ms), the step that moves it on first. Nothing while it is being completed. */
export function stepsOf(request: Request, now: number): Step[] {
  if (request.completing !== null) return [];
  return FROM.flatMap(([step, states]) => (states.includes(request.state) && fits(step, request, now) ? [step] : []));
}

function fits(step: Step, { verification, period, dueAt, extendedDueAt }: Request, now: number): boolean {
  switch (step) {
    case 'verify':
      return verification.status === 'PENDING';
    case 'start':
    case 'complete':
      return verification.status !== 'PENDING';
    case 'extend':
      return (
        period.dueDays !== null &&
        period.extensionDays !== null &&
        extendedDueAt === null &&
        (dueAt === null || Date.parse(dueAt) > now)
      );
    default:
      return true;
  }
}
