import { accessContext } from '../access/context.js';
import { catalogueContext } from '../catalogue/context.js';
import { consoleContext } from '../console/context.js';
import { consentContext } from '../consent/context.js';
import { dataRequestsContext } from '../data-requests/context.js';
import { compose } from './compose.js';
import type { Context } from '../context/define-context.js';
import { frameworksContext } from '../consent-strings/context.js';
import { ledgerContext } from '../ledger/context.js';
import { journalContext } from '../journal/context.js';
import { operatorContext } from '../operator/context.js';
import { portalContext } from '../portal/context.js';
import { preferencesContext } from '../preferences/context.js';
import { receiptsContext } from '../receipts/context.js';
import { statisticsContext } from '../statistics/context.js';
import { summaryContext } from '../summary/context.js';
import { subjectsContext } from '../subjects/context.js';
import { timelineContext } from '../timeline/context.js';
import { policyContext } from '../policy/context.js';
import { webhooksContext } from '../webhooks/context.js';
import { platformContext } from './platform.js';

/** All that the service is made of. In this order they stand in the documentation of the interface. */
export const CONTEXTS: readonly Context[] = [
  consentContext,
  preferencesContext,
  subjectsContext,
  catalogueContext,
  policyContext,
  frameworksContext,
  dataRequestsContext,
  timelineContext,
  receiptsContext,
  ledgerContext,
  statisticsContext,
  webhooksContext,
  portalContext,
  accessContext,
  summaryContext,
  journalContext,
  operatorContext,
  consoleContext,
  platformContext,
];

/** Contexts that do not fit together end the process here, before it opens anything. */
export const COMPOSITION = compose(CONTEXTS);
