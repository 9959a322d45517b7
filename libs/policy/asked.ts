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
 * A place that came in, by the codes that are known here: `GB` where `UK` was sent. Refused where the region is of another
 * country; `within`: the path before that of the region, with its dot.
 */
export function readPlace<P extends SentPlace>(sent: P, within: `${string}.` | ''): P | Refusal {
  const country = countryOf(sent.country)!;
  if (sent.region === undefined) return { ...sent, country };
  const region = regionOf(sent.region)!;
  return region.startsWith(`${country}-`)
    ? { ...sent, country, region }
    : policyRefusals.regionElsewhere(country, region, `${within}region`);
}

/** The place that a query names; null where it names none. Throws Refused where that is no place. */
export function placeNamed(country: string | undefined, region: string | undefined): Whereabouts | null {
  const inferred = country ?? region?.slice(0, 2);
  if (inferred === undefined) return null;
  const read = readPlace({ country: inferred, ...(region !== undefined && { region }) }, '');
  if (isRefusal(read)) throw new Refused(read);
  return { country: read.country, region: read.region ?? null };
}

const NOWHERE: Whereabouts = { country: null, region: null };

/**
 * Where the proxy in front saw the visitor. What it writes where it does not know (`XX`, `T1` for Tor) is no assigned code,
 * and counts as nothing, as does a region of another country. Regions come with their country (`US-CA`) or without (`CA`).
 */
export function edgePlace(headers: IncomingHttpHeaders, names: EdgeHeaders): Whereabouts {
  const country = countryOf(read(headers, names.country) ?? '');
  if (country === null) return NOWHERE;
  const region = read(headers, names.region);
  if (region === null) return { country, region: null };
  const whole = region.includes('-') ? regionOf(region) : `${country}-${region}`;
  return { country, region: whole?.startsWith(`${country}-`) ? whole : null };
}

/** What every line of the header says; null where two of them differ: then nobody knows which one the proxy wrote. */
function read(headers: IncomingHttpHeaders, name: string | null): string | null {
  const lines = [(name === null ? undefined : headers[name]) ?? ''].flat().flatMap((line) => line.split(','));
  const [value = '', ...others] = new Set(lines.map((line) => line.trim().toUpperCase()));
  return value === '' || others.length > 0 ? null : value;
}
