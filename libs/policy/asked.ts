import type { IncomingHttpHeaders } from 'node:http';
import { COUNTRY_CODES, Refused } from '../kernel/index.js';
import type { EdgeHeaders } from '../platform/config/edge-headers.js';
import type { Whereabouts } from './look-up.js';
import { policyRefusals } from './refusals.js';

/** The place that a query names; null where it names none. Throws Refused where that is no place. */
export function placeNamed(country: string | undefined, region: string | undefined): Whereabouts | null {
  const inferred = country ?? region?.slice(0, 2);
  if (inferred === undefined) return null;
  if (!COUNTRY_CODES.has(inferred)) throw new Refused(policyRefusals.countryUnknown(inferred));
  if (region !== undefined && !region.startsWith(`${inferred}-`))
    throw new Refused(policyRefusals.regionElsewhere(inferred, region));
  return { country: inferred, region: region ?? null };
}

const NOWHERE: Whereabouts = { country: null, region: null };

/**
 * Where the proxy in front saw the visitor. What it writes where it does not know (`XX`, `T1` for Tor) is no assigned code,
 * and counts as nothing. Regions come with their country (`US-CA`) or without (`CA`).
 */
export function edgePlace(headers: IncomingHttpHeaders, names: EdgeHeaders): Whereabouts {
  const country = read(headers, names.country);
  if (country === null || !COUNTRY_CODES.has(country)) return NOWHERE;
  const region = read(headers, names.region);
  if (region === null) return { country, region: null };
  return { country, region: region.includes('-') ? region : `${country}-${region}` };
}

function read(headers: IncomingHttpHeaders, name: string | null): string | null {
  const value = name === null ? undefined : headers[name];
  return typeof value === 'string' ? value.trim().toUpperCase() : null;
}
