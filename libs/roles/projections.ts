import { siteKeysProjection } from '../access/key-projection.js';
import { siteStateProjection } from '../access/site-projection.js';
import { catalogueStateProjection } from '../catalogue/projection.js';
import { consentStateProjection } from '../consent/read/projection.js';
import { preferenceStateProjection } from '../preferences/read/projection.js';
import type { AnyProjection } from '../operator/release.js';

export const PROJECTIONS: readonly AnyProjection[] = [
  consentStateProjection,
  preferenceStateProjection,
  siteStateProjection,
  siteKeysProjection,
  catalogueStateProjection,
] as unknown as AnyProjection[];
