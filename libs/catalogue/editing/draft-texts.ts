import { Injectable } from '@nestjs/common';
import { Database } from '../../engines/database/database.js';
import type { Scope } from '../../kernel/index.js';

/** How much older than the one before it a text must be to go: another request may be reading or saving it. */
const KEPT_SECONDS = 60;

const SAVE = {
  name: 'catalogue_draft_save',
  text: `insert into write.catalogue_drafts (site, env, files_hash, files, saved_at) values ($1, $2, $3, $4, clock_timestamp())
         on conflict (site, env, files_hash) do update set saved_at = excluded.saved_at
         returning saved_at`,
};
const READ = {
  name: 'catalogue_draft_read',
  text: 'select files from write.catalogue_drafts where site = $1 and env = $2 and files_hash = $3',
};
const DROP = {
  name: 'catalogue_draft_drop',
  text: `delete from write.catalogue_drafts
         where site = $1 and env = $2 and files_hash <> $3 and saved_at < $4::timestamptz - make_interval(secs => ${KEPT_SECONDS})`,
};

/** The texts of drafts, `write.catalogue_drafts`: of each site and environment the present one, and those of the last minute. */
@Injectable()
export class DraftTexts {
  constructor(private readonly database: Database) {}

  /** Written before the event that names it: an event never names a text that is not there. */
  async save({ site, env }: Scope, filesHash: string, text: string): Promise<Date> {
    const [row] = await this.database.query<{ saved_at: Date }>(SAVE, [site, env, filesHash, text]);
    return row!.saved_at;
  }

  /** Null where another text took its place. */
  async read({ site, env }: Scope, filesHash: string): Promise<string | null> {
    const [row] = await this.database.query<{ files: string }>(READ, [site, env, filesHash]);
    return row?.files ?? null;
  }

  /** Drops what was saved well before the present text. `since`: when that was saved. */
  async dropOthers({ site, env }: Scope, filesHash: string, since: Date): Promise<void> {
    await this.database.query(DROP, [site, env, filesHash, since]);
  }
}
