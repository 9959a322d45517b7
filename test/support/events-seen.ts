import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import pg from 'pg';
import type { Answer, Ask } from './asking.js';

type Exchange = (method: string, path: string, ask: Ask) => Promise<Answer>;
type Schema = Record<string, unknown>;

/**
 * The webhook events that a spec causes on the site of its secret key: each must be as the catalogue says that the service
 * answers, with nothing beside what is named there.
 */
export class EventsSeen {
  private constructor(private readonly after: string | null) {}

  /** From now on. */
  static async begin(databaseUrl: string): Promise<EventsSeen> {
    const [row] = await rowsOf<{ last: string | null }>(
      databaseUrl,
      'select max(position) * 16 + 15 as last from webhooks.event',
    );
    return new EventsSeen(row!.last);
  }

  /** Throws where one of them is not. `position`: of the last write, whose events have to be there. */
  async verifyAll(exchange: Exchange, position: bigint): Promise<void> {
    const headers = { 'X-Log-Position': String(position) };
    await exchange('GET', '/v1/events?after=latest', { key: 'sk', headers });
    const { body } = await exchange('GET', '/v1/webhook-events', { key: 'pk' });
    const schemas = new Map(
      (body.events as { type: string; schema: Schema }[]).map(({ type, schema }) => [type, schema]),
    );
    const validators = new Map<string, ValidateFunction>();
    for (let after = this.after, hasMore = true; hasMore;) {
      const from = after === null ? '' : `&after=${after}`;
      const { body: page } = await exchange('GET', `/v1/events?limit=200${from}`, { key: 'sk' });
      for (const event of page.data as { type: string }[]) {
        const validate = validators.get(event.type) ?? validatorOf(schemas.get(event.type));
        validators.set(event.type, validate);
        if (validate(event)) continue;
        const text = JSON.stringify(event);
        throw new Error(`a webhook event is not as its schema says: ${JSON.stringify(validate.errors)} in ${text}`);
      }
      [after, hasMore] = [page.nextCursor as string | null, page.hasMore as boolean];
    }
  }
}

const ajv = addFormats.default(new Ajv2020({ strict: true, code: { optimize: false } }));
/** By the text of the schema: specs that share a process compile it once. */
const compiled = new Map<string, ValidateFunction>();

function validatorOf(schema: unknown): ValidateFunction {
  const text = JSON.stringify(closed(schema));
  const known = compiled.get(text);
  if (known) return known;
  const validate = ajv.compile(JSON.parse(text) as Schema);
  compiled.set(text, validate);
  return validate;
}

/** The same schema, where members that nobody named are refused. */
function closed(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed);
  const members = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  const isObject = (schema as Schema)['type'] === 'object' && 'properties' in schema;
  return isObject ? { additionalProperties: false, ...members } : members;
}

async function rowsOf<R extends object>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
}
