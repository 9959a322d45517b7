import type { IncomingHttpHeaders } from 'node:http';
import { countryOf, isRefusal, Refused, regionOf, type Refusal } from '../kernel/index.js';
import type { EdgeHeaders } from '../engines/config/edge-headers.js';
import type { Whereabouts } from './look-up.js';
import { policyRefusals } from './refusals.js';

/** A place as a request names it, by the fields that `COUNTRY` and `REGION` declare. */
interface SentPlace {
  country: string;
  region?: string;
}

/**
 * A place that a caller sent, by the codes of this service: `GB` for `UK`. Refuses a region of another country. `within`:
 * the path before that of the region, with its dot.
 */
export function readPlace<P extends SentPlace>(sent: P, within: `${string}.` | ''): P | Refusal {
  const country = countryOf(sent.country)!;
  if (sent.region === undefined) return { ...sent, country };
  const region = regionOf(sent.region)!;
  return region.startsWith(`${country}-`)
    ? { ...sent, country, region }
    : policyRefusals.regionElsewhere(country, region, `${within}region`);
}

/** The place that a query names; null where it names none. Throws Refused for an unknown place. */
export function placeNamed(country: string | undefined, region: string | undefined): Whereabouts | null {
  const inferred = country ?? region?.slice(0, 2);
  if (inferred === undefined) return null;
  const read = readPlace({ country: inferred, ...(region !== undefined && { region }) }, '');
  if (isRefusal(read)) throw new Refused(read);
  return { country: read.country, region: read.region ?? null };
}

const NOWHERE: Whereabouts = { country: null, region: null };

/**
 * The visitor's place by the proxy's headers. Where the proxy does not know it, it writes codes that are not assigned
 * (`XX`, `T1` for Tor): they count as no place, and so does a region of another country. A region comes with its country
 * (`US-CA`) or without (`CA`).
 */
export function edgePlace(headers: IncomingHttpHeaders, names: EdgeHeaders): Whereabouts {
  const country = countryOf(read(headers, names.country) ?? '');
  if (country === null) return NOWHERE;
  const region = read(headers, names.region);
  if (region === null) return { country, region: null };
  const whole = region.includes('-') ? regionOf(region) : `${country}-${region}`;
  return { country, region: whole?.startsWith(`${country}-`) ? whole : null };
}

/** The value of a header; null where two lines differ, since it is not known which one the proxy wrote. */
function read(headers: IncomingHttpHeaders, name: string | null): string | null {
  const lines = [(name === null ? undefined : headers[name]) ?? ''].flat().flatMap((line) => line.split(','));
  const [value = '', ...others] = new Set(lines.map((line) => line.trim().toUpperCase()));
  return value === '' || others.length > 0 ? null : value;
}
