import type { IncomingHttpHeaders } from 'node:http';
import type { Outbound, Answer } from '../../../engines/outbound/outbound.js';
import type { IsAllowed } from '../../../engines/outbound/judged-lookup.js';
import { decoded, ENCODINGS } from '../packed.js';
import { LIST_BYTES_MAX } from '../read-list.js';
import { freshSeconds, retryAfterSeconds } from './cache-time.js';
import { textsName, type Looked, type Source, type Validators } from './sources.js';

/** Longest stored text of a validator. */
const VALIDATOR_MAX = 500;

export interface Upstream {
  outbound: Outbound;
  /** Asked for every address before a connection. */
  isAllowed: IsAllowed;
  /** Milliseconds since 1970. */
  nowMs: () => number;
}

/** An address that lists are fetched from, as rarely as its answers allow. */
export class UpstreamSource implements Source {
  readonly from = 'UPSTREAM';

  constructor(
    readonly name: string,
    private readonly upstream: Upstream,
  ) {}

  static translation(url: string, locale: string, upstream: Upstream): UpstreamSource {
    return new UpstreamSource(new URL(textsName(locale), url).href, upstream);
  }

  async look(known: Validators): Promise<Looked> {
    const answer = await this.upstream.outbound.get({
      url: new URL(this.name),
      headers: {
        Accept: 'application/json',
        'Accept-Encoding': ENCODINGS,
        'User-Agent': 'Assent-Vendor-List',
        ...(known.etag !== null && { 'If-None-Match': known.etag }),
        ...(known.lastModified !== null && { 'If-Modified-Since': known.lastModified }),
      },
      isAllowed: this.upstream.isAllowed,
    });
    return this.looked(answer, known);
  }

  private async looked({ status, headers, firstBytes, fault }: Answer, known: Validators): Promise<Looked> {
    const nowMs = this.upstream.nowMs();
    const failed = (reason: string): Looked => ({
      outcome: 'FAILED',
      reason,
      retryAfterS: retryAfterSeconds(headers, nowMs),
    });
    const freshS = freshSeconds(headers, nowMs);
    if (status === 304 && fault === null)
      return { outcome: 'UNCHANGED', freshS, validators: { ...known, ...present(validatorsOf(headers)) } };
    if (status === 404 || status === 410) return { outcome: 'NONE', freshS };
    if (status !== null && status !== 200) return failed(`status_${status}`);
    if (fault !== null) return failed(fault);
    if (firstBytes.length > LIST_BYTES_MAX) return failed('too_large');
    const bytes = await decoded(firstBytes, (headers['content-encoding'] ?? '').trim().toLowerCase());
    if ('fault' in bytes) return failed(bytes.fault);
    return { outcome: 'FOUND', bytes, freshS, validators: validatorsOf(headers) };
  }
}

function validatorsOf(headers: IncomingHttpHeaders): Validators {
  const kept = (text: string | undefined): string | null =>
    text !== undefined && text.length <= VALIDATOR_MAX ? text : null;
  return { etag: kept(headers.etag), lastModified: kept(headers['last-modified']) };
}

/** The present members only: a 304 need not repeat the headers that it confirms. */
const present = (validators: Validators): Partial<Validators> =>
  Object.fromEntries(Object.entries(validators).filter(([, text]) => text !== null));
