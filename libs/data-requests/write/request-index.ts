import { Injectable } from '@nestjs/common';
import { epochMs, newId, type Instant, type Scope } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { idBytes } from '../../engines/id-bytes.js';
import type { DataRequestType } from '../events.js';

interface Row {
  id: string;
  subject_id: string;
}

const RESERVE = {
  name: 'data_request_reserve',
  text: `insert into write.data_request (id, site, env, subject_id, type) values ($1, $2, $3, $4, $5)
         on conflict (site, env, subject_id, type) where is_newest do nothing returning id`,
};
const NEWEST = {
  name: 'data_request_newest',
  text: `select id, subject_id from write.data_request
         where site = $1 and env = $2 and subject_id = any($3::text[]) and type = $4 and is_newest order by id`,
};
const CLOSED = {
  name: 'data_request_closed',
  text: 'update write.data_request set is_newest = false where id = $1 and is_newest',
};
const OF_SUBJECTS = {
  name: 'data_request_of_subjects',
  text: 'select id from write.data_request where site = $1 and env = $2 and subject_id = any($3::text[]) order by id desc',
};
const ANSWERED_NOBODY = {
  name: 'data_request_answered_nobody',
  text: 'update write.data_request set subject_erased = false where id = $1 and subject_erased',
};
const OF_NOBODY = {
  name: 'data_request_of_nobody',
  text: 'select id from write.data_request where site = $1 and env = $2 and subject_id = $3 and subject_erased order by id',
};
const NOTE_KEY = {
  name: 'data_request_note_key',
  text: `insert into write.data_request_key (key, request_id) values ($1, $2)
         on conflict (key) do update set request_id = excluded.request_id`,
};
const BY_KEY = { name: 'data_request_by_key', text: 'select request_id from write.data_request_key where key = $1' };

/**
 * Which ids of requests were given to whom. A row is a reservation, like that of an identifier: of two who open the same
 * request at once both get the same id, and its stream decides whose first event stands.
 */
@Injectable()
export class RequestIndex {
  constructor(private readonly database: Database) {}

  /** The ids that may be open requests of a type of these subjects. */
  async newest(
    { site, env }: Scope,
    subjectIds: readonly string[],
    type: DataRequestType,
  ): Promise<{ id: string; subjectId: string }[]> {
    const rows = await this.database.query<Row>(NEWEST, [site, env, subjectIds, type]);
    return rows.map(({ id, subject_id }) => ({ id, subjectId: subject_id }));
  }

  /** A new id; null where another request was faster. */
  async reserve({ site, env }: Scope, subjectId: string, type: DataRequestType, at: Instant): Promise<string | null> {
    const id = newId('dsr', epochMs(at), idBytes);
    return (await this.database.query<Row>(RESERVE, [id, site, env, subjectId, type]))[0]?.id ?? null;
  }

  /** The request is closed, which is for ever, or gives way: another one may be opened. */
  async noteClosed(id: string): Promise<void> {
    await this.database.query(CLOSED, [id]);
  }

  /** Every id that was given for these subjects, newest first; some may never have come to stand. */
  async of({ site, env }: Scope, subjectIds: readonly string[]): Promise<string[]> {
    return (await this.database.query<Row>(OF_SUBJECTS, [site, env, subjectIds])).map(({ id }) => id);
  }

  /** Those of an erased subject that may still be open. */
  async ofNobody({ site, env }: Scope, subjectId: string): Promise<string[]> {
    return (await this.database.query<Row>(OF_NOBODY, [site, env, subjectId])).map(({ id }) => id);
  }

  /** It is closed, or never came to stand. */
  async noteAnsweredNobody(id: string): Promise<void> {
    await this.database.query(ANSWERED_NOBODY, [id]);
  }

  /** Comes before the event that stands under the key. */
  async noteKey(digest: string, id: string): Promise<void> {
    await this.database.query(NOTE_KEY, [digest, id]);
  }

  async byKey(digest: string): Promise<string | null> {
    const [row] = await this.database.query<{ request_id: string }>(BY_KEY, [digest]);
    return row?.request_id ?? null;
  }
}
