import { nearest, refusal, type Refusal } from '../kernel/index.js';
import { PLACES } from './places.js';

export const policyRefusals = {
  /** `path`: of the region. */
  regionElsewhere(country: string, region: string, path: string): Refusal {
    const meant = nearest(
      `${country}-${region.slice(3)}`,
      [...PLACES.keys()].filter((code) => code.startsWith(`${country}-`)),
    );
    return refusal(
      'validation_failed',
      'The region lies in another country.',
      `Send a region of ${country}${meant === null ? '' : `, such as region=${meant}`}, or the country of the region: country=${region.slice(0, 2)}.`,
      [{ path, message: `"${region}" is no region of ${country}` }],
    );
  },
};
