import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Scope } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import type { Presentation } from './presentation.js';

const WRITE_EVERY_MS = 60_000;
/** Most different banners that are counted in one minute. Others are not counted. */
const WAITING_MAX = 5_000;
/** Most rows of one statement. */
const ROWS_MAX = 2_000;

/** A banner that many visitors see alike, with the count that is not written yet. */
export interface ShownBanner extends Scope {
  /**
   * Of UTC. All visitors with the same presentation see it on the same day, since it is stated for a quarter of an
   * hour.
   */
  day: string;
  country: string;
  region: string;
  locale: string;
  version: number;
  purposes: readonly string[];
  times: number;
}

export const shownBanner = (
  { site, env }: Scope,
  { shownAt, banner, policy, purposes }: Presentation,
): ShownBanner => ({
  site,
  env,
  day: shownAt.slice(0, 10),
  country: policy.country ?? '',
  region: policy.region ?? '',
  locale: banner.locale,
  version: banner.version,
  purposes: purposes.map(({ key }) => key),
  times: 0,
});

const COLUMNS = ['site', 'env', 'purpose', 'day', 'country', 'region', 'locale', 'banner_version', 'shown'] as const;
const KEY = COLUMNS.slice(0, -1).join(', ');
type Row = Record<(typeof COLUMNS)[number], string | number>;

// In the order of the key, so that two processes cannot deadlock.
const WRITE = {
  name: 'shown_banners_write',
  text: `insert into write.shown_banners as t (${COLUMNS.join(', ')})
         select ${COLUMNS.join(', ')} from unnest($1::text[], $2::text[], $3::text[], $4::date[], $5::text[], $6::text[], $7::text[], $8::int[], $9::bigint[]) as r(${COLUMNS.join(', ')})
         order by ${KEY}
         on conflict (${KEY}) do update set shown = t.shown + excluded.shown`,
};

/**
 * Counts answered banners that ask for a choice: by purpose, place, language, version and day, never by person. A request
 * only raises a number in memory; each process writes its numbers once a minute and when it stops. A killed process loses
 * at most a minute. If the database answers too late to tell whether it wrote, a minute may be counted twice.
 */
@Injectable()
export class ShownBanners implements OnModuleInit, OnModuleDestroy {
  private readonly waiting = new Set<ShownBanner>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly database: Database) {}

  onModuleInit(): void {
    // Numbers that cannot be written now are written a minute later.
    this.timer = setInterval(() => void this.write().catch(() => undefined), WRITE_EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.write().catch(() => undefined);
  }

  count(banner: ShownBanner): void {
    if (!this.waiting.has(banner)) {
      if (this.waiting.size >= WAITING_MAX) return;
      this.waiting.add(banner);
    }
    banner.times += 1;
  }

  /** Rejects with DependencyUnavailable; numbers that were not written are kept. */
  async write(): Promise<void> {
    while (this.waiting.size > 0) {
      const group = this.next();
      const times = group.map((banner) => banner.times);
      for (const banner of group) {
        this.waiting.delete(banner);
        banner.times = 0;
      }
      try {
        const rows = rowsOf(group, times);
        await this.database.query(
          WRITE,
          COLUMNS.map((column) => rows.map((row) => row[column])),
        );
      } catch (error) {
        group.forEach((banner, i) => {
          banner.times += times[i]!;
          this.waiting.add(banner);
        });
        throw error;
      }
    }
  }

  private next(): ShownBanner[] {
    const group: ShownBanner[] = [];
    let rows = 0;
    for (const banner of this.waiting) {
      rows += banner.purposes.length;
      if (group.length > 0 && rows > ROWS_MAX) break;
      group.push(banner);
    }
    return group;
  }
}

/** One row for each purpose. Presentations of the same day add up. */
function rowsOf(group: readonly ShownBanner[], times: readonly number[]): Row[] {
  const rows = new Map<string, Row & { shown: number }>();
  group.forEach(({ site, env, day, country, region, locale, version, purposes }, i) => {
    for (const purpose of purposes) {
      const row = { site, env, purpose, day, country, region, locale, banner_version: version, shown: 0 };
      const name = JSON.stringify(row);
      const known = rows.get(name);
      if (known) known.shown += times[i]!;
      else rows.set(name, { ...row, shown: times[i]! });
    }
  });
  return [...rows.values()];
}
