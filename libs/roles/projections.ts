import { consentStateProjection } from '../consent/read/projection.js';
import { preferenceStateProjection } from '../preferences/read/projection.js';
import type { AnyProjection } from '../operator/release.js';

export const PROJECTIONS: readonly AnyProjection[] = [
  consentStateProjection,
  preferenceStateProjection,
] as unknown as AnyProjection[];
