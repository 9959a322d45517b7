import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { PostgresEventLog } from '../../libs/log/adapters/postgres/postgres.js';
import type { Codec } from '../../libs/streams/codec.js';
import { BEGINNING, ENVIRONMENTS } from '../../libs/kernel/index.js';
import { readLog } from '../../libs/log/log-reading.js';
import { Database } from '../../libs/engines/database/database.js';
import { bodyText, envelopesOf, type Envelope } from '../../libs/webhooks/envelope.js';
import { loggedEvent } from '../../libs/webhooks/logged-event.js';
import { envelopeSchema } from '../../libs/webhooks/types/schema.js';
import { WEBHOOK_TYPES } from '../../libs/webhooks/types/webhook-types.js';

let compiled: ReadonlyMap<string, ValidateFunction> | undefined;

/** What is wrong with a webhook event by the schema of its type, with nothing beside what it names; null: nothing. */
export function faultOf(envelope: Envelope): string | null {
  if (!compiled) {
    const ajv = addFormats.default(new Ajv2020({ strict: true }));
    compiled = new Map(WEBHOOK_TYPES.map((type) => [type.type, ajv.compile(envelopeSchema(type, false))]));
  }
  const validate = compiled.get(envelope.type)!;
  const body: unknown = JSON.parse(bodyText(envelope));
  return validate(body) ? null : `${envelope.type}: ${JSON.stringify(validate.errors)} in ${JSON.stringify(body)}`;
}

/** All that webhooks tell of a log in Postgres, in its order. Events of a whole site are told to both environments here. */
export async function toldOf(databaseUrl: string, codec: Codec): Promise<Envelope[]> {
  const database = new Database(databaseUrl, { max: 2, budgetMs: 60_000 });
  const log = new PostgresEventLog(database);
  try {
    const told: Envelope[] = [];
    await readLog(log, { after: BEGINNING, through: await log.head(), prefixes: [] }, (events) => {
      for (const event of events) {
        // What nobody can read stands in some logs on purpose.
        const logged = codec.knows(event.type) ? loggedEvent(event, codec) : null;
        if (logged) for (const env of logged.env ? [logged.env] : ENVIRONMENTS) told.push(...envelopesOf(logged, env));
      }
    });
    return told;
  } finally {
    await log.close();
    await database.close();
  }
}
