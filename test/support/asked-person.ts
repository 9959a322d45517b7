import { newEmail, subjectsIn } from './subjects.js';
import type { World } from './world.js';

/** Stands in every personal field of the person that takes text. */
export const CANARY = 'canary-of-a-person';
/** What a spreadsheet would calculate. */
export const FORMULA = '=cmd|calc';

/** When Ada signed on paper: a month ago, so that it still holds wherever consent ends after half a year. */
export const SIGNED_AT = `${new Date(Date.now() - 30 * 24 * 3_600_000).toISOString().slice(0, 10)}T09:00:00.000Z`;

/** What a page says whose own style makes refusing pale. */
export const WEAKENED = {
  version: 1,
  checks: [
    { check: 'EQUAL_SIZE', passed: true, measured: '178x44 / 178x44' },
    { check: 'EQUAL_CONTRAST', passed: false, measured: '6.52 / 1.8' },
    { check: 'TEXT_CONTRAST', passed: false, measured: '1.8' },
    { check: 'LANGUAGE', passed: true, measured: 'de / de' },
  ],
  viewport: 'S',
};

export interface AskedPerson {
  /** Reference by an e-mail address. */
  ada: string;
  adaId: string;
  /** Reference of the browser that turned out to be Ada's. */
  visitor: string;
  /** Position of the last thing that was recorded. */
  through: string;
  /** By what they were recorded for. */
  receipts: Record<'imported' | 'agreed' | 'withdrawn', string>;
}

/** Somebody who was asked in every way there is: on paper, by a banner, in an account, by mail, and once in a browser that nobody knew. */
export async function somebodyAsked(world: World): Promise<AskedPerson> {
  const { create, decide, merge } = subjectsIn(() => world);
  const ada = `email:${newEmail()}`;
  const visitor = world.visitor();
  await create([{ kind: 'email', value: ada.slice('email:'.length) }], { locale: 'de', country: 'DE' });
  const imported = await decide(
    ada,
    { marketing: 'GRANTED' },
    {
      source: 'IMPORT',
      givenAt: SIGNED_AT,
      jurisdiction: { country: 'DE', source: 'DECLARED' },
      collection: { method: 'PAPER', surface: 'FORM', url: `https://demo.example/${CANARY}?session=1` },
      evidence: [{ type: 'DOCUMENT', sha256: 'b'.repeat(64), uri: `https://demo.example/${CANARY}.pdf` }],
      actor: { type: 'GUARDIAN', id: CANARY, relationship: CANARY },
      metadata: { note: CANARY },
    },
  );
  const { body: shown } = await world.request('GET', '/v1/banner?country=DE&locale=de', { key: 'pk' });
  const collection = {
    method: 'SAVE_CHOICES',
    surface: 'BANNER',
    locale: 'de-AT',
    presentationToken: shown.presentationToken as string,
    display: WEAKENED,
  };
  const agreed = await decide(
    ada,
    { analytics: 'GRANTED', marketing: 'DENIED' },
    { collection, metadata: { note: FORMULA } },
  );
  const withdrawn = await decide(
    ada,
    { analytics: 'WITHDRAWN' },
    { jurisdiction: { country: 'US', region: 'US-CA', source: 'DETECTED' } },
  );
  await world.request('POST', '/v1/preferences', {
    body: { subject: ada, values: [{ field: 'channels.email.topics.product_updates', value: false }] },
  });
  const { body: asked } = await world.request('POST', '/v1/preferences/confirmation-token', {
    body: {
      subject: ada,
      values: [{ field: 'channels.email.topics.news', value: true }],
      redirectUrl: `https://demo.example/${CANARY}`,
    },
  });
  await world.request('POST', '/v1/preferences/confirm', { key: null, body: { token: asked.token as string } });
  await world.recorded({ subject: visitor });
  const merged = await merge([visitor], ada, { reason: CANARY });
  const receiptOf = ({ body }: { body: { results: { record: { receiptId: string } }[] } }): string =>
    body.results[0]!.record.receiptId;
  return {
    ada,
    adaId: merged.body.target.id as string,
    visitor,
    through: String(merged.headers['x-log-position']),
    receipts: { imported: receiptOf(imported), agreed: receiptOf(agreed), withdrawn: receiptOf(withdrawn) },
  };
}
