import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../test/support/service.ts';
import { SimulatorClock } from '../../../test/upstream/simulators/clock.ts';
import { strictSettings } from '../../../test/upstream/simulators/logicboxes/settings.ts';
import { LogicBoxesSimulator } from '../../../test/upstream/simulators/logicboxes/simulator.ts';
import type { UpstreamService } from '../../server/src/core/ports/upstream-accounts.ts';
import { type ConsoleTest, expectAccessible, openConsole, takePictures } from './support/console.ts';

let t: TestService;
let c: ConsoleTest;
let upstream: LogicBoxesSimulator;
let customerId: string;
const { apiKey, resellerId } = strictSettings;
const servicesOf = ({ ctx }: TestService) => ctx.upstreamAccounts.services as Record<string, UpstreamService>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  c = await openConsole(t);
  upstream = await LogicBoxesSimulator.start(strictSettings, new SimulatorClock(Date.now));
  customerId = upstream.addCustomer('shop@example.com').id;
  upstream.addDomain('ours.org', customerId);
  // The console offers only hosts of known services.
  const services = servicesOf(t);
  const profile = { dialect: 'logicboxes', transport: 'http', limits: { requestsPerMinute: 60_000 } };
  services.simulated = {
    ...services.resellerclub!,
    title: 'Simulated',
    host: '127.0.0.1',
    port: upstream.server.port,
    profile,
  };
});
afterAll(async () => {
  if (t) delete servicesOf(t).simulated;
  await c?.stop();
  await t?.stop();
  await upstream?.stop();
});

test('adds an account at an upstream, from its test to the loaded prices', async () => {
  const page = await c.signIn('1', { at: '/app/operator/registries' });
  const look = async (picture: string) => {
    await expectAccessible(page);
    await takePictures(page, `upstream-${picture}`);
  };
  await page.getByRole('link', { name: 'Add upstream' }).click();
  await page.getByRole('heading', { name: 'Add upstream', level: 1 }).waitFor();
  await page.getByLabel('Service', { exact: true }).selectOption('Simulated');
  await page.getByLabel('Reseller id').fill(resellerId);
  await page.getByLabel('Customer id of your company there').fill(customerId);
  await page.getByLabel('API key').fill('another-key-0123456789');
  await page.getByLabel('Account currency').fill('usd');
  await page.getByLabel('Account currency').press('Enter');
  await page.getByText('Simulated refused the account').first().waitFor();
  expect(await page.evaluate('document.activeElement?.name')).toBe('secret');
  await look('refused');
  await page.keyboard.insertText(apiKey.slice(0, 1));
  await page.getByLabel('API key').fill(apiKey);
  await page.getByRole('button', { name: 'Test account' }).click();
  await page.getByText('Simulated accepted the account').waitFor();
  await page.getByLabel('Search TLDs').fill('or');
  await page.getByRole('checkbox', { name: '.org', exact: true }).check();
  await page.getByLabel('Connection name').fill('lb');
  await page.getByLabel('Margin').fill('15%');
  await look('tlds');
  await page.getByRole('button', { name: 'Review prices' }).click();
  await page.getByRole('row', { name: /^\.org Registration/ }).waitFor();
  await page.getByText('New .org domains stay with sandbox.').waitFor();
  await page.getByLabel('Send new domains of these TLDs here').click();
  await page.getByText(/^New \.org domains go here/).waitFor();
  const add = page.getByRole('button', { name: 'Add and load prices' });
  await look('review');
  await add.click();
  await page.getByRole('heading', { name: 'lb', exact: true, level: 2 }).waitFor();
  await page.getByText('LogicBoxes', { exact: true }).waitFor();
  await look('registries');
  const [stored] = await t.ctx.db.as(allTenants).many<{ secrets: string; tlds: string[] }>(sql`
    select secrets_sealed as secrets, array(select tld from registry_tld where registry_id = 'lb') as tlds from registry where id = 'lb'`);
  expect(stored).toMatchObject({ tlds: ['org'], secrets: expect.not.stringContaining(apiKey) });
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});
