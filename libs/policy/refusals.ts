import { assignedCode, nearest, refusal, type Refusal } from '../kernel/index.js';
import { PLACES } from './places.js';

/** Known as a place of law by nearly everybody, and no country. */
const UNIONS: Readonly<Record<string, string>> = {
  EU: 'The European Union is no country: send the member state, for example country=DE or country=FR.',
};
const NO_CODE = 'Send an assigned code of ISO 3166-1, or none: then the strictest rule is answered.';

export const policyRefusals = {
  /** A code of two letters that ISO 3166-1 has not assigned to any country. */
  countryUnknown(code: string, path = 'country'): Refusal {
    const right = assignedCode(code);
    const message = `"${code}" is no assigned code of ISO 3166-1`;
    return refusal(
      'validation_failed',
      'The country is not known.',
      UNIONS[code] ?? (right === null ? NO_CODE : `Send country=${right}.`),
      [{ path, message: right === null ? message : `${message}; did you mean "${right}"?` }],
    );
  },

  regionElsewhere(country: string, region: string): Refusal {
    const meant = nearest(
      `${country}-${region.slice(3)}`,
      [...PLACES.keys()].filter((code) => code.startsWith(`${country}-`)),
    );
    return refusal(
      'validation_failed',
      'The region lies in another country.',
      `Send a region of ${country}${meant === null ? '' : `, such as region=${meant}`}, or the country of the region: country=${region.slice(0, 2)}.`,
      [{ path: 'region', message: `"${region}" is no region of ${country}` }],
    );
  },
};
