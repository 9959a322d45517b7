import { consentStateProjection } from '../consent/read/projection.js';
import { preferenceStateProjection } from '../preferences/read/projection.js';
import type { Projection } from '../event-log/projection.js';
import type { DomainEvent } from '../kernel/index.js';

/** Every read model, for whoever treats all of them alike: what it folds and how its rows look is its own affair. */
export type AnyProjection = Projection<unknown, DomainEvent>;

export const PROJECTIONS: readonly AnyProjection[] = [
  consentStateProjection,
  preferenceStateProjection,
] as unknown as AnyProjection[];
