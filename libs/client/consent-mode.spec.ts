import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { answers, refuses, startFailingServer, type FailingServer } from '../../test/support/failing-server.js';
import { until } from '../../test/support/timing.js';
import { AssentClient } from './index.js';

const DENIED = {
  ad_storage: 'denied',
  analytics_storage: 'denied',
  ad_user_data: 'denied',
  ad_personalization: 'denied',
  functionality_storage: 'denied',
  personalization_storage: 'denied',
  security_storage: 'denied',
  wait_for_update: 500,
};
const mode = (analytics: string) => answers(200, { update: { analytics_storage: analytics } });

let server: FailingServer;
beforeAll(async () => {
  server = await startFailingServer();
});
afterAll(() => server.stop());

/** Collects what Google’s tags receive, in order. */
function tags(): { gtag: (...command: unknown[]) => void; commands: unknown[] } {
  const commands: unknown[] = [];
  return { commands, gtag: (...command) => void commands.push(command) };
}
const client = (): AssentClient => new AssentClient({ baseUrl: server.url, apiKey: 'pk_test_abcdefghijkl' });

it('the default goes out before anything is asked, the update after the answer, and again after each change', async () => {
  const { gtag, commands } = tags();
  const page = client();
  server.next(mode('denied'), mode('granted'));
  const applied = page.applyConsentMode('visitor_id:1', gtag);
  expect([commands, server.asked]).toEqual([[['consent', 'default', DENIED]], []]);
  const stop = await applied;
  expect(commands.slice(1)).toEqual([['consent', 'update', { analytics_storage: 'denied' }]]);
  page.notifyConsentChanged();
  await until(() => commands.length === 3);
  expect(commands[2]).toEqual(['consent', 'update', { analytics_storage: 'granted' }]);
  expect(server.asked.map(({ path }) => path)).toEqual([
    '/v1/consent/google-consent-mode?subject=visitor_id%3A1',
    '/v1/consent/google-consent-mode?subject=visitor_id%3A1&fresh=true',
  ]);
  stop();
  page.notifyConsentChanged();
  await page.getPurposes().catch(() => undefined);
  expect(commands).toHaveLength(3);
});

it('what the service cannot be asked about stays as the default says, until the next change', async () => {
  const { gtag, commands } = tags();
  const page = client();
  server.next(refuses(403, 'identity_token_required'), mode('granted'));
  const standing = { analytics_storage: 'granted' };
  await expect(page.applyConsentMode('user_id:1', gtag, standing)).rejects.toMatchObject({ status: 403 });
  expect(commands).toEqual([['consent', 'default', { ...standing, wait_for_update: 500 }]]);
  page.notifyConsentChanged();
  await until(() => commands.length === 2);
});

it('a change that cannot be followed is said, and nothing else breaks', async () => {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const page = client();
  server.next(mode('granted'), refuses(403, 'origin_not_allowed'));
  await page.applyConsentMode('visitor_id:1', tags().gtag);
  page.notifyConsentChanged();
  await until(() => printed.mock.calls.length === 1);
  expect(printed.mock.calls[0]![0]).toMatchObject({ code: 'origin_not_allowed' });
  printed.mockRestore();
});
