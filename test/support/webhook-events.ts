import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { PostgresEventLog } from '../../libs/log/adapters/postgres/postgres.js';
import { BEGINNING } from '../../libs/kernel/index.js';
import { readLog } from '../../libs/log/log-reading.js';
import { Database } from '../../libs/engines/database/database.js';
import { bodyText, type Envelope } from '../../libs/webhooks/envelope.js';
import { Announcer } from '../../libs/webhooks/announced-events.js';
import { envelopeSchema } from '../../libs/webhooks/types/schema.js';
import { COMPOSITION } from '../../libs/composition/contexts.js';

let compiled: ReadonlyMap<string, ValidateFunction> | undefined;

/** What is wrong with a webhook event by the schema of its type, with nothing beside what it names; null: nothing. */
export function faultOf(envelope: Envelope): string | null {
  if (!compiled) {
    const ajv = addFormats.default(new Ajv2020({ strict: true }));
    compiled = new Map(COMPOSITION.webhooks.all.map((type) => [type.type, ajv.compile(envelopeSchema(type, false))]));
  }
  const validate = compiled.get(envelope.type)!;
  const body: unknown = JSON.parse(bodyText(envelope));
  return validate(body) ? null : `${envelope.type}: ${JSON.stringify(validate.errors)} in ${JSON.stringify(body)}`;
}

/** All that webhooks announce of a log in Postgres, in its order. */
export async function announcedIn(databaseUrl: string): Promise<Envelope[]> {
  const { codec, webhooks } = COMPOSITION;
  const announcer = new Announcer(codec, webhooks);
  const database = new Database(databaseUrl, { max: 2, budgetMs: 60_000 });
  const log = new PostgresEventLog(database);
  try {
    const announced: Envelope[] = [];
    await readLog(log, { after: BEGINNING, through: await log.head(), prefixes: [] }, (events) => {
      // What no release can read stands in some logs on purpose.
      for (const event of events)
        if (codec.knows(event.type)) announced.push(...announcer.webhookEvents(event).map(({ envelope }) => envelope));
    });
    return announced;
  } finally {
    await log.close();
    await database.close();
  }
}
